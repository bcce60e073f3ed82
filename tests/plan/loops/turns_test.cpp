#include "src/plan/loops/turns.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

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

Nest filling(std::vector<Loop> loops) {
  Nest nest;
  nest.kernel = FillKernel{};
  nest.loops = std::move(loops);
  return nest;
}

/// At the destination, the only side that padding has.
Loop stepping(std::int64_t trips, std::int64_t step_bytes) {
  return {.trips = trips, .destination_step_bytes = step_bytes};
}

/// Four times 146 rows of five pieces, as one loop and as two.
std::vector<Nest> data_and_padding() {
  Nest data = filling({{.trips = 4, .source_step_bytes = 64, .destination_step_bytes = 146 * 8192},
                       {.trips = 146, .source_step_bytes = 256, .destination_step_bytes = 8192}});
  return {data, filling({stepping(4 * 146, 8192), stepping(5, 1024)})};
}

TEST(Turns, shares_of_an_inner_loop_write_in_as_many_places_as_the_loops_around_it_have_trips) {
  std::vector<Nest> nests = data_and_padding();
  EXPECT_EQ(cut_in_places(nests, 100, 8), 4);
  EXPECT_EQ(nests[0].cut_loop, 1U);
  EXPECT_EQ(nests[1].cut_loop, 1U);
  const std::vector<Loop>& split = nests[1].loops;
  ASSERT_EQ(split.size(), 3U);
  EXPECT_EQ(split[0].trips, 4);
  EXPECT_EQ(split[0].destination_step_bytes, 146 * 8192);
  EXPECT_EQ(split[1].trips, 146);
  EXPECT_EQ(split[1].destination_step_bytes, 8192);
  EXPECT_EQ(split[2].trips, 5);
  EXPECT_EQ(loop_of_neighbours(nests).trips, 146);
}

TEST(Turns, are_taken_by_the_outermost_loop_where_it_has_trips_enough) {
  std::vector<Nest> nests = data_and_padding();
  EXPECT_EQ(cut_in_places(nests, 4, 8), 1);
  EXPECT_EQ(nests[0].cut_loop, 0U);
  EXPECT_EQ(nests[1].loops.size(), 2U) << "as it was";
}

void expect_not_cut(std::vector<Nest> nests, std::int64_t shares, std::int64_t most_places,
                    const char* because) {
  const std::vector<Nest> before = nests;
  EXPECT_EQ(cut_in_places(nests, shares, most_places), 0) << because;
  for (std::size_t i = 0; i < nests.size(); ++i) {
    EXPECT_EQ(nests[i].cut_loop, before[i].cut_loop) << because;
    EXPECT_EQ(nests[i].loops.size(), before[i].loops.size()) << because;
  }
}

TEST(Turns, are_not_taken_in_places_where_some_nest_has_no_loops_for_that) {
  expect_not_cut({}, 4, 8, "no nests");
  const std::vector<Nest> nests = data_and_padding();
  expect_not_cut(nests, 100, 3, "four places");
  expect_not_cut(nests, 1000, 8, "584 shares in all");
  expect_not_cut({nests[0], filling({stepping(4 * 145, 8192)})}, 100, 8, "rows that end elsewhere");
  expect_not_cut({nests[0], filling({stepping(4, 146 * 8192)})}, 100, 8, "no loop within");
  Nest guarded = filling({stepping(4 * 146, 8192)});
  guarded.loops[0].guard = 0;
  expect_not_cut({nests[0], guarded}, 100, 8, "trips that depend on others");
  Nest listed = filling({stepping(4, 146 * 8192), stepping(146, 8192)});
  listed.loops[1].table = 0;
  expect_not_cut({nests[0], listed}, 100, 8, "a run list");
  Nest staged = nests[1];
  staged.staging.emplace();
  expect_not_cut({nests[0], staged}, 100, 8, "staging knows loops by their numbers");
  Nest fetching = nests[1];
  fetching.block_fetch.emplace();
  expect_not_cut({nests[0], fetching}, 100, 8, "so do fetches of blocks");
}

}  // namespace
}  // namespace relayout::plan
