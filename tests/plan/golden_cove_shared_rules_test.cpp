#include <cstdint>
#include <string>
#include <variant>

#include <gtest/gtest.h>

#include "src/plan/cost_models/make_target.hpp"
#include "src/plan/model/target.hpp"
#include "tests/plan/plans.hpp"

// Rules that were made for other processors and that a Granite Rapids has, too: each is what makes the plan
// differ.

namespace relayout::plan {
namespace {

Target rules(Isa isa = Isa::kAvx512Vbmi) {
  return make_target(isa, plan_machine("golden_cove"));
}

constexpr Isa kLevels[] = {Isa::kAvx2, Isa::kAvx512, Isa::kAvx512Vbmi};

TEST(GoldenCoveSharedRules, the_last_rows_of_tiles_are_read_with_the_places_behind_them) {
  const Problem problem = problem_of("u8[5,128,300]{1,0,2:T(4,1)}", "[1, 0, 2]");
  for (const Isa isa : kLevels) {
    const Plan plan = plan_for("golden_cove", problem, isa);
    EXPECT_TRUE(reads_gaps(plan)) << to_string(isa);
    expect_right(problem, plan);
  }
  Target without = rules();
  without.reads_gaps = false;
  EXPECT_FALSE(reads_gaps(*make_plan(problem, *refine(problem), without, PlanOptions())));
}

TEST(GoldenCoveSharedRules, tiles_of_2_byte_elements_read_halves_of_narrow_vectors_in_the_last_cache) {
  const auto read_bytes = [](const Target& target) {
    return runs_of_call(first_nest_by(target, "bf16[3000,1100][0, 1]", "[1, 0]")).source_bytes;
  };
  Target without = rules(Isa::kAvx2);
  without.reads_halves_of_vectors = false;
  EXPECT_EQ(read_bytes(rules(Isa::kAvx2)), 16);
  EXPECT_EQ(read_bytes(without), 64);
  EXPECT_EQ(read_bytes(rules()), 64) << "wide vectors";
}

TEST(GoldenCoveSharedRules, groups_of_bytes_and_of_2_bytes_are_elements_past_the_last_cache) {
  const auto element_bytes = [](const Target& target, const std::string& source) {
    return std::get<PermuteKernel>(first_nest_by(target, source, "{2,1,0}").kernel).network.element_bytes;
  };
  for (const Isa isa : kLevels) {
    EXPECT_EQ(element_bytes(rules(isa), "u8[3000,2500,4]{2,0,1}"), 4);
    EXPECT_EQ(element_bytes(rules(isa), "bf16[3000,2500,2]{2,0,1}"), 4);
    EXPECT_EQ(element_bytes(rules(isa), "f32[3000,1500,2]{2,0,1}"), 4) << "wide enough";
    EXPECT_EQ(element_bytes(rules(isa), "u8[1000,1500,4]{2,0,1}"), 1) << "in the last cache";
  }
  Target without = rules();
  without.widest_far_widened_bytes = 0;
  EXPECT_EQ(element_bytes(without, "u8[3000,2500,4]{2,0,1}"), 1);
}

TEST(GoldenCoveSharedRules, past_the_last_cache_the_source_is_fetched_along_loops_of_twelve_trips_and_more) {
  const auto ahead = [](const Target& target, const char* source) {
    return first_nest_by(target, source, "{0,1:T(16,1)}").prefetch_source_bytes;
  };
  Target with_three = rules();
  with_three.fewest_far_trips_to_fetch_along = 3;
  EXPECT_EQ(ahead(rules(), "f32[29,449318]{1,0:T(8,128)(2,1)}"), 4096) << "the next tile";
  EXPECT_EQ(ahead(with_three, "f32[29,449318]{1,0:T(8,128)(2,1)}"), 128) << "along a tile's four blocks";
  for (const Isa isa : kLevels) EXPECT_EQ(rules(isa).fewest_trips_to_fetch_along, 3) << "in the caches";
}

TEST(GoldenCoveSharedRules, past_the_last_cache_calls_that_read_one_run_fetch_the_next_one) {
  const auto ahead = [](const Target& target, const char* source, const char* destination) {
    return first_nest_by(target, source, destination).prefetch_source_bytes;
  };
  for (const Isa isa : kLevels) {
    Target without = rules(isa);
    without.fetched_single_runs = FetchedSingleRuns::kNone;
    EXPECT_GT(ahead(rules(isa), "f32[2000000,16]{1,0}", "[1, 0]"), 0) << to_string(isa);
    EXPECT_EQ(ahead(without, "f32[2000000,16]{1,0}", "[1, 0]"), 0);
    Target both = rules(isa);
    both.fetched_single_runs = FetchedSingleRuns::kReadOrWritten;
    const char* const one_written = "u8[355,64,100,16]{3,2,1,0}";
    EXPECT_EQ(ahead(rules(isa), one_written, "[0, 2, 3, 1]"), ahead(without, one_written, "[0, 2, 3, 1]"));
    EXPECT_NE(ahead(rules(isa), one_written, "[0, 2, 3, 1]"), ahead(both, one_written, "[0, 2, 3, 1]"));
  }
}

TEST(GoldenCoveSharedRules, blocks_of_blocks_do_not_cut_the_loop_along_a_row_whose_staged_runs_overlap) {
  for (const Isa isa : kLevels) {
    const Nest nest = first_nest_by(rules(isa), "bf16[100003,256]", "[1, 0]");
    ASSERT_TRUE(nest.staging) << to_string(isa);
    EXPECT_EQ(nest.staging->overlap_bytes, 64);
  }
  Target without = rules();
  without.orders_blocks_to_overlap = false;
  EXPECT_EQ(first_nest_by(without, "bf16[100003,256]", "[1, 0]").staging.value().overlap_bytes, 0);
}

TEST(GoldenCoveSharedRules, staged_blocks_are_put_together_by_rounded_tiles_that_are_faster) {
  const char* const bytes = "u8[160,25,6,6,256][1, 0, 2, 4, 3]";
  for (const Isa isa : kLevels) {
    Target without = rules(isa);
    without.rounds_tiles_of_blocks = false;
    EXPECT_EQ(first_nest_by(rules(isa), bytes, "[1, 3, 2, 4, 0]").chosen_for, ChosenFor::kRoundedBlock);
    EXPECT_NE(first_nest_by(without, bytes, "[1, 3, 2, 4, 0]").chosen_for, ChosenFor::kRoundedBlock);
  }
}

TEST(GoldenCoveSharedRules, rows_are_staged_with_all_of_their_padding_instead_of_moved_with_a_part_of_it) {
  PlanOptions filled;
  filled.fill = {0, 0, 0, 0, 0, 0, 0, 0};
  const Problem problem = problem_of("f64[38,131072]{1,0:T(8)}", "{1,0:T(16,1)}");
  const auto nests = [&](const Target& target) {
    return make_plan(problem, *refine(problem), target, filled)->nests;
  };
  EXPECT_TRUE(nests(rules()).at(1).staging);
  Target without = rules();
  without.least_places_left_to_stage = 0;
  EXPECT_FALSE(nests(without).at(1).staging);
}

TEST(GoldenCoveSharedRules,
     rows_are_read_in_equal_parts_where_blocks_of_a_line_would_overlap_by_three_tenths) {
  const auto run_bytes = [](const Target& target, const char* source) {
    return first_nest_by(target, source, "[1, 0]").staging.value().run_bytes;
  };
  Target from_a_tenth = rules();
  from_a_tenth.least_overlap_for_equal_parts = 0.1;
  EXPECT_NE(run_bytes(rules(), "bf16[400001,75]"), run_bytes(from_a_tenth, "bf16[400001,75]")) << "28%";
  EXPECT_EQ(run_bytes(rules(), "bf16[400001,70]"), run_bytes(from_a_tenth, "bf16[400001,70]")) << "37%";
}

TEST(GoldenCoveSharedRules, loops_keep_their_order_in_the_second_cache_unless_written_runs_grow) {
  const auto outermost = [](const Target& target) {
    return first_nest_by(target, "bf16[64,4,8,69]{0,2,3,1}", "[1, 0, 3, 2, 0 p(16)]").loops.front().trips;
  };
  Target without = rules();
  without.lengthens_written_runs = false;
  EXPECT_EQ(outermost(rules()), 4);
  EXPECT_EQ(outermost(without), 69);
}

TEST(GoldenCoveSharedRules, places_that_share_sets_are_written_one_after_the_other_in_the_last_cache) {
  const auto innermost_write = [](const Target& target, const char* source) {
    return first_nest_by(target, source, "[1, 0]").loops.back().destination_step_bytes;
  };
  Target without = rules();
  without.spreads_written_lines = false;
  EXPECT_EQ(innermost_write(rules(), "f64[8192,19][0, 1, 0 p(4)]"), 64) << "19 rows 64 KiB apart";
  EXPECT_EQ(innermost_write(without, "f64[8192,19][0, 1, 0 p(4)]"), 131072);
  EXPECT_EQ(innermost_write(rules(), "f64[1024,19][0, 1, 0 p(4)]"),
            innermost_write(without, "f64[1024,19][0, 1, 0 p(4)]"))
      << "in the second cache";
}

TEST(GoldenCoveSharedRules, loops_of_one_unequal_block_are_one) {
  const auto loops = [](const Target& target) {
    return first_nest_by(target, "f32[1024,8,85]{1,0,2}", "{2,1,0}").loops.size();
  };
  Target without = rules();
  without.fewest_unequal_blocks = 1;
  EXPECT_GT(loops(without), loops(rules())) << "6 tiles in blocks of 4";
}

}  // namespace
}  // namespace relayout::plan
