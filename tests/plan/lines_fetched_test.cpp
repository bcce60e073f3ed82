#include "src/plan/lines_fetched.hpp"

#include <gtest/gtest.h>

namespace relayout::plan {
namespace {

constexpr std::int64_t kSecondCache = 1024 * 1024;

Nest copies(std::int64_t bytes, std::vector<Loop> loops) {
  Nest nest;
  nest.kernel = CopyKernel{.bytes = bytes};
  nest.loops = std::move(loops);
  return nest;
}

TEST(LinesFetched, are_those_of_both_sides_where_each_is_touched_once) {
  EXPECT_EQ(lines_fetched(copies(64, {{1000, 64, 128}}), kSecondCache), 2000);
  EXPECT_EQ(lines_fetched(copies(64, {{10, 6400, 64}, {100, 64, 640}}), kSecondCache), 2000);
}

TEST(LinesFetched, are_few_if_trips_that_share_a_line_follow_each_other) {
  EXPECT_EQ(lines_fetched(copies(16, {{1000, 64, 128}, {4, 16, 16}}), kSecondCache), 2000);
}

TEST(LinesFetched, are_more_if_the_cache_does_not_hold_what_lies_between) {
  const Nest far_apart = copies(16, {{4, 16, 16}, {100000, 64, 128}});
  EXPECT_EQ(lines_fetched(far_apart, kSecondCache), 800000) << "each line four times";
  EXPECT_EQ(lines_fetched(far_apart, 100 * kSecondCache), 200000);
}

TEST(LinesFetched, of_runs_that_begin_anywhere_are_nearly_one_more_than_they_fill) {
  EXPECT_EQ(lines_fetched(copies(64, {{1000, 64, 1000}}), kSecondCache), 1000 + 1000 * (2 - 8.0 / 64));
}

TEST(LinesFetched, of_pieces_that_loops_further_out_move_off_the_lines_are_more) {
  // Pieces of 56 bytes out of rows of 896.
  EXPECT_EQ(lines_fetched(copies(56, {{16, 56, 56}, {100000, 896, 896}}), kSecondCache),
            2 * 16 * 100000 * (1 + 48.0 / 64));
}

TEST(LinesFetched, that_the_next_row_shares_are_fetched_once_if_it_comes_soon) {
  // Rows of 96 bytes written in two pieces, each across a boundary of lines in one of two or four rows.
  const double soon = lines_fetched(copies(48, {{100000, 128, 96}, {2, 64, 48}}), kSecondCache);
  const double late = lines_fetched(copies(48, {{2, 64, 48}, {100000, 128, 96}}), kSecondCache);
  EXPECT_LT(soon, 1.01 * 100000 * (2 + 1.5));
  EXPECT_GT(late, 100000 * (2 + 2.9));
}

TEST(LinesFetched, of_a_permutations_pieces_are_those_of_its_rows) {
  Network network;
  network.vector_bytes = 64;
  network.slots = 2;
  network.source.lane_stride_bytes = network.destination.lane_stride_bytes = {1, 2, 4, 8, 16, 32};
  network.source.register_stride_bytes = {128, 13440};  // no multiple of their mean distance
  network.destination.register_stride_bytes = {64, 128};
  Nest nest;
  nest.kernel = PermuteKernel{network};
  nest.loops = {{100, 64 * 1000 * 1000, 256}};
  EXPECT_EQ(lines_fetched(nest, kSecondCache), 800);
}

TEST(LinesFetched, of_a_loop_over_a_table_are_not_shared) {
  Nest nest = copies(16, {{4, 16, 16}});
  nest.loops.front().table = 0;
  nest.tables.push_back({{16, 0, 0}, {16, 16, 16}, {16, 32, 32}, {16, 48, 48}});
  EXPECT_EQ(lines_fetched(nest, kSecondCache), 8);
}

}  // namespace
}  // namespace relayout::plan
