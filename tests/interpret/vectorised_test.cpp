#include "src/interpret/vectorised.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "src/interpret/scalar.hpp"
#include "tests/support/buffers.hpp"
#include "tests/support/random_problem.hpp"

namespace relayout::interpret {
namespace {

using expr::IndexExpr;
using relayout::testing::describe;
using relayout::testing::domain_variable;
using relayout::testing::RandomProblems;
using relayout::testing::scrambled_bytes;

std::vector<std::byte> destination_buffer(const plan::Problem& problem) {
  return std::vector<std::byte>(
      static_cast<std::size_t>(problem.destination_elements * problem.element_bytes), std::byte{0xA5});
}

/// The scalar interpreter's destination, over 0xA5.
std::vector<std::byte> scalar_result(const plan::Problem& problem, const std::vector<std::byte>& source) {
  std::vector<std::byte> destination = destination_buffer(problem);
  const Status status = run_scalar(problem, source.data(), destination.data(), INT64_MAX);
  EXPECT_TRUE(status) << status.error().message;
  return destination;
}

/// Compares with the scalar interpreter at every instruction set, in `parts` ranges.
void expect_as_scalar(const plan::Problem& problem, std::int64_t parts = 1) {
  const auto source = scrambled_bytes(problem.source_elements * problem.element_bytes);
  const auto expected = scalar_result(problem, source);
  for (const Isa isa : runnable_isas()) {
    const auto program = VectorisedProgram::build(problem, isa);
    ASSERT_TRUE(program) << program.error().message;
    std::vector<std::byte> destination = destination_buffer(problem);
    for (std::int64_t part = 0; part < parts; ++part) {
      program->run(source.data(), destination.data(), program->element_count() * part / parts,
                   program->element_count() * (part + 1) / parts);
    }
    ASSERT_EQ(destination, expected) << to_string(isa) << " of " << describe(problem);
  }
}

TEST(Vectorised, example) {
  const IndexExpr row = domain_variable(0, 30);
  const IndexExpr column = domain_variable(1, 50);
  expect_as_scalar({{30, 50}, row * 50 + column, column * 30 + row, 4, 1500, 1500});
}

TEST(Vectorised, moves_elements_of_any_width) {
  const IndexExpr index = domain_variable(0, 1001);
  const IndexExpr odd_even = floor_mod(index, 2) * 501 + floor_div(index, 2);
  for (const std::int64_t bytes : {1, 2, 3, 4, 5, 8, 12, 16, 32}) {
    expect_as_scalar({{1001}, index, odd_even, bytes, 1001, 1002});
  }
}

TEST(Vectorised, agrees_with_the_scalar_interpreter_on_random_problems) {
  const std::uint64_t seed = relayout::testing::test_seed();
  SCOPED_TRACE(relayout::testing::replay_hint(seed));
  RandomProblems problems(seed);
  for (int count = 0; count < 1000; ++count) {
    expect_as_scalar(problems.next(), 1 + count % 7);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(Vectorised, agrees_with_the_scalar_interpreter_on_random_swizzles) {
  const std::uint64_t seed = relayout::testing::test_seed();
  SCOPED_TRACE(relayout::testing::replay_hint(seed));
  relayout::testing::RandomProblemOptions options;
  options.swizzles = true;
  RandomProblems problems(seed, options);
  for (int count = 0; count < 100; ++count) {
    expect_as_scalar(problems.next(), 1 + count % 7);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(Vectorised, xors_negative_operands) {
  const IndexExpr index = domain_variable(0, 700);
  const IndexExpr shifted = index - IndexExpr::constant(350);
  // Any map into the source will do, as long as it stays above zero.
  const IndexExpr mixed = (shifted ^ IndexExpr::constant(-5)) + (shifted ^ floor_div(shifted, 16));
  expect_as_scalar({{700}, mixed + IndexExpr::constant(1100), index, 1, 2200, 700});
}

TEST(Vectorised, floors_negative_numerators) {
  const IndexExpr index = domain_variable(0, 700);
  const IndexExpr shifted = index - IndexExpr::constant(350);
  for (const std::int64_t divisor : {2, 3, 7, 8, 349, 350, 351}) {
    // Any map into the source will do: the quotients and remainders of the shifted index, moved back above
    // zero.
    const IndexExpr quotient = floor_div(shifted, divisor) + IndexExpr::constant(350);
    expect_as_scalar({{700}, quotient, index, 1, 1000, 700});
    expect_as_scalar({{700}, floor_mod(shifted, divisor), index, 1, 1000, 700});
  }
}

TEST(Vectorised, short_innermost_extents_share_a_batch) {
  const IndexExpr row = domain_variable(0, 5000);
  const IndexExpr column = domain_variable(1, 3);
  const plan::Problem problem = {{5000, 3}, row * 3 + column, column * 5000 + row, 1, 15000, 15000};
  expect_as_scalar(problem, 5);
  const auto program = VectorisedProgram::build(problem, Isa::kPortable);
  ASSERT_TRUE(program);
  EXPECT_EQ(program->program().block_elements, 15000);
}

TEST(Vectorised, computes_shared_subexpressions_once) {
  const IndexExpr index = domain_variable(0, 3000);
  const IndexExpr tile = floor_div(index, 7);
  const auto program = VectorisedProgram::build(
      {{3000}, tile * 8 + floor_mod(index, 7), tile * 16 + floor_mod(index, 7), 4, 4000, 8000},
      Isa::kPortable);
  ASSERT_TRUE(program);
  const auto& steps = program->program().lane_steps;
  EXPECT_EQ(std::count_if(steps.begin(), steps.end(),
                          [](const LaneStep& step) { return step.operation == LaneOperation::kDivide; }),
            1);
}

TEST(Vectorised, work_that_the_innermost_variable_does_not_change_is_done_once_per_block) {
  const IndexExpr row = domain_variable(0, 100);
  const IndexExpr column = domain_variable(1, 300);
  const IndexExpr outer = floor_div(row, 7) * 2100 + floor_mod(row, 7);
  const auto program = VectorisedProgram::build(
      {{100, 300}, row * 300 + column, outer + column * 7, 4, 30000, 31500}, Isa::kPortable);
  ASSERT_TRUE(program);
  EXPECT_LE(program->program().lane_steps.size(), 4u);
}

TEST(Vectorised, offsets_past_31_bits_take_64_bit_lanes) {
  const IndexExpr index = domain_variable(0, 1000);
  // (i * 2^33) / 3 mod 1000 needs 43 bits on its way to a small source offset.
  const IndexExpr source = floor_mod(floor_div(index * (std::int64_t{1} << 33), 3), 1000);
  const plan::Problem problem = {{1000}, source, index, 2, 1000, 1000};
  expect_as_scalar(problem, 3);
  const auto program = VectorisedProgram::build(problem, Isa::kPortable);
  ASSERT_TRUE(program);
  EXPECT_TRUE(program->program().wide);
}

TEST(Vectorised, products_of_two_variables_are_products_in_both_lane_widths) {
  const IndexExpr row = domain_variable(0, 40);
  const IndexExpr column = domain_variable(1, 30);
  const IndexExpr narrow = floor_mod(row * column, 1200);
  expect_as_scalar({{40, 30}, narrow, row * 30 + column, 1, 1200, 1200});
  const IndexExpr wide = floor_mod(row * (std::int64_t{1} << 36) * column, 1201);
  expect_as_scalar({{40, 30}, wide, row * 30 + column, 1, 1201, 1200});
}

TEST(Vectorised, values_past_62_bits_are_an_overflow) {
  const IndexExpr index = domain_variable(0, 1000);
  const IndexExpr huge = floor_mod(index * (std::int64_t{1} << 60), 7);
  const auto program = VectorisedProgram::build({{1000}, huge, index, 1, 7, 1000}, Isa::kPortable);
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().code, ErrorCode::kOverflow);
}

TEST(Vectorised, an_empty_domain_moves_nothing) {
  const IndexExpr index = domain_variable(0, 1);
  const auto program = VectorisedProgram::build({{0, 5}, index, index, 1, 0, 0}, Isa::kPortable);
  ASSERT_TRUE(program);
  EXPECT_EQ(program->element_count(), 0);
  program->run(nullptr, nullptr, 0, 0);
}

TEST(Vectorised, many_live_values_fall_back_to_short_chunks) {
  const IndexExpr index = domain_variable(0, 500);
  // 200 quotients that are all alive at once: summed forwards, then weighted backwards.
  std::vector<IndexExpr> quotients;
  for (std::int64_t divisor = 3; divisor < 203; ++divisor) quotients.push_back(floor_div(index, divisor));
  IndexExpr sum = index;
  for (const IndexExpr& quotient : quotients) sum = sum + quotient;
  for (auto quotient = quotients.rbegin(); quotient != quotients.rend(); ++quotient) {
    sum = floor_mod(sum * 3 + *quotient, 10007);
  }
  expect_as_scalar({{500}, sum, index, 4, 10007, 500});
}

TEST(Vectorised, expressions_nested_past_the_limit_are_refused_rather_than_recursed_into) {
  const IndexExpr index = domain_variable(0, 10);
  IndexExpr deep = index;
  for (int level = 0; level < 3000; ++level) deep = deep + IndexExpr::constant(0);
  const auto program = VectorisedProgram::build({{10}, deep, index, 1, 10, 10}, Isa::kPortable);
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().code, ErrorCode::kUnsupported);
}

TEST(Vectorised, more_scalars_than_the_stack_holds_are_computed_per_element) {
  const IndexExpr row = domain_variable(0, 210);
  const IndexExpr column = domain_variable(1, 256);
  IndexExpr sum = row;
  for (std::int64_t divisor = 2; divisor < 202; ++divisor)
    sum = floor_mod(sum * 3 + floor_div(row, divisor), 1009);
  expect_as_scalar({{210, 256}, sum, row * 256 + column, 1, 1009, 210 * 256});
}

}  // namespace
}  // namespace relayout::interpret
