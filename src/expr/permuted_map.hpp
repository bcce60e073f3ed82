#pragma once

#include "src/expr/index_expr.hpp"

namespace relayout::expr {

/// A map to places that is a permutation of them after a simpler map, as a swizzled layout's offsets are.
struct PermutedMap {
  IndexExpr before;       ///< the simpler map, over the same variables
  IndexExpr permutation;  ///< over variable 0; one to one on all integers
};

}  // namespace relayout::expr
