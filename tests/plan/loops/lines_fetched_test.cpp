#include "src/plan/loops/lines_fetched.hpp"

#include <algorithm>
#include <cstddef>
#include <list>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "src/plan/cost_models/make_target.hpp"
#include "src/plan/model/target.hpp"
#include "tests/plan/plans.hpp"

namespace relayout::plan {
namespace {

constexpr std::int64_t kSecondCache = 1024 * 1024;

TEST(LinesFetched, are_those_of_both_sides_where_each_is_touched_once) {
  EXPECT_EQ(lines_fetched(nest_of_copies(64, {{1000, 64, 128}}), kSecondCache), 2000);
  EXPECT_EQ(lines_fetched(nest_of_copies(64, {{10, 6400, 64}, {100, 64, 640}}), kSecondCache), 2000);
}

TEST(LinesFetched, are_not_those_touched_where_lines_are_fetched_again) {
  const Nest again = nest_of_copies(16, {{4, 16, 16}, {100000, 64, 128}});
  EXPECT_EQ(lines_touched(again).source, 100000);
  EXPECT_EQ(lines_touched(again).destination, 100000);
  EXPECT_EQ(lines_touched(nest_of_copies(16, {{1000, 16, 64}})).source, 250);
}

TEST(LinesFetched, are_few_if_trips_that_share_a_line_follow_each_other) {
  EXPECT_EQ(lines_fetched(nest_of_copies(16, {{1000, 64, 128}, {4, 16, 16}}), kSecondCache), 2000);
}

TEST(LinesFetched, are_more_if_the_cache_does_not_hold_what_lies_between) {
  const Nest far_apart = nest_of_copies(16, {{4, 16, 16}, {100000, 64, 128}});
  EXPECT_EQ(lines_fetched(far_apart, kSecondCache), 800000) << "each line four times";
  EXPECT_EQ(lines_fetched(far_apart, 100 * kSecondCache), 200000);
}

TEST(LinesFetched, of_runs_that_begin_anywhere_are_nearly_one_more_than_they_fill) {
  EXPECT_EQ(lines_fetched(nest_of_copies(64, {{1000, 64, 1000}}), kSecondCache),
            1000 + 1000 * (2 - 8.0 / 64));
}

TEST(LinesFetched, of_pieces_that_loops_further_out_move_off_the_lines_are_more) {
  // Pieces of 56 bytes out of rows of 896.
  EXPECT_EQ(lines_fetched(nest_of_copies(56, {{16, 56, 56}, {100000, 896, 896}}), kSecondCache),
            2 * 16 * 100000 * (1 + 48.0 / 64));
}

TEST(LinesFetched, that_the_next_row_shares_are_fetched_once_if_it_comes_soon) {
  // Rows of 96 bytes written in two pieces, each across a boundary of lines in one of two or four rows.
  const double soon = lines_fetched(nest_of_copies(48, {{100000, 128, 96}, {2, 64, 48}}), kSecondCache);
  const double late = lines_fetched(nest_of_copies(48, {{2, 64, 48}, {100000, 128, 96}}), kSecondCache);
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
  Nest nest = nest_of_copies(16, {{4, 16, 16}});
  nest.loops.front().table = 0;
  nest.tables.push_back({{16, 0, 0}, {16, 16, 16}, {16, 32, 32}, {16, 48, 48}});
  EXPECT_EQ(lines_fetched(nest, kSecondCache), 8);
}

/// A first cache of 64 sets that drops the line not used for longest, and the lines that it had to fetch.
class SimulatedCache {
 public:
  explicit SimulatedCache(std::size_t ways) : ways_(ways), sets_(64) {}
  void touch(std::int64_t begin, std::int64_t bytes, double& fetched) {
    for (std::int64_t line = begin / 64; line <= (begin + bytes - 1) / 64; ++line) {
      std::list<std::int64_t>& set = sets_[static_cast<std::size_t>(line % 64)];
      const auto found = std::find(set.begin(), set.end(), line);
      if (found == set.end())
        fetched += 1;
      else
        set.erase(found);
      set.push_front(line);
      if (set.size() > ways_) set.pop_back();
    }
  }

 private:
  std::size_t ways_;
  std::vector<std::list<std::int64_t>> sets_;
};

void walk(const Nest& nest, std::size_t depth, std::int64_t source, std::int64_t destination,
          SimulatedCache& cache, FetchedLines& fetched) {
  if (depth == nest.loops.size()) {
    const std::int64_t bytes = std::get<CopyKernel>(nest.kernel).bytes;
    cache.touch(source, bytes, fetched.source);
    cache.touch((std::int64_t{1} << 40) + destination, bytes, fetched.destination);
    return;
  }
  const Loop& loop = nest.loops[depth];
  for (std::int64_t trip = 0; trip < loop.trips; ++trip)
    walk(nest, depth + 1, source + trip * loop.source_step_bytes,
         destination + trip * loop.destination_step_bytes, cache, fetched);
}

Target intel_target() {
  return make_target(Isa::kAvx512Vbmi, plan_machine("golden_cove"));
}

TEST(LinesFetchedBySets, are_nearly_those_of_a_simulated_first_cache) {
  const Target target = intel_target();
  const Nest nests[] = {
      nest_of_copies(16, {{256, 4096, 16}, {16, 16, 4096}}),   // 16 rows to write in one set
      nest_of_copies(16, {{256, 4096, 16}, {4, 16, 4096}}),    // 4 that the set holds
      nest_of_copies(16, {{256, 4096, 16}, {16, 16, 4160}}),   // 16 in sets of their own
      nest_of_copies(16, {{256, 16384, 16}, {40, 16, 1024}}),  // 40 in four sets
      nest_of_copies(16, {{16, 16, 4160}, {256, 4160, 16}}),   // columns that are read again
      nest_of_copies(32, {{64, 2080, 32}, {20, 32, 5120}}),    // 20 rows in four sets
      nest_of_copies(16, {{256, 16, 16}, {5, 4096, 4096}}),    // five rows a side in one set
      nest_of_copies(64, {{128, 6400, 64}, {30, 64, 8192}}),   // whole lines
  };
  for (const Nest& nest : nests) {
    SimulatedCache cache(static_cast<std::size_t>(target.level1_data_ways));
    FetchedLines simulated;
    walk(nest, 0, 0, 0, cache, simulated);
    const FetchedLines counted = lines_fetched_by_sets(nest, target);
    EXPECT_NEAR(counted.source / simulated.source, 1, 0.1) << &nest - nests;
    EXPECT_NEAR(counted.destination / simulated.destination, 1, 0.1) << &nest - nests;
  }
}

/// Eight rows of a line each, a page apart, `rows` of them in turn before the next lines come.
Nest writes_pages(std::int64_t rows) {
  Network network;
  network.vector_bytes = 64;
  network.slots = 3;
  network.source.lane_stride_bytes = network.destination.lane_stride_bytes = {1, 2, 4, 8, 16, 32};
  network.source.register_stride_bytes = {64, 128, 256};
  network.destination.register_stride_bytes = {4096, 8192, 16384};
  Nest nest;
  nest.kernel = PermuteKernel{network};
  nest.loops = {{64, 512, 64}, {rows / 8, 64 * 512, 8 * 4096}};
  return nest;
}

TEST(LinesFetchedBySets, ahead_are_lost_where_more_rows_share_their_set_than_it_holds) {
  Target target = intel_target();
  target.level1_data_ways = 12;
  EXPECT_EQ(lines_fetched_by_sets(writes_pages(8), target).destination, 8 * 64);
  EXPECT_EQ(lines_fetched_by_sets(writes_pages(24), target).destination, 2 * 24 * 64);
}

TEST(LinesFetchedBySets, ahead_are_none_where_no_loop_goes_on_along_the_rows) {
  Nest nest = writes_pages(24);
  nest.loops = {{64, 512, 1 << 20}, {3, 64 * 512, 8 * 4096}};
  EXPECT_EQ(lines_fetched_by_sets(nest, intel_target()).destination, 24 * 64);
}

}  // namespace
}  // namespace relayout::plan
