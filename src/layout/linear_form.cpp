#include "src/layout/linear_form.hpp"

namespace relayout::layout {
namespace {

using expr::IndexExpr;
using expr::Kind;

/// Adds `factor` * e. False if e is not linear or something overflows.
bool add(const IndexExpr& e, std::int64_t factor, std::vector<std::int64_t>& coefficients) {
  switch (e.kind()) {
    case Kind::kConstant:
      return true;
    case Kind::kVariable: {
      std::int64_t& coefficient = coefficients[static_cast<std::size_t>(e.variable_index())];
      return !__builtin_add_overflow(coefficient, factor, &coefficient);
    }
    case Kind::kAdd:
      return add(e.left(), factor, coefficients) && add(e.right(), factor, coefficients);
    case Kind::kMultiply: {
      const bool constant_left = e.left().kind() == Kind::kConstant;
      const IndexExpr constant = constant_left ? e.left() : e.right();
      if (constant.kind() != Kind::kConstant) return false;
      if (__builtin_mul_overflow(factor, constant.value(), &factor)) return false;
      return add(constant_left ? e.right() : e.left(), factor, coefficients);
    }
    case Kind::kFloorDiv:
    case Kind::kFloorMod:
    case Kind::kXor:
      return false;
  }
  return false;
}

}  // namespace

std::optional<std::vector<std::int64_t>> linear_coefficients(const IndexExpr& e, std::size_t variables) {
  std::vector<std::int64_t> coefficients(variables, 0);
  if (!add(e, 1, coefficients)) return std::nullopt;
  return coefficients;
}

}  // namespace relayout::layout
