#include "tests/expr/expression_support.hpp"

namespace relayout::expr {
namespace {

using testing::expression;

const std::vector<Variable> kVariables = {
    {"x", {0, 99}}, {"y", {-5, 7}}, {"free", {}}, {"natural", {0, Range::kNoUpper}}};

Range range(std::string_view text) {
  return range_of(expression(text, kVariables)).value();
}

TEST(Range, example) {
  EXPECT_EQ(range("x//8*64 + x%8"), (Range{0, 12 * 64 + 99 % 8}));
}

TEST(Range, of_constants_and_variables) {
  EXPECT_EQ(range("42"), (Range{42, 42}));
  EXPECT_EQ(range("y"), (Range{-5, 7}));
  EXPECT_EQ(range("free"), Range{});
}

TEST(Range, of_sums_and_products) {
  EXPECT_EQ(range("x - 2*y + 1"), (Range{-13, 110}));
  EXPECT_EQ(range("x*y"), (Range{-495, 693}));
  EXPECT_EQ(range("natural*natural").lower, 0);
}

TEST(Range, of_divisions_rounds_down) {
  EXPECT_EQ(range("y//4"), (Range{-2, 1}));
}

TEST(Range, of_remainders_does_not_need_a_bounded_variable) {
  EXPECT_EQ(range("free%7"), (Range{0, 6}));
  EXPECT_EQ(range("free%7*3 + x"), (Range{0, 117}));
  EXPECT_EQ(range("natural//3%5*10 + natural%3"), (Range{0, 42}));
}

TEST(Range, of_an_unbounded_side_is_no_bound) {
  EXPECT_EQ(range("natural + x"), (Range{0, Range::kNoUpper}));
  EXPECT_EQ(range("-natural"), (Range{Range::kNoLower, 0}));
}

TEST(Range, of_an_exclusive_or_keeps_the_bits_above_the_shorter_operand) {
  EXPECT_EQ(range("x ^ 3"), (Range{0, 99}));
  EXPECT_EQ(range("x ^ x"), (Range{0, 0}));
  EXPECT_EQ(range("x + 128 ^ x%16"), (Range{128, 239}));
  EXPECT_EQ(range("x ^ y"), (Range{-128, 127}));
  EXPECT_EQ(range("natural + 8 ^ x%8").lower, 8);
}

TEST(Range, overflow_is_an_error) {
  const auto result = range_of(expression("x*9223372036854775807", kVariables));
  EXPECT_EQ(result.error().code, ErrorCode::kOverflow);
}

TEST(Range, holds_every_value_of_random_expressions) {
  const char* const texts[] = {
      "x%12//5 + x//12*3", "(x*13 + y)%17*3 - x//4",    "(x + y)//3 - x//3", "x%7*(y%3)",
      "(3*x + 5*y)//7%4",  "x//2%3 + 3*(x//6%4) - y",   "-(x//5)*2 + x%5",   "x ^ x//8%4*2",
      "x*3 ^ y",           "(x ^ y//2)%12 - (x//4 ^ 3)"};
  const std::vector<Variable> bounded = {kVariables[0], kVariables[1]};
  for (const char* text : texts) {
    const IndexExpr e = expression(text, bounded);
    const Range found = range_of(e).value();
    testing::for_each_point(bounded, [&](const std::vector<std::int64_t>& values) {
      const std::int64_t value = *evaluate(e, values);
      EXPECT_TRUE(found.lower <= value && value <= found.upper) << text;
    });
  }
}

}  // namespace
}  // namespace relayout::expr
