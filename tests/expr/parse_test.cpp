#include "tests/expr/expression_support.hpp"

namespace relayout::expr {
namespace {

const std::vector<Variable> kVariables = {{"x", {}}, {"y", {}}, {"long_name_2", {}}};

std::string round_trip(std::string_view text) {
  return to_string(testing::expression(text, kVariables));
}

Error parse_error(std::string_view text) {
  const auto result = parse(text, kVariables);
  EXPECT_FALSE(result.ok()) << text;
  return result ? Error{} : result.error();
}

std::int64_t value(std::string_view text, std::int64_t x = 0, std::int64_t y = 0) {
  return evaluate(testing::expression(text, kVariables), std::vector<std::int64_t>{x, y, 0}).value();
}

TEST(Parse, example) {
  const IndexExpr e = testing::expression("(x*24 + y) // 6 % 4", kVariables);
  EXPECT_EQ(e, floor_mod(floor_div(e.left().left(), 6), 4));
  EXPECT_EQ(to_string(e), "(x*24 + y)//6%4");
}

TEST(Parse, products_divisions_and_remainders_group_to_the_left) {
  EXPECT_EQ(value("100 // 7 * 7"), 98);
  EXPECT_EQ(value("100 * 7 // 30"), 23);
  EXPECT_EQ(value("100 % 7 * 3 % 5"), 1);
  EXPECT_EQ(value("10 - 3 - 2"), 5);
}

TEST(Parse, unary_minus_binds_tighter_than_division) {
  EXPECT_EQ(value("-7 // 2"), -4);
  EXPECT_EQ(value("-x // 2", 7), -4);
  EXPECT_EQ(value("-x % 4", 7), 1);
  EXPECT_EQ(value("0 - 7 // 2"), -3);
  EXPECT_EQ(value("--x - -y", 7, 5), 12);
  EXPECT_EQ(value("+x", 7), 7);
}

TEST(Parse, exclusive_or_binds_weakest_and_groups_to_the_left) {
  EXPECT_EQ(value("1 + 2 ^ 1 * 4"), 3 ^ 4);
  EXPECT_EQ(value("x ^ x // 8 % 4", 29), 29 ^ 3);
  EXPECT_EQ(value("-1 ^ 5"), -6);
  EXPECT_EQ(round_trip("x ^ y ^ 3"), "x ^ y ^ 3");
  EXPECT_EQ(testing::expression("x ^ y ^ 3", kVariables).right(), IndexExpr::constant(3));
}

TEST(Parse, divisors_may_be_constant_expressions) {
  EXPECT_EQ(round_trip("x // (3 * 3)"), "x//9");
  EXPECT_EQ(round_trip("x % (20 // 3 + 1)"), "x%7");
}

TEST(Parse, entry_i_of_the_variables_is_variable_index_i) {
  EXPECT_EQ(testing::expression("long_name_2", kVariables).variable_index(), 2);
}

TEST(Parse, extreme_constants_are_read_exactly) {
  EXPECT_EQ(value("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(value("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(parse_error("9223372036854775808").code, ErrorCode::kOverflow);
  EXPECT_EQ(parse_error("-9223372036854775809").code, ErrorCode::kOverflow);
  EXPECT_EQ(parse_error("99999999999999999999999999").code, ErrorCode::kOverflow);
  EXPECT_EQ(parse_error("x // (4000000000 * 4000000000)").code, ErrorCode::kOverflow);
}

struct SyntaxCase {
  const char* text;
  const char* message;
};

TEST(Parse, errors_name_the_position_and_the_reason) {
  const SyntaxCase cases[] = {
      {"", "position 0: expected an operand"},
      {"x +", "position 3: expected an operand"},
      {"(x", "position 2: expected ')'"},
      {"x)", "position 1: unexpected ')'"},
      {"x / 2", "position 2: unexpected '/'"},
      {"x // 0", "position 5: the divisor must be positive"},
      {"x % -3", "position 4: the divisor must be positive"},
      {"x // y", "position 5: the divisor must be constant"},
      {"x + z", "position 4: unknown variable 'z'"},
      {"3x", "position 1: expected an operator"},
      {"x y", "position 2: unexpected 'y'"},
      {"x + $", "position 4: expected an operand"},
      {"x ^", "position 3: expected an operand"},
  };
  for (const SyntaxCase& c : cases) {
    const Error error = parse_error(c.text);
    EXPECT_EQ(error.code, ErrorCode::kSyntax) << c.text;
    EXPECT_EQ(error.message, c.message) << c.text;
  }
}

TEST(Parse, deep_nesting_is_an_error_not_a_crash) {
  const std::size_t depth = 100'000;
  EXPECT_EQ(parse_error(std::string(depth, '(')).message,
            "position 500: the expression is nested too deeply");
  EXPECT_EQ(parse_error(std::string(depth, '-') + "x").code, ErrorCode::kSyntax);
  std::string chain = "x";
  for (std::size_t i = 0; i < depth; ++i) chain += "//2";
  EXPECT_EQ(parse_error(chain).code, ErrorCode::kSyntax);
}

TEST(Parse, long_sums_are_read) {
  std::string sum = "x";
  for (int i = 0; i < 1000; ++i) sum += " + x//2";
  EXPECT_EQ(value(sum, 3), 1003);
}

TEST(Print, writes_as_few_parentheses_as_needed) {
  const char* const texts[] = {
      "x + y",    "x - y",   "x - (y + 1)", "x + (y + 1)", "x + y + 1",
      "x - 5",    "5 - x",   "x*y*3",       "x*(y*3)",     "x//3*y",
      "3*(x//4)", "x%4//2",  "x//4%2*24",   "(x + 1)//2",  "-x",
      "(-x)//2",  "-(x//2)", "-(x + y)",    "x - (-y)",    "x*(-3)",
      "-3*x",     "-3//2",   "x + -3*y",    "5*(-1)",      "x - -9223372036854775808"};
  for (const char* text : texts) EXPECT_EQ(round_trip(round_trip(text)), round_trip(text)) << text;
  for (const char* text :
       {"x - (y + 1)", "x*(y*3)", "(-x)//2", "-(x//2)", "x//4%2*24", "x - (-y)", "5*(-1)", "x + 1 ^ y*2",
        "8*(x ^ y)", "(x ^ y) + 1", "x + (y ^ 1)", "x - (y ^ 1)", "(x ^ y)//2", "x ^ (y ^ 3)", "-(x ^ y)"}) {
    EXPECT_EQ(round_trip(text), text);
  }
}

TEST(Print, reads_back_as_the_same_node) {
  const char* const texts[] = {
      "x - (-(-y))", "-(-(-3))*x", "(x - y) - (y - x)",      "((x))",       "-(x*-1)",      "x*-1*-1",
      "-5*-1",       "-(5)*-1",    "x+-9223372036854775808", "(x*y)*(x*y)", "(x//2)//3 % 4"};
  for (const char* text : texts) {
    const IndexExpr e = testing::expression(text, kVariables);
    EXPECT_EQ(testing::expression(to_string(e), kVariables), e) << text << " printed as " << to_string(e);
  }
}

}  // namespace
}  // namespace relayout::expr
