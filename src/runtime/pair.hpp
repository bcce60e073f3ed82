#pragma once

#include "relayout/layout.hpp"
#include "relayout/result.hpp"
#include "src/plan/refinement/problem.hpp"

namespace relayout::runtime {

/// The two layouts' offsets over one domain. \error kShapeMismatch if shapes or element widths differ
Result<plan::Problem> raw_problem(const Layout& source, const Layout& destination);

/// The same with simplified offsets.
Result<plan::Problem> simplified_problem(const Layout& source, const Layout& destination);

/// Both layouts' offsets in bytes (for packed elements, in elements), whatever the widths, without the sizes.
/// \pre equal shapes
plan::Problem offsets_of(const Layout& source, const Layout& destination);

}  // namespace relayout::runtime
