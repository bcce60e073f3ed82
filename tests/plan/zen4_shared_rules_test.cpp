#include <algorithm>
#include <cstdint>
#include <string>
#include <variant>

#include <gtest/gtest.h>

#include "src/plan/cost_models/make_target.hpp"
#include "src/plan/model/target.hpp"
#include "tests/plan/plans.hpp"

// Rules that were made for other processors and that a Zen 4 has, too: each is what makes the plan differ.

namespace relayout::plan {
namespace {

constexpr Isa kLevels[] = {Isa::kAvx2, Isa::kAvx512, Isa::kAvx512Vbmi};

Target rules(Isa isa = Isa::kAvx512Vbmi) {
  return make_target(isa, plan_machine("zen4"));
}

/// That fills padding with zeros, proved.
Plan filled_plan(const Target& target, const std::string& source, const std::string& destination) {
  const Problem problem = problem_of(source, destination);
  PlanOptions options;
  options.fill.resize(static_cast<std::size_t>(problem.element_bytes));
  const Plan plan = *make_plan(problem, *refine(problem), target, options);
  expect_right(problem, plan);
  return plan;
}

std::ptrdiff_t fills_of(const Plan& plan) {
  return std::ranges::count_if(
      plan.nests, [](const Nest& nest) { return std::holds_alternative<FillKernel>(nest.kernel); });
}

TEST(Zen4SharedRules, rows_of_any_number_of_places_are_moved_with_their_padding) {
  for (const Isa isa : kLevels) {
    Target without = rules(isa);
    without.rounds_rows_with_padding = false;
    const Plan plan = filled_plan(rules(isa), "f32[23,1000]{1,0}", "{0,1:T(8)}");
    EXPECT_TRUE(writes_padding(plan.nests.front())) << to_string(isa);
    EXPECT_EQ(fills_of(plan), 0);
    EXPECT_EQ(fills_of(filled_plan(without, "f32[23,1000]{1,0}", "{0,1:T(8)}")), 1);
  }
}

TEST(Zen4SharedRules, the_last_lines_of_long_rows_are_written_with_the_padding_behind_them) {
  Target without = rules();
  without.cuts_before_padding = false;
  const auto fills = [](const Target& target) {
    return fills_of(filled_plan(target, "bf16[7,298,161]{2,1,0}", "{1,0,2:T(8)}"));
  };
  EXPECT_EQ(fills(rules()), 0);
  EXPECT_EQ(fills(without), 1);
}

TEST(Zen4SharedRules, rounded_tiles_have_runs_of_up_to_five_lines) {
  Target without = rules();
  without.longest_rounded_run_bytes = 256;
  const auto written = [](const Target& target) {
    const Nest nest = first_nest_by(target, "bf16[8,33,4,53]{3,2,1,0}", "[2, 0, 3, 1, 0 p(4)]");
    return runs_of_call(nest).destination_bytes;
  };
  EXPECT_EQ(written(rules()), 8 * 264) << "eight that follow one another";
  EXPECT_EQ(written(without), 64);
}

TEST(Zen4SharedRules, lanes_are_inserted_at_less_than_a_shuffles_price_with_vectors_of_64_bytes) {
  EXPECT_EQ(rules(Isa::kAvx2).lane_insert_factor, 1);
  for (const Isa isa : {Isa::kAvx512, Isa::kAvx512Vbmi}) {
    Target without = rules(isa);
    without.lane_insert_factor = 1;
    const auto written = [](const Target& target) {
      return runs_of_call(first_nest_by(target, "f32[7,4,114,4][0, 2, 3, 1]", "[3, 1, 2, 0]"))
          .destination_bytes;
    };
    EXPECT_EQ(written(rules(isa)), 56) << "two places of seven";
    EXPECT_EQ(written(without), 16) << "four of the seven, twice";
  }
}

TEST(Zen4SharedRules, rows_that_crowd_sets_of_the_second_cache_leave_the_last_one_from_8_mib_on) {
  Target without = rules();
  without.streamed_crowded_rows_from_bytes = 0;
  const auto store = [](const Target& target, const char* matrix) {
    return first_nest_by(target, matrix, "[0, 1]").store;
  };
  EXPECT_EQ(store(rules(), "f32[447,4096][1, 0]"), StorePolicy::kStreaming);
  EXPECT_EQ(store(without, "f32[447,4096][1, 0]"), StorePolicy::kTemporal);
  EXPECT_EQ(store(rules(), "f32[240,4096][1, 0]"), StorePolicy::kTemporal) << "7.5 MiB";
}

TEST(Zen4SharedRules, staged_blocks_fetch_along_loops_of_eight_and_more_of_them) {
  Target without = rules();
  without.fewest_blocks_to_fetch_along = 5;
  const auto ahead = [](const Target& target) {
    const Nest nest = first_nest_by(target, "f32[377,110,143][2, 0, 1]", "[2, 1, 0]");
    EXPECT_TRUE(nest.staging);
    return nest.prefetch_source_bytes;
  };
  EXPECT_EQ(ahead(rules()), 377 * 110 * 4) << "the outermost loop's next trip";
  EXPECT_EQ(ahead(without), 128) << "along seven blocks of two lines";
}

TEST(Zen4SharedRules, tiles_of_2_byte_elements_read_halves_of_narrow_vectors_in_the_last_cache) {
  const auto read_bytes = [](const Target& target) {
    return runs_of_call(first_nest_by(target, "bf16[3000,1100][0, 1]", "[1, 0]")).source_bytes;
  };
  Target without = rules(Isa::kAvx2);
  without.reads_halves_of_vectors = false;
  EXPECT_EQ(read_bytes(rules(Isa::kAvx2)), 16);
  EXPECT_EQ(read_bytes(without), 64);
}

}  // namespace
}  // namespace relayout::plan
