#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "src/expr/index_expr.hpp"

namespace relayout::expr::testing {

/// Parses what the test knows to be well formed.
inline IndexExpr expression(std::string_view text, std::span<const Variable> variables) {
  const auto parsed = parse(text, variables);
  EXPECT_TRUE(parsed.ok()) << text << ": " << (parsed ? "" : parsed.error().message);
  return parsed ? *parsed : IndexExpr();
}

/// The text of simplify(text), or the error's message.
inline std::string simplified(std::string_view text, std::span<const Variable> variables) {
  const auto result = simplify(expression(text, variables));
  return result ? to_string(*result) : "error: " + result.error().message;
}

/// A seed that changes from run to run unless RELAYOUT_TEST_SEED is set; tests print it when they fail.
inline std::uint64_t test_seed() {
  if (const char* const text = std::getenv("RELAYOUT_TEST_SEED")) return std::strtoull(text, nullptr, 10);
  return std::random_device()();
}

using Generator = std::mt19937_64;

inline std::int64_t uniform(Generator& generator, std::int64_t lower, std::int64_t upper) {
  return std::uniform_int_distribution<std::int64_t>(lower, upper)(generator);
}

/// A value of the range, corners and near corners more often than others.
inline std::int64_t value_in(Range range, Generator& generator) {
  static constexpr std::int64_t kReaches[] = {8, 50, 500, 100'000, 1'000'000'000};
  const std::int64_t reach = kReaches[uniform(generator, 0, 4)];
  if (range.lower == Range::kNoLower && range.upper == Range::kNoUpper)
    return uniform(generator, -reach, reach);
  if (range.lower == Range::kNoLower) return uniform(generator, range.upper - reach, range.upper);
  if (range.upper == Range::kNoUpper) return uniform(generator, range.lower, range.lower + reach);
  if (uniform(generator, 0, 6) == 0) return uniform(generator, 0, 1) == 0 ? range.lower : range.upper;
  return uniform(generator, range.lower, range.upper);
}

/// Points of the box of the variables, or 0 if that is unbounded or more than `limit`.
inline std::int64_t point_count(std::span<const Variable> variables, std::int64_t limit) {
  std::int64_t count = 1;
  for (const Variable& variable : variables) {
    if (!variable.range.bounded() || variable.range.upper - variable.range.lower >= limit) return 0;
    count *= variable.range.upper - variable.range.lower + 1;
    if (count > limit) return 0;
  }
  return count;
}

/// Calls `visit` with every point of the box.
template <class Visit>
void for_each_point(std::span<const Variable> variables, const Visit& visit) {
  std::vector<std::int64_t> values;
  for (const Variable& variable : variables) values.push_back(variable.range.lower);
  while (true) {
    visit(std::as_const(values));
    std::size_t i = 0;
    while (i < values.size() && values[i] == variables[i].range.upper) {
      values[i] = variables[i].range.lower;
      ++i;
    }
    if (i == values.size()) return;
    ++values[i];
  }
}

/// The first point where the two differ, as text; empty if there is none among the points tried: all of the
/// box if it has at most 200,000, otherwise 20,000 samples.
inline std::string first_difference(const IndexExpr& a, const IndexExpr& b,
                                    std::span<const Variable> variables, std::uint64_t seed = 1) {
  std::string difference;
  bool bounded = true;
  for (const Variable& variable : variables) bounded = bounded && variable.range.bounded();
  const auto visit = [&](const std::vector<std::int64_t>& values) {
    if (!difference.empty()) return;
    const auto left = evaluate(a, values);
    const auto right = evaluate(b, values);
    if (left && right && *left == *right) return;
    // Far outside, where nothing bounds the variables, the input or a product multiplied out may exceed 64
    // bits.
    if (!left || (!right && !bounded)) return;
    for (std::size_t i = 0; i < values.size(); ++i) {
      difference += variables[i].name + "=" + std::to_string(values[i]) + " ";
    }
  };
  if (point_count(variables, 200'000) > 0) {
    for_each_point(variables, visit);
    return difference;
  }
  Generator generator(seed);
  std::vector<std::int64_t> values(variables.size());
  for (int sample = 0; sample < 20'000; ++sample) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = value_in(variables[i].range, generator);
    visit(values);
  }
  return difference;
}

}  // namespace relayout::expr::testing
