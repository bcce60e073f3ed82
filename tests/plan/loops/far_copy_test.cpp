#include "src/plan/loops/far_copy.hpp"

#include <gtest/gtest.h>

namespace relayout::plan {
namespace {

/// Copies of `run_bytes` under loops given outermost first.
Nest copies(std::int64_t run_bytes, std::vector<Loop> loops) {
  Nest nest;
  nest.loops = std::move(loops);
  nest.kernel = CopyKernel{run_bytes, -1, 4};
  return nest;
}

Nest ordered(Nest nest, bool streamed) {
  const std::int64_t bytes = std::get<CopyKernel>(nest.kernel).bytes;
  order_far_copy(nest, {.source_bytes = bytes, .destination_bytes = bytes, .tile_bytes = bytes}, 0, streamed);
  return nest;
}

// f32[113,341,100,11]{2,1,0,3:T(8)} to {2,3,1,0}
TEST(FarCopy, reads_a_few_streams_rather_than_write_thousands) {
  const Nest nest = ordered(copies(400, {{11, 16029728, 400}, {38533, 416, 4400}}), false);
  EXPECT_EQ(nest.loops.front().trips, 38533);
  EXPECT_EQ(nest.loops.back().destination_step_bytes, 400);
}

TEST(FarCopy, writes_a_few_streams_rather_than_read_thousands) {
  const Nest nest = ordered(copies(400, {{38533, 4400, 416}, {11, 400, 16029728}}), false);
  EXPECT_EQ(nest.loops.front().trips, 38533);
  EXPECT_EQ(nest.loops.back().source_step_bytes, 400);
}

// f32[4506,3,100,15][1,0,3,2] to [1,3,0,2]: 3 outermost trips.
TEST(FarCopy, cuts_parts_from_shares_of_the_longest_loop_so_that_stretches_stay_long) {
  const Nest nest =
      ordered(copies(400, {{4506, 6000, 400}, {3, 27036000, 27036000}, {15, 400, 1802400}}), false);
  ASSERT_EQ(nest.loops.size(), 4U);
  EXPECT_EQ(nest.loops[0].trips, 64);
  EXPECT_EQ(nest.loops[1].trips, 3);
  EXPECT_EQ(nest.loops[2].trips, 71) << "times 6000 bytes read one after the other";
  EXPECT_EQ(nest.loops[3].trips, 15);
}

// f64[243,16384] out of (8,128) tiles
TEST(FarCopy, long_streamed_runs_are_copied_in_the_sources_order) {
  const Nest nest =
      ordered(copies(1024, {{128, 8192, 1024}, {31, 1 << 20, 1 << 20}, {8, 1024, 131072}}), true);
  ASSERT_EQ(nest.loops.size(), 3U);
  EXPECT_EQ(nest.loops[0].source_step_bytes, 1 << 20);
  EXPECT_EQ(nest.loops[2].source_step_bytes, 1024);
}

TEST(FarCopy, streamed_lines_for_many_rows_are_written_by_the_kilobyte) {
  const Nest nest = ordered(copies(64, {{32, 1 << 21, 64}, {32768, 64, 2048}}), true);
  EXPECT_EQ(nest.loops.back().destination_step_bytes, 64);
  EXPECT_EQ(nest.loops.back().trips, 16);
}

// f32[7185,13,512] into rows of 13: all within 26 KiB.
TEST(FarCopy, streamed_lines_that_change_places_within_some_pages_are_read_in_order) {
  const Nest nest = ordered(copies(64, {{7185, 26624, 26624}, {13, 2048, 64}, {32, 64, 832}}), true);
  ASSERT_EQ(nest.loops.size(), 3U);
  EXPECT_EQ(nest.loops[1].source_step_bytes, 2048);
  EXPECT_EQ(nest.loops[2].source_step_bytes, 64);
}

}  // namespace
}  // namespace relayout::plan
