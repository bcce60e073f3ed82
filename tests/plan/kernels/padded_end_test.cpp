#include "src/plan/kernels/padded_end.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "tests/plan/plans.hpp"

namespace relayout::plan {
namespace {

/// What a Granite Rapids gets, or another, that fills padding with zeros.
Plan filled_plan(const Problem& problem, Isa isa = Isa::kAvx512Vbmi,
                 const std::string& cost_model = "golden_cove", std::uint8_t byte = 0) {
  PlanOptions options;
  options.fill.assign(static_cast<std::size_t>(problem.element_bytes), byte);
  return plan_for(cost_model, problem, isa, options);
}

std::ptrdiff_t fills_of(const Plan& plan) {
  return std::ranges::count_if(
      plan.nests, [](const Nest& nest) { return std::holds_alternative<FillKernel>(nest.kernel); });
}

constexpr Isa kLevels[] = {Isa::kAvx2, Isa::kAvx512, Isa::kAvx512Vbmi};

TEST(PaddedEnd, of_long_rows_is_moved_with_the_padding_behind_it) {
  const Problem problem = problem_of("bf16[2,16,147,130][0, 2, 3, 1]", "{3,2,1,0:T(8)}");
  for (const Isa isa : kLevels) {
    const Plan plan = filled_plan(problem, isa);
    ASSERT_EQ(plan.nests.size(), 2U) << to_string(plan);
    EXPECT_FALSE(writes_padding(plan.nests[0])) << "128 elements a row";
    EXPECT_TRUE(writes_padding(plan.nests[1])) << "two, and six places";
    expect_right(problem, plan);
  }
}

TEST(PaddedEnd, may_have_any_number_of_places) {
  const Problem problem = problem_of("bf16[145,148][1, 0]", "{1,0:T(8)}");
  const Plan plan = filled_plan(problem);
  ASSERT_EQ(plan.nests.size(), 2U) << to_string(plan);
  const auto& end = std::get<PermuteKernel>(plan.nests[1].kernel).network;
  EXPECT_TRUE(end.fills_padding);
  EXPECT_EQ(std::ranges::max(end.destination.pieces, {}, &SidePiece::bytes).bytes,
            std::min(2 * 24, end.vector_bytes))
      << "148 are four lines and 20, which end at 152";
  expect_right(problem, plan);
}

/// Whether the plan is cut there.
bool is_cut(const std::string& source, const std::string& destination, std::uint8_t byte = 0) {
  const Plan plan = filled_plan(problem_of(source, destination), Isa::kAvx512Vbmi, "golden_cove", byte);
  return notes_of(plan).find("which the padding behind them shares") != std::string::npos;
}

TEST(PaddedEnd, stays_with_its_row_where_that_gains_nothing) {
  EXPECT_TRUE(is_cut("bf16[2,16,147,130][0, 2, 3, 1]", "{3,2,1,0:T(8)}"));
  EXPECT_FALSE(is_cut("bf16[2,16,147,130][0, 2, 3, 1]", "{3,2,1,0:T(8)}", 1)) << "padding is no zeros";
  EXPECT_FALSE(is_cut("bf16[2,16,147,130][0, 2, 3, 1]", "{3,2,1,0}")) << "no padding";
  EXPECT_FALSE(is_cut("bf16[2,16,147,130][0, 1, 2, 3]", "{3,2,1,0:T(8)}")) << "copies";
  EXPECT_FALSE(is_cut("bf16[2,16,147,50][0, 2, 3, 1]", "{3,2,1,0:T(8)}")) << "one tile holds such rows";
  EXPECT_FALSE(is_cut("bf16[64,16,4007,130][0, 2, 3, 1]", "{3,2,1,0:T(8)}")) << "past the last cache";
  EXPECT_FALSE(is_cut("bf16[1024,99]{0,1}", "{1,0:T(8,128)}")) << "and padding fill a line";
  EXPECT_FALSE(is_cut("c128[2,16,147,33][0, 2, 3, 1]", "{3,2,1,0:T(2)}")) << "four elements a line";
}

TEST(PaddedEnd, stays_with_its_row_on_processors_where_that_is_not_measured) {
  const Problem problem = problem_of("bf16[2,16,147,130][0, 2, 3, 1]", "{3,2,1,0:T(8)}");
  for (const char* const model : {"zen3", "zen4", "zen5", "intel"})
    EXPECT_EQ(fills_of(filled_plan(problem, Isa::kAvx2, model)), 1) << model;
}

TEST(RowsWithPadding, are_moved_whole_by_rounded_tiles) {
  struct Row {
    const char* source;
    const char* destination;
    int bytes;
  };
  const Row rows[] = {{"u8[20,17,394]{2,1,0}", "{0,2,1:T(8)}", 24},
                      {"bf16[4096,18][1, 0]", "{1,0:T(8)}", 48},
                      {"bf16[2048,50][1, 0]", "{1,0:T(8)}", 64}};  // of 112, more than a line
  for (const auto& [source, destination, bytes] : rows) {
    const Problem problem = problem_of(source, destination);
    for (const Isa isa : kLevels) {
      const Plan plan = filled_plan(problem, isa);
      ASSERT_EQ(plan.nests.size(), 1U) << to_string(plan);
      ASSERT_TRUE(writes_padding(plan.nests[0])) << source;
      const auto& network = std::get<PermuteKernel>(plan.nests[0].kernel).network;
      EXPECT_EQ(std::ranges::max(network.destination.pieces, {}, &SidePiece::bytes).bytes,
                std::min(bytes, network.vector_bytes));
      expect_right(problem, plan);
    }
    EXPECT_GT(fills_of(filled_plan(problem, Isa::kAvx512Vbmi, "golden_cove", 1)), 0) << "padding is no zeros";
    EXPECT_GT(fills_of(filled_plan(problem, Isa::kAvx512Vbmi, "zen5")), 0) << "not measured there";
  }
}

TEST(RowsWithPadding, are_moved_otherwise_past_the_last_cache_and_by_copies) {
  const auto is_rounded = [](const char* source, const char* destination) {
    return writes_padding(filled_plan(problem_of(source, destination)).nests[0]);
  };
  EXPECT_TRUE(is_rounded("bf16[40,4,18,100][1, 0, 2, 3]", "{2,3,1,0:T(8)}"));
  EXPECT_FALSE(is_rounded("bf16[4096,4,18,100][1, 0, 2, 3]", "{2,3,1,0:T(8)}"));
  EXPECT_FALSE(is_rounded("f32[2000,21]{1,0}", "{1,0:T(8)}"));
}

}  // namespace
}  // namespace relayout::plan
