#pragma once

#include "src/expr/node.hpp"
#include "src/expr/workspace.hpp"

namespace relayout::expr {

/// What a remainder's divisor says of its values, also through a product with a constant; no bounds for any
/// other tree. Floors that have been merged may hide it from the normal form.
Range range_as_written(const Node& node);

/// The normal form of a tree: a linear form over variables, floors, products and exclusive ors, without
/// remainders.
FormId normalise(Workspace& workspace, const Node& node);

}  // namespace relayout::expr
