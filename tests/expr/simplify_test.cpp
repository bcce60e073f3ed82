#include "tests/expr/expression_support.hpp"

namespace relayout::expr {
namespace {

using testing::simplified;

/// A case: what simplify makes of `text`. Expected values are worked out by hand or taken from the peers'
/// tests.
struct SimplifyCase {
  const char* text;
  const char* expected;
};

const std::vector<Variable> kFree = {{"x", {}}, {"y", {}}, {"z", {}}};

std::vector<Variable> up_to(std::int64_t x, std::int64_t y = 0, std::int64_t z = 0) {
  return {{"x", {0, x}}, {"y", {0, y}}, {"z", {0, z}}};
}

void expect_all(std::initializer_list<SimplifyCase> cases, const std::vector<Variable>& variables) {
  for (const SimplifyCase& c : cases) EXPECT_EQ(simplified(c.text, variables), c.expected) << c.text;
}

TEST(Simplify, example) {
  EXPECT_EQ(simplified("(x*64 + y)//128*128 + (x*64 + y)%128", up_to(99, 63)), "64*x + y");
}

TEST(Simplify, collects_terms_and_folds_constants) {
  expect_all({{"x + y + x", "2*x + y"},
              {"(x + 3)*4 - 2*x - 12", "2*x"},
              {"x - x", "0"},
              {"7//2 + 7%2", "4"},
              {"x//1 + x%1", "x"},
              {"y - 3*x", "y - 3*x"},
              {"63 - x", "63 - x"}},
             kFree);
}

TEST(Simplify, exclusive_or_passes_through_bits_that_one_side_has) {
  expect_all({{"8*x ^ y", "8*x + y"},
              {"64*x + z ^ 8*y", "64*x + (8*y ^ z)"},
              {"128*x + z ^ y", "128*x + (y ^ z)"},
              {"8*x + y ^ 8*z", "8*(x ^ z) + y"},
              {"16*x ^ 24*z", "8*(2*x ^ 3*z)"},
              {"64*x + 8*y ^ 32*y", "32*(2*x ^ y) + 8*y"},
              {"16*x + 32 ^ z", "16*x + 32 ^ z"}},
             up_to(15, 3, 63));
}

TEST(Simplify, exclusive_or_cancels_and_folds) {
  expect_all({{"x ^ y ^ x", "y"},
              {"x ^ 0", "x"},
              {"12 ^ 10", "6"},
              {"x ^ x", "0"},
              {"x ^ 15", "15 - x"},
              {"x ^ -1", "-x - 1"},
              {"(x ^ 5) ^ 5", "x"},
              {"(x ^ y)//8", "x//8"},
              {"(x ^ 8*z)%8", "x%8"}},
             up_to(15, 7, 3));
}

TEST(Simplify, a_swizzle_vanishes_where_its_source_bits_are_zero) {
  expect_all({{"x ^ x//64%8*8", "x"}, {"64*y + z ^ (64*y + z)//64%8*8", "72*y + z"}}, up_to(63, 7, 7));
}

TEST(Simplify, a_swizzle_is_its_own_inverse) {
  const auto variables = up_to(7, 63);
  const std::string once = simplified("64*x + y ^ (64*x + y)//64%8*8", variables);
  EXPECT_EQ(once, "64*x + (8*x ^ y)");
  EXPECT_EQ(simplified("(" + once + ") ^ (" + once + ")//64%8*8", variables), "64*x + y");
}

TEST(Simplify, division_of_a_multiple_is_exact) {
  expect_all({{"8*x//4", "2*x"},
              {"(4*x + y)//2", "2*x + y//2"},
              {"(8*x + 3)//4", "2*x"},
              {"(x - 8)//4", "x//4 - 2"}},
             kFree);
}

TEST(Simplify, mod_of_a_multiple_is_zero) {
  expect_all({{"8*x%4", "0"}, {"(4*x + y)%2", "y%2"}, {"4*x%16%8", "4*(x%2)"}, {"2*x%6", "2*(x%3)"}}, kFree);
}

TEST(Simplify, nested_divisions_merge) {
  expect_all({{"x//2//3", "x//6"}, {"(x//3 + 4)//2", "x//6 + 2"}, {"(x//4 + y)//2", "(4*y + x)//8"}}, kFree);
}

TEST(Simplify, quotient_and_remainder_recombine) {
  expect_all({{"4*(x//4) + x%4", "x"},
              {"6*(x//6) + 3*(x//3%2) + x%3", "x"},
              {"x - 4*(x//4)", "x%4"},
              {"x//6*2 + x//3%2", "x//3"},
              {"(x + y)//5*5 - y", "x - (x + y)%5"}},
             kFree);
}

TEST(Simplify, remainder_of_a_remainder_needs_divisibility) {
  expect_all({{"x%12%4", "x%4"}, {"x%4%12", "x%4"}, {"x%12//4", "x//4%3"}}, kFree);
  EXPECT_EQ(division_count(*simplify(testing::expression("x%255//16", kFree))), 2);
  EXPECT_EQ(simplified("x%255//16", up_to(254)), "x//16");
}

TEST(Simplify, values_within_one_period_drop_the_division) {
  expect_all({{"x//8", "0"}, {"x%8", "x"}, {"(8*y + x)//8", "y"}, {"(8*y + x)%8", "x"}, {"(x + 8)//8", "1"}},
             up_to(7, 99));
  EXPECT_EQ(simplified("(3 + x)%4", {{{"x", {0, 1}}}}), "3 - 3*x");
  EXPECT_EQ(simplified("(3 + 3*x)%4", {{{"x", {0, 3}}}}), "3 - x");
}

TEST(Simplify, common_factors_cancel) {
  expect_all({{"(12*x + y)//18", "2*x//3"}}, up_to(17, 5));
  expect_all({{"(4*x + 2)//6", "x - (x + 1)//3"}, {"(16*x + 128*y + 32)//16", "8*y + x + 2"}}, kFree);
}

TEST(Simplify, reversed_axes_are_mirrored) {
  EXPECT_EQ(simplified("(63 - x)//8", up_to(63)), "7 - x//8");
  EXPECT_EQ(simplified("(63 - x)//8*8 + (63 - x)%8", up_to(63)), "63 - x");
}

TEST(Simplify, sums_of_shifted_divisions_follow_hermite) {
  expect_all(
      {{"x//2 + (x + 1)//2", "x"},
       {"x//4 + (x + 1)//4 + (x + 2)//4 + (x + 3)//4", "x"},
       {"(x + 3)//6 + x//6", "x//3"},
       {"2*((x + 2561)//4) + 2*((x + 2562)//4) + 2*((x + 2560)//4) + 2*((x + 2559)//4)", "2*x + 5118"}},
      kFree);
}

TEST(Simplify, one_variable_gets_its_unique_basis_form) {
  EXPECT_EQ(simplified("x%8//2 + x%8%2*4", up_to(7)), "4*x - 7*(x//2)");
  EXPECT_EQ(simplified("x//64//8*512 + x//64%8*8 + x%64//8*64 + x%64%8", up_to(4095)),
            "448*(x//512) + 56*(x//8) + x - 504*(x//64)");
}

TEST(Simplify, takes_no_longer_for_products_of_shared_factors) {
  // Each product is made of two ways down to the ones inside: a walk without memory takes 2^200 steps.
  const IndexExpr x = IndexExpr::variable(0, "x", {0, 3});
  IndexExpr product = x + IndexExpr::constant(1);
  for (int i = 0; i < 200; ++i) product = product * (x + IndexExpr::constant(1));
  const auto simplified = simplify(product);
  if (simplified) {
    EXPECT_EQ(evaluate(*simplified, std::vector<std::int64_t>{0}).value(), 1);
  } else {
    EXPECT_EQ(simplified.error().code, ErrorCode::kOverflow);
  }
}

TEST(Simplify, products_of_variables_are_opaque_but_their_factors_are_known) {
  expect_all(
      {{"32*x*y*8%256", "0"}, {"(4*x + y*2*z)%2", "0"}, {"x*y - y*x", "0"}, {"(x*y)*z - x*(z*y)", "0"}},
      kFree);
  EXPECT_EQ(simplified("y*(x%8) + 10*(x%8)", kFree), "(y + 10)*(x%8)");
  EXPECT_EQ(simplified("x*y//20", up_to(3, 5)), "0");
}

TEST(Simplify, layouts_of_tiles) {
  EXPECT_EQ(simplified("y//4*24 + 4*x + y%4", up_to(5, 7)), "20*(y//4) + 4*x + y");
  EXPECT_EQ(simplified("(x//8*3 + y//128)*1024 + x%8*128 + y%128", up_to(799, 383)),
            "2048*(x//8) + 896*(y//128) + 128*x + y");
}

TEST(Simplify, overflow_is_an_error) {
  for (const char* text : {"9223372036854775807 + 1", "x*9223372036854775807*2", "9223372036854775807*x + x",
                           "(-9223372036854775808)*(x - 1)"}) {
    const auto result = simplify(testing::expression(text, kFree));
    ASSERT_FALSE(result.ok()) << text << " became " << to_string(*result);
    EXPECT_EQ(result.error().code, ErrorCode::kOverflow) << text;
  }
}

TEST(Simplify, extreme_constants_do_not_overflow_needlessly) {
  expect_all({{"x//9223372036854775807", "x//9223372036854775807"},
              {"x//9223372036854775807//9223372036854775807", "x//9223372036854775807//9223372036854775807"},
              {"9223372036854775807*x%9223372036854775807", "0"},
              {"-9223372036854775808 + x - x", "-9223372036854775808"}},
             kFree);
}

TEST(Simplify, large_ranges_are_exact) {
  const std::vector<Variable> variables = {{"x", {0, INT64_MAX - 1}}, {"y", {INT64_MIN + 1, 0}}};
  EXPECT_EQ(simplified("x//9223372036854775807", variables), "0");
  EXPECT_EQ(simplified("y//9223372036854775807", variables), "y//9223372036854775807");
}

TEST(Simplify, deep_nesting_ends_soon) {
  std::string text = "x";
  for (int level = 0; level < 200; ++level) text = "(" + text + "*5 + y)%" + std::to_string(7919 + level);
  const IndexExpr e = testing::expression(text, kFree);
  const auto result = simplify(e);
  ASSERT_TRUE(result.ok());
  EXPECT_LE(division_count(*result), division_count(e));
  EXPECT_EQ(testing::first_difference(e, *result, kFree), "");
}

TEST(Simplify, is_idempotent) {
  for (const char* text : {"(x + 5)//3 - (x + 1)//3", "x%28//5", "(x%7 + y%5)//3%2", "(x*y + 3)//4*(x%3)"}) {
    const IndexExpr once = *simplify(testing::expression(text, kFree));
    EXPECT_EQ(*simplify(once), once) << text;
  }
  // On this range x//64 = x//256.
  const std::vector<Variable> narrow = {{"x", {-20, 20}}};
  const IndexExpr once = *simplify(testing::expression("x//8%32//8 + x//16*6", narrow));
  EXPECT_EQ(*simplify(once), once);
}

}  // namespace
}  // namespace relayout::expr
