#include "src/expr/index_expr.hpp"

#include <cassert>
#include <utility>

#include "src/expr/node.hpp"

namespace relayout::expr {
namespace {

IndexExpr binary(Kind kind, const IndexExpr& left, const IndexExpr& right) {
  return Node::handle(intern({.kind = kind, .left = Node::shared(left), .right = Node::shared(right)}));
}

IndexExpr division(Kind kind, const IndexExpr& left, std::int64_t divisor) {
  assert(divisor > 0);
  return Node::handle(intern({.kind = kind, .value = divisor, .left = Node::shared(left)}));
}

}  // namespace

// Never destroyed, like the table of nodes: most expressions begin as 0.
IndexExpr::IndexExpr() {
  static const auto* const zero = new std::shared_ptr<const Node>(intern({.kind = Kind::kConstant}));
  node_ = *zero;
}

IndexExpr IndexExpr::constant(std::int64_t value) {
  return IndexExpr(intern({.kind = Kind::kConstant, .value = value}));
}

IndexExpr IndexExpr::variable(int index, std::string_view name, Range range) {
  return IndexExpr(
      intern({.kind = Kind::kVariable, .value = index, .name = std::string(name), .range = range}));
}

Kind IndexExpr::kind() const noexcept {
  return node_->key.kind;
}

std::int64_t IndexExpr::value() const noexcept {
  return node_->key.value;
}

int IndexExpr::variable_index() const noexcept {
  assert(kind() == Kind::kVariable);
  return static_cast<int>(node_->key.value);
}

const std::string& IndexExpr::variable_name() const noexcept {
  return node_->key.name;
}

Range IndexExpr::variable_range() const noexcept {
  return node_->key.range;
}

IndexExpr IndexExpr::left() const noexcept {
  return IndexExpr(node_->key.left);
}

IndexExpr IndexExpr::right() const noexcept {
  return IndexExpr(node_->key.right);
}

IndexExpr operator+(const IndexExpr& a, const IndexExpr& b) {
  return binary(Kind::kAdd, a, b);
}

// There is no node for subtraction: a - 3 is a + -3, and a - b is a + b*-1.
IndexExpr operator-(const IndexExpr& a, const IndexExpr& b) {
  const bool negatable = b.kind() == Kind::kConstant && b.value() != std::numeric_limits<std::int64_t>::min();
  return a + (negatable ? IndexExpr::constant(-b.value()) : b * -1);
}

IndexExpr operator*(const IndexExpr& a, const IndexExpr& b) {
  return binary(Kind::kMultiply, a, b);
}

IndexExpr operator*(const IndexExpr& a, std::int64_t factor) {
  return a * IndexExpr::constant(factor);
}

IndexExpr operator^(const IndexExpr& a, const IndexExpr& b) {
  return binary(Kind::kXor, a, b);
}

IndexExpr floor_div(const IndexExpr& a, std::int64_t divisor) {
  return division(Kind::kFloorDiv, a, divisor);
}

IndexExpr floor_mod(const IndexExpr& a, std::int64_t divisor) {
  return division(Kind::kFloorMod, a, divisor);
}

}  // namespace relayout::expr
