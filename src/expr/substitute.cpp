#include "src/expr/index_expr.hpp"

namespace relayout::expr {

IndexExpr substitute(const IndexExpr& e, std::span<const IndexExpr> replacements) {
  switch (e.kind()) {
    case Kind::kConstant:
      return e;
    case Kind::kVariable:
      return replacements[static_cast<std::size_t>(e.variable_index())];
    case Kind::kAdd:
      return substitute(e.left(), replacements) + substitute(e.right(), replacements);
    case Kind::kMultiply:
      return substitute(e.left(), replacements) * substitute(e.right(), replacements);
    case Kind::kFloorDiv:
      return floor_div(substitute(e.left(), replacements), e.value());
    case Kind::kFloorMod:
      return floor_mod(substitute(e.left(), replacements), e.value());
    case Kind::kXor:
      return substitute(e.left(), replacements) ^ substitute(e.right(), replacements);
  }
  return e;
}

}  // namespace relayout::expr
