#include "src/plan/loops/fused_loops.hpp"

#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace relayout::testing {
namespace {

using plan::fuse_loops;
using plan::Loop;
using plan::Nest;

/// Two sides that are walked alike.
Loop loop_of(std::int64_t trips, std::int64_t step_bytes, int guard = -1, std::int64_t guard_step = 0) {
  return {trips, step_bytes, 2 * step_bytes, guard, guard_step};
}

Nest nest_of(std::vector<Loop> loops, std::vector<plan::Guard> guards = {}) {
  Nest nest;
  nest.loops = std::move(loops);
  nest.guards = std::move(guards);
  return nest;
}

TEST(FusedLoops, a_loop_that_goes_on_where_the_next_one_ends_is_one_with_it) {
  Nest nest = nest_of({loop_of(7, 4096), loop_of(5, 256), loop_of(4, 64), loop_of(3, 1024)});
  nest.cut_loop = 3;
  fuse_loops(nest);
  ASSERT_EQ(nest.loops.size(), 3U);
  EXPECT_EQ(nest.loops[1].trips, 20);
  EXPECT_EQ(nest.loops[1].source_step_bytes, 64);
  EXPECT_EQ(nest.loops[1].destination_step_bytes, 128);
  EXPECT_EQ(nest.cut_loop, 2U) << "the same loop";
  fuse_loops(nest);
  EXPECT_EQ(nest.loops.size(), 3U);
}

TEST(FusedLoops, three_may_become_one) {
  Nest nest = nest_of({loop_of(2, 1024), loop_of(4, 256), loop_of(4, 64)});
  fuse_loops(nest);
  ASSERT_EQ(nest.loops.size(), 1U);
  EXPECT_EQ(nest.loops[0].trips, 32);
}

TEST(FusedLoops, a_guard_that_only_limits_the_trips_goes) {
  Nest nest =
      nest_of({loop_of(9, 4096, 1, 1), loop_of(26, 256, 0, 4), loop_of(4, 64, 0, 1)}, {{103}, {9, 8, 8}});
  fuse_loops(nest);
  ASSERT_EQ(nest.loops.size(), 2U);
  EXPECT_EQ(nest.loops[1].trips, 103);
  EXPECT_EQ(nest.loops[1].guard, -1);
  ASSERT_EQ(nest.guards.size(), 1U);
  EXPECT_EQ(nest.guards[0].limit, 9);
  EXPECT_EQ(nest.loops[0].guard, 0) << "what was the second guard";
}

TEST(FusedLoops, a_tail_that_overlaps_keeps_its_guard) {
  Nest nest = nest_of({loop_of(5, 128, 0, 2), loop_of(2, 64, 0, 1)}, {{9, 48, 24}});
  fuse_loops(nest);
  ASSERT_EQ(nest.loops.size(), 1U);
  EXPECT_EQ(nest.loops[0].trips, 9);
  EXPECT_EQ(nest.loops[0].guard, 0);
  EXPECT_EQ(nest.loops[0].guard_step, 1);
  EXPECT_EQ(nest.guards.at(0).source_back_bytes, 48);
}

TEST(FusedLoops, a_guard_that_another_loop_is_under_stays) {
  Nest nest = nest_of(
      {loop_of(3, 1024, 0, 8), loop_of(2, 4096), loop_of(4, 256, 0, 2), loop_of(2, 128, 0, 1)}, {{21}});
  fuse_loops(nest);
  ASSERT_EQ(nest.loops.size(), 3U);
  EXPECT_EQ(nest.loops[2].trips, 8);
  EXPECT_EQ(nest.loops[2].guard, 0);
  EXPECT_EQ(nest.guards.size(), 1U);
}

TEST(FusedLoops, others_stay_two) {
  Loop elsewhere = loop_of(5, 256);
  elsewhere.destination_step_bytes = 640;
  Loop over_table = loop_of(4, 64);
  over_table.table = 0;
  Loop from_table = loop_of(4, 64);
  from_table.trips_from_table = 0;
  const std::vector<std::pair<Loop, Loop>> pairs = {{elsewhere, loop_of(4, 64)},
                                                    {loop_of(5, 320), loop_of(4, 64)},
                                                    {loop_of(5, 256, 0, 4), loop_of(4, 64)},
                                                    {loop_of(5, 256, 0, 8), loop_of(4, 64, 0, 1)},
                                                    {loop_of(5, 256), over_table},
                                                    {loop_of(5, 256), from_table}};
  for (const auto& [outer, inner] : pairs) {
    Nest nest = nest_of({outer, inner}, {{17}});
    nest.tables.resize(1);
    fuse_loops(nest);
    EXPECT_EQ(nest.loops.size(), 2U) << outer.destination_step_bytes << ", " << outer.guard_step;
  }
}

}  // namespace
}  // namespace relayout::testing
