#include "src/plan/model/block_lines.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace relayout::plan {
namespace {

constexpr CacheSets kSets{64, 1024, 16};

/// A kernel that copies one line, in loops of whole lines.
Nest nest_of(std::vector<Loop> loops) {
  Nest nest;
  nest.loops = std::move(loops);
  nest.kernel = CopyKernel{64, -1, 4};
  return nest;
}

Loop loop_of(std::int64_t trips, std::int64_t source_step, std::int64_t destination_step) {
  return {.trips = trips, .source_step_bytes = source_step, .destination_step_bytes = destination_step};
}

/// The most lines of one set, by walking all loops.
std::int64_t most_in_a_set(const Nest& nest) {
  std::set<std::int64_t> source = {0};
  std::set<std::int64_t> destination = {0};
  const auto widened = [](const std::set<std::int64_t>& lines, std::int64_t trips, std::int64_t step) {
    std::set<std::int64_t> all;
    for (const std::int64_t line : lines)
      for (std::int64_t k = 0; k < trips; ++k) all.insert(line + k * step / 64);
    return all;
  };
  for (const Loop& loop : nest.loops) {
    source = widened(source, loop.trips, loop.source_step_bytes);
    destination = widened(destination, loop.trips, loop.destination_step_bytes);
  }
  std::map<std::int64_t, std::int64_t> count;
  for (const auto* side : {&source, &destination})
    for (const std::int64_t line : *side) ++count[((line % kSets.sets) + kSets.sets) % kSets.sets];
  std::int64_t most = 0;
  for (const auto& [set, lines] : count) most = std::max(most, lines);
  return most;
}

TEST(BlockLines, rows_a_power_of_two_apart_fill_few_sets) {
  // 64 KiB apart: one set a side, 8 rows to read and 8 to write.
  EXPECT_TRUE(block_fits(nest_of({loop_of(8, 65536, 65536)}), 1, kSets));
  EXPECT_FALSE(block_fits(nest_of({loop_of(9, 65536, 65536)}), 1, kSets));
  EXPECT_TRUE(block_fits(nest_of({loop_of(256, 65536 + 64, 65536 + 64)}), 1, kSets));
}

TEST(BlockLines, loops_around_the_block_do_not_count) {
  EXPECT_TRUE(block_fits(nest_of({loop_of(100, 65536, 65536), loop_of(8, 65536 + 64, 64)}), 1, kSets));
}

TEST(BlockLines, a_loop_that_stays_on_a_side_adds_no_lines_there) {
  EXPECT_TRUE(block_fits(nest_of({loop_of(100, 0, 64)}), 1, kSets));
}

TEST(BlockLines, a_kernels_own_rows_count) {
  Nest nest = nest_of({loop_of(4, 64, 4)});
  nest.kernel = GatherKernel{17, -1, 4, 65536, 4, false};
  EXPECT_FALSE(block_fits(nest, 1, kSets));
  nest.kernel = GatherKernel{15, -1, 4, 65536, 4, false};
  EXPECT_TRUE(block_fits(nest, 1, kSets));
}

TEST(BlockLines, agree_with_walking_the_loops) {
  std::mt19937_64 random(7);
  const auto draw = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  };
  int fitting = 0;
  constexpr int kNests = 200;
  for (int i = 0; i < kNests; ++i) {
    // Steps grow past what the loops inside reach, so no line is touched twice.
    std::vector<Loop> loops;
    std::int64_t source_reach = 64;
    std::int64_t destination_reach = 64;
    for (int depth = 0; depth < 3; ++depth) {
      const std::int64_t trips = draw(1, 8);
      const std::int64_t source_step = source_reach << draw(0, 5);
      const std::int64_t destination_step = -(destination_reach << draw(0, 5));
      loops.insert(loops.begin(), loop_of(trips, source_step, destination_step));
      source_reach = source_step * trips;
      destination_reach = -destination_step * trips;
    }
    const Nest nest = nest_of(loops);
    const bool fits = most_in_a_set(nest) <= kSets.ways;
    EXPECT_EQ(block_fits(nest, 3, kSets), fits) << "nest " << i;
    fitting += fits ? 1 : 0;
  }
  EXPECT_GT(fitting, kNests / 10);
  EXPECT_LT(fitting, kNests - kNests / 10);
}

}  // namespace
}  // namespace relayout::plan
