#include "src/plan/loops/loop_order.hpp"

#include <gtest/gtest.h>

namespace relayout::testing {
namespace {

using plan::Loop;
using plan::Nest;

Nest nest_with(std::vector<Loop> loops) {
  Nest nest;
  nest.loops = std::move(loops);
  return nest;
}

struct Steps {
  std::int64_t trips;
  std::int64_t source;
  std::int64_t destination;
  friend bool operator==(const Steps&, const Steps&) = default;
  friend void PrintTo(const Steps& steps, std::ostream* out) {
    *out << steps.trips << " of +" << steps.source << ", +" << steps.destination;
  }
};

std::vector<Steps> steps_of(const Nest& nest) {
  std::vector<Steps> steps;
  for (const Loop& loop : nest.loops)
    steps.push_back({loop.trips, loop.source_step_bytes, loop.destination_step_bytes});
  return steps;
}

// f32 4096x4096, tiles of 16x16: 256 tiles each way.
TEST(LoopOrder, example_blocks_a_transpose_on_both_sides_and_prefetches_the_next_block) {
  constexpr std::int64_t kRows = 16 * 4096 * 4;
  Nest nest = nest_with({{256, 64, kRows}, {256, kRows, 64}});
  order_loops(nest, {.source_bytes = 64, .destination_bytes = 64, .tile_bytes = 1024}, 0);
  const std::vector<Steps> expected = {
      {64, 4 * kRows, 256}, {64, 256, 4 * kRows}, {4, 64, kRows}, {4, kRows, 64}};
  EXPECT_EQ(steps_of(nest), expected);
  EXPECT_EQ(nest.prefetch_source_bytes, 256);
}

TEST(LoopOrder, a_block_that_does_not_divide_the_loop_gets_a_guard) {
  Nest nest = nest_with({{63, 64, 1 << 20}, {256, 1 << 20, 64}});
  order_loops(nest, {.source_bytes = 64, .destination_bytes = 64, .tile_bytes = 1024}, 0);
  ASSERT_EQ(nest.guards.size(), 1U);
  EXPECT_EQ(nest.guards[0].limit, 63);
  std::int64_t guarded = 0;
  for (const Loop& loop : nest.loops) guarded += loop.guard == 0 ? 1 : 0;
  EXPECT_EQ(guarded, 2);
}

TEST(LoopOrder, blocks_of_one_call_leave_no_loop_inside) {
  Nest nest = nest_with({{181, 1 << 20, 512, 0, 1}, {367, 24, 1 << 18}});
  nest.guards.push_back({181, 4096, 128});
  order_loops(nest, {.source_bytes = 16, .destination_bytes = 512, .tile_bytes = 4096}, 0,
              {.run_bytes = 512});
  std::int64_t guarded = 0;
  for (const Loop& loop : nest.loops) guarded += loop.guard == 0 ? 1 : 0;
  EXPECT_EQ(guarded, 1);
}

TEST(LoopOrder, a_loop_of_few_blocks_that_do_not_divide_it_is_one_block_where_that_is_asked_for) {
  const auto ordered = [](std::int64_t trips) {
    Nest nest = nest_with({{trips, 64, 1 << 20}, {256, 1 << 20, 64}});
    order_loops(nest, {.source_bytes = 64, .destination_bytes = 64, .tile_bytes = 1024}, 0,
                {.fewest_unequal_blocks = 4, .undivided_block_bytes = 256 << 10});
    return nest;
  };
  for (const std::int64_t trips : {5, 11, 15}) {
    const std::vector<Steps> expected = {{64, 4 << 20, 256}, {trips, 64, 1 << 20}, {4, 1 << 20, 64}};
    EXPECT_EQ(steps_of(ordered(trips)), expected);
    EXPECT_TRUE(ordered(trips).guards.empty());
  }
  EXPECT_EQ(ordered(8).loops.size(), 4U) << "two equal blocks";
  EXPECT_EQ(ordered(17).guards.size(), 1U) << "more than four";
}

TEST(LoopOrder, a_loop_is_not_one_block_where_that_would_be_too_large) {
  Nest nest = nest_with({{256, 64, 1 << 20}, {5, 1 << 20, 64}});
  order_loops(nest, {.source_bytes = 64, .destination_bytes = 64, .tile_bytes = 128 << 10}, 0,
              {.fewest_unequal_blocks = 4, .undivided_block_bytes = 256 << 10});
  EXPECT_EQ(nest.guards.size(), 1U) << "256 KiB have room for two calls";
}

// bf16[4096,16384] from (8,128)(2,1): a call reads one piece of 128 bytes and writes two.
TEST(LoopOrder, a_kernel_that_reads_one_piece_is_called_in_the_sources_order) {
  Nest nest = nest_with({{512, 262144, 262144}, {4, 512, 65536}, {128, 2048, 256}, {4, 128, 64}});
  order_loops(nest, {.source_bytes = 128, .destination_bytes = 64, .tile_bytes = 128}, 0);
  std::int64_t last = INT64_MAX;
  for (const Steps& steps : steps_of(nest)) {
    EXPECT_LT(steps.source, last);
    last = steps.source;
  }
  EXPECT_EQ(nest.prefetch_source_bytes, 0) << "the hardware prefetches a contiguous walk";
}

TEST(LoopOrder, a_kernel_that_writes_one_piece_is_called_in_the_destinations_order) {
  // Runs of 256 bytes, [64, 12] to [12, 64] of them.
  Nest nest = nest_with({{64, 256, 3072}, {12, 16384, 256}});
  order_loops(nest, {.source_bytes = 256, .destination_bytes = 256, .tile_bytes = 256}, 0);
  ASSERT_FALSE(nest.loops.empty());
  EXPECT_EQ(nest.loops.back().destination_step_bytes, 256);
}

// u8[355,32,100,16] to [0, 2, 3, 1]: 32 rows of 1600 bytes, 64 of each a call, one stretch to write.
TEST(LoopOrder, a_loop_that_completes_what_blocks_write_is_not_cut_in_two_where_that_is_asked_for) {
  const auto trips_of_blocks = [](bool completes, std::int64_t trips, std::int64_t source_bytes = 64) {
    Nest nest = nest_with({{128, 1 << 14, 1 << 14}, {8, 256, 1 << 12}, {trips, 1 << 12, 512}, {4, 64, 128}});
    order_loops(nest, {.source_bytes = source_bytes, .destination_bytes = 128, .tile_bytes = 128}, 0,
                {.completes_written_runs = completes});
    return nest.loops[nest.loops.size() - 2].trips;
  };
  EXPECT_EQ(trips_of_blocks(true, 4), 4) << "2 KiB";
  EXPECT_EQ(trips_of_blocks(false, 4), 2) << "1 KiB";
  EXPECT_EQ(trips_of_blocks(true, 5), 2) << "2.5 KiB";
  EXPECT_EQ(trips_of_blocks(true, 4, 128), 2) << "calls that read one run";
}

TEST(LoopOrder, the_next_block_of_calls_that_write_one_piece_is_fetched_where_that_is_asked_for) {
  const auto fetched_ahead = [](bool asked) {
    Nest nest = nest_with({{355, 51200, 51200}, {25, 64, 2048}});
    order_loops(nest, {.source_bytes = 64, .destination_bytes = 2048, .tile_bytes = 2048}, 0,
                {.run_bytes = 2048, .fetches_single_run = asked});
    return nest.prefetch_source_bytes;
  };
  EXPECT_EQ(fetched_ahead(false), 0);
  EXPECT_EQ(fetched_ahead(true), 51200);
}

TEST(LoopOrder, blocks_that_read_on_in_a_short_stretch_are_left_to_the_processor) {
  const auto fetched_ahead = [](std::int64_t run_bytes) {
    Nest nest = nest_with({{1000, 4 * run_bytes, 4 * run_bytes}});
    order_loops(nest,
                {.source_bytes = run_bytes, .destination_bytes = 4 * run_bytes, .tile_bytes = 4 * run_bytes},
                0, {.contiguous_run_bytes = run_bytes, .run_bytes = run_bytes, .fetches_single_run = true});
    return nest.prefetch_source_bytes;
  };
  EXPECT_EQ(fetched_ahead(128), 0) << "512 bytes further on";
  EXPECT_EQ(fetched_ahead(256), 1024);
}

TEST(LoopOrder, the_next_block_of_calls_that_read_one_piece_is_fetched_where_that_is_asked_for) {
  const auto fetched_ahead = [](std::int64_t written_bytes, bool asked) {
    Nest nest = nest_with({{1000, 1024, 32}});
    order_loops(nest, {.source_bytes = 1024, .destination_bytes = written_bytes, .tile_bytes = 1024}, 0,
                {.fetches_single_run = asked});
    return nest.prefetch_source_bytes;
  };
  EXPECT_EQ(fetched_ahead(32, true), 2048) << "blocks of two calls write whole lines";
  EXPECT_EQ(fetched_ahead(32, false), 0);
  EXPECT_EQ(fetched_ahead(1024, true), 1024) << "one piece on both sides";
  EXPECT_EQ(fetched_ahead(1024, false), 0);
}

TEST(LoopOrder, the_outermost_loop_has_trips_to_share_between_parts) {
  constexpr std::int64_t kFar = 1 << 24;
  Nest nest =
      nest_with({{3, 8 * kFar, 8 * kFar}, {500, kFar / 512, 1 << 20}, {256, 64, 1 << 15}, {8, 1 << 15, 64}});
  order_loops(nest, {.source_bytes = 64, .destination_bytes = 64, .tile_bytes = 1024}, 0);
  ASSERT_FALSE(nest.loops.empty());
  EXPECT_EQ(nest.loops.front().trips, 500);
}

TEST(LoopOrder, parts_are_cut_from_a_loop_further_in_if_its_shares_are_far_more_even) {
  const auto cut_of = [](std::vector<std::int64_t> trips) {
    std::vector<Loop> loops;
    for (std::size_t i = 0; i < trips.size(); ++i)
      loops.push_back({.trips = trips[i],
                       .source_step_bytes = std::int64_t{1} << (40 - 8 * i),
                       .destination_step_bytes = std::int64_t{1} << (20 + 4 * i)});
    Nest nest = nest_with(loops);
    order_loops(nest, {.source_bytes = 64, .destination_bytes = 64, .tile_bytes = 64}, 0,
                {.walk = plan::LoopWalk::kSource, .outermost = plan::OutermostRule::stays()});
    EXPECT_EQ(nest.loops.size(), trips.size());
    for (std::size_t i = 0; i < trips.size(); ++i) EXPECT_EQ(nest.loops[i].trips, trips[i]);
    return nest.cut_loop;
  };
  EXPECT_EQ(cut_of({3, 2, 500}), 2U);
  EXPECT_EQ(cut_of({64, 5, 500}), 0U) << "even enough";
  EXPECT_EQ(cut_of({3, 70, 500}), 1U) << "even enough";
  EXPECT_EQ(cut_of({18, 22}), 0U) << "little is gained";
}

TEST(LoopOrder, the_longest_of_all_goes_around_where_that_is_asked_for) {
  const auto front_of = [](plan::OutermostRule rule) {
    Nest nest = nest_with({{12, 1 << 24, 64}, {300, 64, 1 << 14}});
    order_loops(nest, {.source_bytes = 64, .destination_bytes = 64, .tile_bytes = 1024}, 0,
                {.run_bytes = 64, .outermost = rule});
    return nest.loops.empty() ? 0 : nest.loops.front().trips;
  };
  EXPECT_EQ(front_of({}), 12) << "the innermost stays where there are trips enough";
  EXPECT_EQ(front_of(plan::OutermostRule::longest_of_all()), 300);
  EXPECT_EQ(front_of(plan::OutermostRule::stays()), 12);
}

TEST(LoopOrder, the_longest_goes_around_loops_that_make_written_runs_longer_where_that_is_asked_for) {
  const auto front_of = [](const plan::TileRuns& runs, std::int64_t step_of_few) {
    Nest nest = nest_with({{7, 1 << 20, step_of_few}, {300, runs.source_bytes, 1 << 16}});
    order_loops(nest, runs, 0, {.outermost = plan::OutermostRule::longest_around_continued()});
    return nest.loops.empty() ? 0 : nest.loops.front().trips;
  };
  const plan::TileRuns copies{.source_bytes = 1024, .destination_bytes = 1024, .tile_bytes = 1024};
  EXPECT_EQ(front_of(copies, 1024), 300);
  EXPECT_EQ(front_of(copies, -1024), 300) << "backwards";
  EXPECT_EQ(front_of(copies, 1088), 7) << "apart";
  const plan::TileRuns unpacks{.source_bytes = 1024, .destination_bytes = 256, .tile_bytes = 1024};
  EXPECT_EQ(front_of(unpacks, 256), 300);
  EXPECT_EQ(front_of(unpacks, 1 << 24), 7);
  const plan::TileRuns packs{.source_bytes = 256, .destination_bytes = 1024, .tile_bytes = 1024};
  EXPECT_EQ(front_of(packs, 1024), 7) << "calls that write one run and read several";
}

TEST(LoopOrder, fewer_trips_stay_outermost_where_that_is_asked_for) {
  constexpr std::int64_t kFar = 1 << 24;
  for (const std::int64_t trips : {24, 12}) {
    Nest nest = nest_with({{trips, kFar, kFar}, {71, 13056, 512}, {2, 64, 1 << 20}, {7, 2048, 64}});
    order_loops(nest, {.source_bytes = 64, .destination_bytes = 64, .tile_bytes = 1024}, 0,
                {.outermost = plan::OutermostRule::shares_if_fewer_than(20)});
    ASSERT_FALSE(nest.loops.empty());
    EXPECT_EQ(nest.loops.front().trips, trips == 24 ? 24 : 71);
  }
}

TEST(LoopOrder, fetches_along_the_innermost_loop_that_has_trips_enough) {
  const std::vector<Loop> loops = {{20, 4096, 4}, {3, 0, 64}, {2, 640, 128}, {2, 64, 256}};
  EXPECT_EQ(plan::next_bytes(loops, &Loop::source_step_bytes, 1), 64);
  EXPECT_EQ(plan::next_bytes(loops, &Loop::source_step_bytes, 2), 64);
  EXPECT_EQ(plan::next_bytes(loops, &Loop::source_step_bytes, 4), 4096);
  EXPECT_EQ(plan::next_bytes(loops, &Loop::source_step_bytes, 100), 4096)
      << "none has so many: the outermost";
  EXPECT_EQ(plan::next_bytes({}, &Loop::source_step_bytes, 1), 0);
  const std::vector<Loop> goes_on = {{20, 4096, 4}, {6, 128, 128}, {2, 64, 256}};
  EXPECT_EQ(plan::next_bytes(goes_on, &Loop::source_step_bytes, 3), 64) << "twelve in all";
}

TEST(LoopOrder, keeps_loops_over_run_tables_in_their_order_and_ragged_guards_whole) {
  Loop table{.table = 0};
  Loop length{.source_step_bytes = 4, .destination_step_bytes = 4, .trips_from_table = 0};
  Loop ragged{
      .trips = 100, .source_step_bytes = 64, .destination_step_bytes = 4096, .guard = 0, .guard_step = 1};
  Nest nest = nest_with({table, ragged, length});
  nest.guards.push_back({77, 0, 0});
  order_loops(nest, {.source_bytes = 4, .destination_bytes = 4, .tile_bytes = 4}, 1);
  ASSERT_EQ(nest.loops.size(), 3U);
  EXPECT_EQ(nest.guards.size(), 1U) << "no block of a loop under a ragged guard";
  std::vector<int> order;
  for (const Loop& loop : nest.loops) {
    if (loop.table == 0) order.push_back(0);
    if (loop.trips_from_table == 0) order.push_back(1);
  }
  EXPECT_EQ(order, (std::vector<int>{0, 1}));
}

}  // namespace
}  // namespace relayout::testing
