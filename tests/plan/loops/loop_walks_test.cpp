#include "src/plan/loops/loop_walks.hpp"

#include <gtest/gtest.h>

#include "tests/plan/plans.hpp"

namespace relayout::plan {
namespace {

/// 8 rows of 64 bytes.
constexpr TileRuns kTile{64, 64, 512};

Loop loop_of(std::int64_t trips, std::int64_t source_step_bytes, std::int64_t destination_step_bytes = 0) {
  Loop loop;
  loop.trips = trips;
  loop.source_step_bytes = source_step_bytes;
  loop.destination_step_bytes = destination_step_bytes;
  return loop;
}

TEST(SourceSweep, is_what_the_loops_read_inside_the_one_that_goes_on_where_a_run_ended) {
  EXPECT_EQ(source_sweep_bytes({loop_of(9, 100000), loop_of(14, 64), loop_of(35, 6912)}, kTile), 35 * 512);
  EXPECT_EQ(source_sweep_bytes({loop_of(14, 64), loop_of(3, 100000), loop_of(35, 6912)}, kTile), 105 * 512);
}

TEST(SourceSweep, is_one_tile_where_the_innermost_loop_goes_on) {
  EXPECT_EQ(source_sweep_bytes({loop_of(35, 6912), loop_of(14, 64)}, kTile), 512);
  EXPECT_EQ(source_sweep_bytes({loop_of(35, 6912), loop_of(14, -64)}, kTile), 512) << "backwards";
}

TEST(SourceSweep, counts_whole_lines_of_short_runs) {
  constexpr TileRuns sixteen_bytes{16, 64, 512};
  EXPECT_EQ(source_sweep_bytes({loop_of(14, 16), loop_of(35, 6912)}, sixteen_bytes), 35 * 32 * 64);
}

TEST(SourceSweep, is_everything_where_no_run_goes_on) {
  EXPECT_EQ(source_sweep_bytes({loop_of(2, 100000), loop_of(35, 6912)}, kTile), 70 * 512);
  EXPECT_EQ(source_sweep_bytes({}, kTile), 512);
}

TEST(SourceSweep, decides_for_the_order_of_the_destination_in_an_intels_second_cache) {
  const Nest short_sweep = first_nest_for("intel", "f32[80,160][1, 0]", "[0, 1]");
  ASSERT_EQ(short_sweep.loops.size(), 2u);
  EXPECT_EQ(short_sweep.loops.back().trips, 10) << "whole rows";
  EXPECT_EQ(short_sweep.loops.back().destination_step_bytes, 64);
  const Nest long_sweep = first_nest_for("intel", "f32[80,1024][1, 0]", "[0, 1]");
  EXPECT_LT(long_sweep.loops.back().trips, 64) << "blocks";
  const Nest zen = first_nest_for("zen5", "f32[80,160][1, 0]", "[0, 1]");
  EXPECT_LT(zen.loops.back().trips, 10);
}

TEST(BothSidesGoForwards, where_the_innermost_loop_takes_short_rows_one_after_the_other) {
  constexpr TileRuns tile{64, 64, 1024};  // 16 runs on either side
  const Loop outer = loop_of(4, 200704, 64);
  EXPECT_TRUE(both_sides_go_forwards({outer, loop_of(196, 64, 16 * 256)}, tile));
  EXPECT_FALSE(both_sides_go_forwards({outer, loop_of(196, 64, 16 * 512)}, tile)) << "long rows";
  EXPECT_FALSE(both_sides_go_forwards({outer, loop_of(196, 64, 16 * 128)}, tile)) << "two runs";
  EXPECT_FALSE(both_sides_go_forwards({outer, loop_of(196, 12544, 16 * 256)}, tile)) << "the source jumps";
  EXPECT_FALSE(both_sides_go_forwards({outer, loop_of(8, 64, 16 * 256)}, tile)) << "short";
  EXPECT_FALSE(both_sides_go_forwards({outer, loop_of(196, 64, 8 * 256)}, {64, 64, 512})) << "8 runs";
  EXPECT_FALSE(both_sides_go_forwards({}, tile));
}

TEST(BothSidesGoForwards, decides_for_the_order_of_the_source_in_an_intels_shared_last_cache) {
  const auto inner_source_step = [](const char* model, const char* shape) {
    return first_nest_for(model, shape, "[0, 2, 3, 1]").loops.back().source_step_bytes;
  };
  EXPECT_EQ(inner_source_step("intel", "f32[8,64,56,56]"), 64);
  EXPECT_NE(inner_source_step("intel", "f32[4,64,56,56]"), 64) << "less than its share";
  EXPECT_NE(inner_source_step("intel", "f32[8,32,112,56]"), 64) << "rows of two lines";
  EXPECT_NE(inner_source_step("zen5", "f32[8,64,56,56]"), 64);
}

TEST(FarCopies, of_an_intel_follow_the_destination_where_few_places_are_read_in_turn) {
  const auto inner_destination_step = [](const char* model, const char* shape) {
    return first_nest_for(model, shape, "[0, 2, 1, 3]").loops.back().destination_step_bytes;
  };
  EXPECT_EQ(inner_destination_step("intel", "f32[128,12,512,64]"), 256);
  const Nest many = first_nest_for("intel", "f32[32,48,512,64]", "[0, 2, 1, 3]");
  EXPECT_LT(many.loops.back().trips, 48) << "48 places to read";
  EXPECT_NE(inner_destination_step("zen5", "f32[128,12,512,64]"), 256);
}

}  // namespace
}  // namespace relayout::plan
