#include "src/plan/loops/turns.hpp"

#include <gtest/gtest.h>

namespace relayout::plan {
namespace {

Nest writing(std::int64_t trips, std::int64_t step_bytes, bool whole_lines) {
  Nest nest;
  nest.loops = {{.trips = trips, .destination_step_bytes = step_bytes}};
  nest.destination_aligned = whole_lines;
  return nest;
}

TEST(Turns, nests_that_write_parts_of_the_same_rows_share_their_outermost_loop) {
  EXPECT_EQ(loop_of_shared_lines({writing(1000, 256, false), writing(1000, 256, false)}).trips, 1000);
  EXPECT_EQ(loop_of_shared_lines({writing(125, 2048, false), writing(1000, 256, false)}).trips, 125);
  EXPECT_EQ(loop_of_shared_lines({writing(1000, 256, false), writing(999, 256, false)}).trips, 1000)
      << "a ragged end";
}

TEST(Turns, nests_of_whole_lines_have_nothing_to_share) {
  EXPECT_EQ(loop_of_shared_lines({writing(1000, 256, true), writing(1000, 256, true)}).trips, 1);
  EXPECT_EQ(loop_of_shared_lines({writing(1000, 256, true), writing(1000, 256, false)}).trips, 1);
  EXPECT_EQ(
      loop_of_shared_lines({writing(9, 64, true), writing(70, 256, false), writing(70, 256, false)}).trips,
      70);
}

/// A gather of elements so far apart, whole lines written.
Nest reading(std::int64_t trips, std::int64_t step_bytes, std::int64_t apart_bytes) {
  Nest nest = writing(trips, step_bytes, true);
  nest.kernel = GatherKernel{.count = 16, .element_bytes = 4, .source_stride_bytes = apart_bytes};
  return nest;
}

TEST(Turns, nests_that_read_parts_of_the_same_lines_share_their_outermost_loop) {
  EXPECT_EQ(loop_of_shared_lines({reading(1000, 256, 100), reading(1000, 256, 100)}).trips, 1000);
  EXPECT_EQ(loop_of_shared_lines({reading(1000, 256, 4), reading(1000, 256, 4)}).trips, 1) << "whole lines";
  EXPECT_EQ(loop_of_shared_lines({reading(1000, 256, 100), writing(1000, 256, true)}).trips, 1);
}

TEST(Turns, neighbours_share_their_outermost_loop_whatever_lines_they_write) {
  const SharedLoop shared = loop_of_neighbours({writing(500, 512, true), writing(1000, 256, true)});
  EXPECT_EQ(shared.trips, 500);
  EXPECT_EQ(shared.destination_bytes, 256000);
  EXPECT_EQ(loop_of_neighbours({writing(500, 512, true), writing(500, 1024, true)}).trips, 1);
  EXPECT_EQ(loop_of_neighbours({writing(500, 512, true)}).trips, 1);
}

TEST(Turns, shares_of_loops_over_different_places_do_not_meet) {
  EXPECT_EQ(loop_of_shared_lines({writing(1000, 256, false), writing(1000, 64, false)}).trips, 1);
  EXPECT_EQ(loop_of_shared_lines({writing(1, 0, false), writing(1, 0, false)}).trips, 1);
  Nest table = writing(1000, 256, false);
  table.loops.front().table = 0;
  EXPECT_EQ(loop_of_shared_lines({table, writing(1000, 256, false)}).trips, 1);
}

}  // namespace
}  // namespace relayout::plan
