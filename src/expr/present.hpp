#pragma once

#include "src/expr/workspace.hpp"

namespace relayout::expr {

/// The cheapest form found to print `form` as: remainders recovered, coefficients shifted between a numerator
/// and the sum around it, factors taken out. The result is equal to `form` but not in normal form.
FormId presentation_of(Workspace& workspace, FormId form);

/// What printing presentation_of(form) costs.
Cost cost_of(Workspace& workspace, FormId form);

/// The expression tree of a presentation.
IndexExpr build_expression(Workspace& workspace, FormId presentation);

}  // namespace relayout::expr
