// Random expressions, evaluated before and after. RELAYOUT_TEST_SEED replays a failure.

#include "tests/expr/expression_support.hpp"

namespace relayout::expr {
namespace {

using testing::Generator;
using testing::uniform;

constexpr std::int64_t kDivisors[] = {2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 60, 64, 100, 128, 300};
constexpr std::int64_t kBounds[] = {0, 1, 2, 3, 7, 11, 15, 31, 59, 63, 127, 255, 1023};

std::int64_t divisor(Generator& generator) {
  return kDivisors[uniform(generator, 0, std::size(kDivisors) - 1)];
}

std::vector<Variable> random_variables(Generator& generator) {
  std::vector<Variable> variables;
  for (const char* name : {"x", "y", "z"}) {
    Range range{0, kBounds[uniform(generator, 0, std::size(kBounds) - 1)]};
    if (uniform(generator, 0, 5) == 0) range = {-uniform(generator, 0, 20), uniform(generator, 0, 20)};
    if (uniform(generator, 0, 9) == 0) range = {};
    if (uniform(generator, 0, 9) == 0) range = {0, Range::kNoUpper};
    variables.push_back({name, range});
  }
  return variables;
}

IndexExpr random_expression(const std::vector<Variable>& variables, int depth, Generator& generator) {
  const auto nested = [&] { return random_expression(variables, depth - 1, generator); };
  if (depth == 0 || uniform(generator, 0, 9) == 0) {
    const auto index = static_cast<std::size_t>(uniform(generator, 0, 3));
    if (index == variables.size()) return IndexExpr::constant(uniform(generator, -40, 70));
    return IndexExpr::variable(static_cast<int>(index), variables[index].name, variables[index].range);
  }
  switch (uniform(generator, 0, 8)) {
    case 0:
    case 1:
      return nested() + nested();
    case 2:
      return nested() - nested();
    case 3:
      return nested() * (uniform(generator, 0, 3) == 0 ? -uniform(generator, 1, 9) : divisor(generator));
    case 4:
      return uniform(generator, 0, 5) == 0 ? nested() * nested() : nested() * divisor(generator);
    case 5:
    case 6:
      return floor_div(nested(), divisor(generator));
    case 7:
      return nested() ^ nested();
    default:
      return floor_mod(nested(), divisor(generator));
  }
}

/// Digits of one variable with random strides: what layouts are made of.
IndexExpr random_digits(const std::vector<Variable>& variables, Generator& generator) {
  IndexExpr sum = IndexExpr::constant(0);
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const IndexExpr x = IndexExpr::variable(static_cast<int>(i), variables[i].name, variables[i].range);
    std::int64_t place = 1;
    for (std::int64_t digit = uniform(generator, 1, 3); digit > 0; --digit) {
      const std::int64_t extent = uniform(generator, 2, 8);
      sum = sum + floor_mod(floor_div(x, place), extent) * uniform(generator, 1, 64);
      place *= extent;
    }
    sum = sum + floor_div(x, place) * uniform(generator, 1, 512);
  }
  const std::int64_t tile = divisor(generator);
  return floor_div(sum, tile) * uniform(generator, 1, 9) + floor_mod(sum, tile);
}

/// CuTe's swizzle of a sum of digits, its field and shift at random.
IndexExpr random_swizzle(const IndexExpr& x, Generator& generator) {
  const std::int64_t bits = uniform(generator, 1, 3);
  const std::int64_t low = std::int64_t{1} << uniform(generator, 0, 5);
  const std::int64_t high = low << (bits + uniform(generator, 0, 2));
  const bool downwards = uniform(generator, 0, 2) != 0;
  return x ^ (floor_mod(floor_div(x, downwards ? high : low), std::int64_t{1} << bits) *
              (downwards ? low : high));
}

void expect_simplifies_well(const IndexExpr& e, const std::vector<Variable>& variables, std::uint64_t seed) {
  const auto result = simplify(e);
  ASSERT_TRUE(result.ok()) << to_string(e) << ": " << result.error().message << ", seed " << seed;
  EXPECT_EQ(testing::first_difference(e, *result, variables, seed), "")
      << to_string(e) << " became " << to_string(*result) << ", seed " << seed;
  EXPECT_LE(division_count(*result), division_count(e)) << to_string(e) << ", seed " << seed;
  EXPECT_EQ(simplify(*result).value(), *result) << to_string(e) << ", seed " << seed;
}

TEST(SimplifyFuzz, random_expressions_keep_their_values) {
  const std::uint64_t seed = testing::test_seed();
  Generator generator(seed);
  for (int round = 0; round < 400; ++round) {
    const auto variables = random_variables(generator);
    const int depth = static_cast<int>(uniform(generator, 2, 5));
    expect_simplifies_well(random_expression(variables, depth, generator), variables, seed);
  }
}

TEST(SimplifyFuzz, random_digit_sums_keep_their_values) {
  const std::uint64_t seed = testing::test_seed();
  Generator generator(seed);
  for (int round = 0; round < 100; ++round) {
    const auto variables = random_variables(generator);
    expect_simplifies_well(random_digits(variables, generator), variables, seed);
  }
}

TEST(SimplifyFuzz, random_swizzles_keep_their_values) {
  const std::uint64_t seed = testing::test_seed();
  Generator generator(seed);
  for (int round = 0; round < 10; ++round) {
    const auto variables = random_variables(generator);
    const IndexExpr once = random_swizzle(random_digits(variables, generator), generator);
    expect_simplifies_well(once, variables, seed);
    expect_simplifies_well(random_swizzle(once, generator), variables, seed);
  }
}

TEST(SimplifyFuzz, ranges_hold_every_value) {
  const std::uint64_t seed = testing::test_seed();
  Generator generator(seed);
  for (int round = 0; round < 300; ++round) {
    const auto variables = random_variables(generator);
    const IndexExpr e = random_expression(variables, 4, generator);
    const auto range = range_of(e);
    if (!range) continue;
    for (int sample = 0; sample < 100; ++sample) {
      std::vector<std::int64_t> values;
      for (const Variable& variable : variables)
        values.push_back(testing::value_in(variable.range, generator));
      const auto value = evaluate(e, values);
      if (!value) continue;
      EXPECT_TRUE(range->lower <= *value && *value <= range->upper) << to_string(e) << ", seed " << seed;
    }
  }
}

}  // namespace
}  // namespace relayout::expr
