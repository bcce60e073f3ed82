#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "relayout/result.hpp"

namespace relayout::expr {

/// Inclusive range of an integer; the extreme values of int64 stand for "no bound".
struct Range {
  static constexpr std::int64_t kNoLower = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t kNoUpper = std::numeric_limits<std::int64_t>::max();
  std::int64_t lower = kNoLower;
  std::int64_t upper = kNoUpper;

  bool bounded() const noexcept { return lower != kNoLower && upper != kNoUpper; }
  friend bool operator==(const Range&, const Range&) = default;
};

enum class Kind : std::uint8_t { kConstant, kVariable, kAdd, kMultiply, kFloorDiv, kFloorMod, kXor };

struct Node;

/// An immutable integer expression over bounded variables: + and * of two operands, floor division and floor
/// remainder by positive constants, and exclusive or of the bits in two's complement (CuTe's swizzles).
/// Hash-consed: structurally equal expressions are the same node, so
/// equality is pointer equality. A handle of one pointer, cheap to copy; safe to build and read from several
/// threads.
///
/// Construction keeps the tree as written (nothing is folded), so it cannot overflow; evaluation, ranges and
/// simplification detect overflow and never wrap.
class IndexExpr {
 public:
  /// The constant 0.
  IndexExpr();

  static IndexExpr constant(std::int64_t value);
  /// \param index which entry of the value list stands for this variable (a logical dimension, for layouts).
  static IndexExpr variable(int index, std::string_view name, Range range);

  Kind kind() const noexcept;
  /// The constant of kConstant, the divisor of kFloorDiv and kFloorMod.
  std::int64_t value() const noexcept;
  /// \pre kind() == kVariable
  int variable_index() const noexcept;
  const std::string& variable_name() const noexcept;
  Range variable_range() const noexcept;
  /// Operands: left and right of kAdd, kMultiply and kXor; left only of kFloorDiv and kFloorMod.
  IndexExpr left() const noexcept;
  IndexExpr right() const noexcept;

  friend bool operator==(const IndexExpr& a, const IndexExpr& b) noexcept { return a.node_ == b.node_; }
  friend IndexExpr operator+(const IndexExpr& a, const IndexExpr& b);
  friend IndexExpr operator-(const IndexExpr& a, const IndexExpr& b);
  friend IndexExpr operator*(const IndexExpr& a, const IndexExpr& b);
  friend IndexExpr operator*(const IndexExpr& a, std::int64_t factor);
  /// Exclusive or, bit by bit: 12 ^ 10 is 6.
  friend IndexExpr operator^(const IndexExpr& a, const IndexExpr& b);
  /// \pre divisor > 0
  friend IndexExpr floor_div(const IndexExpr& a, std::int64_t divisor);
  friend IndexExpr floor_mod(const IndexExpr& a, std::int64_t divisor);

 private:
  friend struct Node;
  explicit IndexExpr(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  std::shared_ptr<const Node> node_;
};

IndexExpr floor_div(const IndexExpr& a, std::int64_t divisor);
IndexExpr floor_mod(const IndexExpr& a, std::int64_t divisor);

/// The value of `e` with variable i standing for `values[i]`. \error kOverflow
Result<std::int64_t> evaluate(const IndexExpr& e, std::span<const std::int64_t> values);

/// The same without overflow checks, for expressions whose range is known to fit. \pre no intermediate
/// overflows
std::int64_t evaluate_unchecked(const IndexExpr& e, std::span<const std::int64_t> values) noexcept;

/// Number of floor_div and floor_mod operators in the tree (shared subtrees counted each time they are
/// printed).
int division_count(const IndexExpr& e);

/// The text of `e` in the syntax that parse reads: `//` `%` `+` `-` `*` `^`, parentheses, integers and names.
/// As in Python, `^` binds weakest.
std::string to_string(const IndexExpr& e);

struct Variable {
  std::string name;
  Range range;
};

/// Reads an expression over the given variables; entry i becomes variable index i. Divisors may be constant
/// expressions, `x // (3 * 3)`. \error kSyntax (with the position), kOverflow
Result<IndexExpr> parse(std::string_view text, std::span<const Variable> variables);

/// An inclusive range that holds every value of `e` (the digit view is used, see simplify.cpp). \error
/// kOverflow
Result<Range> range_of(const IndexExpr& e);

/// `e` with variable i replaced by `replacements[i]`. Nothing is simplified. \pre every variable has a
/// replacement
IndexExpr substitute(const IndexExpr& e, std::span<const IndexExpr> replacements);

/// The simplest form known of `e`, equal to it wherever the variables lie in their ranges. Idempotent.
/// \error kOverflow
Result<IndexExpr> simplify(const IndexExpr& e);

}  // namespace relayout::expr
