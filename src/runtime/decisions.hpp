#pragma once

#include <string>
#include <vector>

#include "relayout/explanation.hpp"
#include "src/plan/candidates.hpp"

namespace relayout::runtime {

/// Why a nest is as it is.
std::vector<Decision> decisions_of(const plan::Plan& plan, const plan::Nest& nest, const plan::Target& target,
                                   const plan::PlanChoice& choice);

/// Why a candidate was not taken, against what was.
std::string rejection(const plan::Candidate& candidate, const plan::Candidate& chosen);

}  // namespace relayout::runtime
