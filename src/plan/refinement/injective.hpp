#pragma once

#include "relayout/result.hpp"
#include "src/plan/refinement/problem.hpp"

namespace relayout::plan {

/// Checks that no two points of the domain share a destination element. \error kAliasing naming two
/// coordinates, kUnsupported if it can't be told from the strides and the domain has more than 2^24 points
Status check_injective(const Problem& problem);

}  // namespace relayout::plan
