#include "src/plan/loops/written_sets.hpp"

#include <cstdint>

#include <gtest/gtest.h>

#include "src/plan/cost_models/make_target.hpp"
#include "tests/plan/plans.hpp"

namespace relayout::plan {
namespace {

TEST(WrittenSets, have_one_line_each_where_a_nest_writes_on) {
  EXPECT_EQ(lines_written_per_set(nest_of_copies(64, {{100, 640, 64}})), 1);
  EXPECT_EQ(lines_written_per_set(nest_of_copies(64, {{100, 640, -64}})), 1) << "backwards";
  EXPECT_EQ(lines_written_per_set(nest_of_copies(16, {{400, 640, 16}})), 1) << "each line four times";
}

TEST(WrittenSets, have_as_many_as_rows_are_written_in_turn_that_share_them) {
  EXPECT_EQ(lines_written_per_set(nest_of_copies(64, {{100, 640, 64}, {16, 64, 4096}})), 16);
  EXPECT_EQ(lines_written_per_set(nest_of_copies(64, {{100, 640, 64}, {16, 64, -8192}})), 16);
  EXPECT_EQ(lines_written_per_set(nest_of_copies(256, {{100, 640, 256}, {16, 64, 4096}})), 16)
      << "in longer runs";
  EXPECT_EQ(lines_written_per_set(nest_of_copies(64, {{100, 640, 64}, {16, 64, 2048}})), 8)
      << "two sets for 16 rows";
  EXPECT_EQ(lines_written_per_set(nest_of_copies(64, {{100, 640, 64}, {16, 64, 4096 + 256}})), 1);
}

TEST(WrittenSets, are_those_of_64_lines) {
  EXPECT_EQ(lines_written_per_set(nest_of_copies(64, {{1000, 64, 4096}})), 64);
  EXPECT_EQ(lines_written_per_set(nest_of_copies(64, {{1000, 4096, 4096}, {64, 64, 64}})), 1);
  EXPECT_EQ(lines_written_per_set(nest_of_copies(64, {{5, 64, 4096}})), 5)
      << "or fewer, if there are no more";
}

TEST(WrittenSets, of_lines_that_begin_anywhere_have_both_that_a_run_touches) {
  Nest nest = nest_of_copies(64, {{100, 64, 4096}});
  nest.destination_base_bytes = 32;
  EXPECT_EQ(lines_written_per_set(nest), 32);
}

TEST(WrittenSets, of_permutations_are_those_of_all_runs_of_a_call) {
  const Nest nest = first_nest_for("zen", "f32[1024,1024]", "[1, 0]", Isa::kAvx512Vbmi);
  EXPECT_GE(lines_written_per_set(nest), 16) << "rows 4 KiB apart, a line of each";
}

TEST(WrittenSets, are_crowded_by_more_lines_than_they_hold) {
  const Target target = make_target(Isa::kAvx512Vbmi, plan_machine());
  ASSERT_EQ(target.level1_data_ways, 8);
  EXPECT_FALSE(crowds_written_sets(nest_of_copies(64, {{100, 640, 64}, {8, 64, 4096}}), target));
  EXPECT_TRUE(crowds_written_sets(nest_of_copies(64, {{100, 640, 64}, {9, 64, 4096}}), target));
}

TEST(WrittenSets, are_spread_where_few_lines_share_them_and_reads_are_near_or_long) {
  const auto suits = [](std::int64_t run_bytes, std::int64_t source_step, bool writes_on = true) {
    const Nest nest = nest_of_copies(run_bytes, {{100, source_step, writes_on ? run_bytes : 4096}});
    const TileRuns runs{.source_bytes = run_bytes, .destination_bytes = run_bytes, .tile_bytes = run_bytes};
    return writes_to_spread_sets(nest, runs, make_target(Isa::kAvx512Vbmi, plan_machine()));
  };
  EXPECT_TRUE(suits(64, 1536));
  EXPECT_TRUE(suits(64, -1536)) << "backwards";
  EXPECT_FALSE(suits(64, 1600));
  EXPECT_TRUE(suits(512, 1 << 20)) << "long runs";
  EXPECT_FALSE(suits(48, 64)) << "parts of lines";
  EXPECT_FALSE(suits(64, 64, false)) << "lines that share a set";
}

TEST(WrittenSets, are_spread_by_half_of_their_lines_and_by_a_quarter_in_narrow_vectors) {
  const auto suits = [](std::int64_t places, Isa isa) {
    const Nest nest = nest_of_copies(64, {{100, 64 * 1024, 64 * 16}, {16, 64, 64}, {places, 1024, 1 << 20}});
    const TileRuns runs{.source_bytes = 64, .destination_bytes = 64, .tile_bytes = 64};
    return writes_to_spread_sets(nest, runs, make_target(isa, plan_machine()));
  };
  EXPECT_TRUE(suits(4, Isa::kAvx512Vbmi));
  EXPECT_FALSE(suits(5, Isa::kAvx512Vbmi));
  EXPECT_TRUE(suits(2, Isa::kAvx2));
  EXPECT_FALSE(suits(3, Isa::kAvx2));
}

}  // namespace
}  // namespace relayout::plan
