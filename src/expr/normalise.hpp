#pragma once

#include "src/expr/node.hpp"
#include "src/expr/workspace.hpp"

namespace relayout::expr {

/// The normal form of a tree: a linear form over variables, floors and products, without remainders.
FormId normalise(Workspace& workspace, const Node& node);

}  // namespace relayout::expr
