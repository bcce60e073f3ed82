#include "src/plan/loops/traffic.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "src/plan/model/kernel_access.hpp"
#include "src/plan/prediction.hpp"

namespace relayout::plan {
namespace {

/// A first cache of 48 KiB, a second of 1 MiB, and 24 MiB of the last one.
Target target() {
  Target target;
  target.isa = Isa::kAvx512;
  target.vector_bytes = 64;
  target.registers = 32;
  target.level1_data_bytes = 48 << 10;
  target.level1_data_ways = 12;
  target.level2_bytes = 1 << 20;
  target.streaming_threshold_bytes = 24 << 20;
  return target;
}

Nest copy_nest(std::int64_t trips, std::int64_t bytes) {
  Nest nest;
  nest.loops = {{.trips = trips, .source_step_bytes = bytes, .destination_step_bytes = bytes}};
  nest.kernel = CopyKernel{bytes, -1, 4};
  return nest;
}

/// `rows` rows of a column of 4-byte elements, `stride` bytes apart, for each of `columns` columns.
Nest column_walk(std::int64_t rows, std::int64_t columns, std::int64_t stride) {
  Nest nest;
  nest.loops = {{.trips = columns, .source_step_bytes = 4, .destination_step_bytes = 4 * rows}};
  nest.kernel = GatherKernel{rows, -1, 4, stride, 4, false};
  return nest;
}

TEST(Traffic, copies_touch_each_line_once) {
  const Traffic traffic = predict_traffic(copy_nest(1024, 4096), target());
  EXPECT_EQ(traffic.source[0].lines, 65536);
  EXPECT_EQ(traffic.destination[0].lines, 65536);
}

TEST(Traffic, what_a_cache_holds_never_passes_its_border) {
  const Traffic first = predict_traffic(copy_nest(4, 4096), target());  // 32 KiB together
  const Traffic second = predict_traffic(copy_nest(100, 4096), target());
  const Traffic third = predict_traffic(copy_nest(1024, 4096), target());
  const Traffic memory = predict_traffic(copy_nest(16384, 4096), target());
  EXPECT_EQ(first.source[1].lines, 0);
  EXPECT_EQ(second.source[1].lines, 6400);
  EXPECT_EQ(second.source[2].lines, 0);
  EXPECT_EQ(third.source[2].lines, 65536);
  EXPECT_EQ(third.source[3].lines, 0);
  EXPECT_EQ(memory.source[3].lines, 1048576);
}

TEST(Traffic, columns_that_a_cache_does_not_hold_fetch_their_lines_for_every_element) {
  // 4096 lines 4160 bytes apart: all sets are used, 256 KiB a column; the first cache keeps nothing of it.
  const Traffic traffic = predict_traffic(column_walk(4096, 64, 4160), target());
  EXPECT_EQ(traffic.source[1].lines, 4096.0 * 64);
  EXPECT_LT(traffic.source[2].lines, 4096.0 * 6);  // the second one does
}

TEST(Traffic, rows_4_kib_apart_share_few_sets) {
  // Both columns are 512 lines, but 4 KiB apart they fall into 16 of the second cache's 1024 sets.
  const Traffic spread = predict_traffic(column_walk(512, 64, 4096 + 64), target());
  const Traffic aliased = predict_traffic(column_walk(512, 64, 4096), target());
  EXPECT_EQ(spread.source[2].lines, 0);
  EXPECT_GT(aliased.source[2].lines, 512.0 * 32);
}

TEST(Traffic, broadcasts_read_their_lines_again_and_again) {
  Nest nest = copy_nest(std::int64_t{1} << 40, 64);
  nest.loops.front().source_step_bytes = 0;
  const Traffic traffic = predict_traffic(nest, target());
  EXPECT_EQ(traffic.source[0].lines, std::exp2(40));
  EXPECT_LE(traffic.source[1].lines, 1);
  EXPECT_NEAR(traffic.destination[3].lines, std::exp2(40), std::exp2(30));
}

TEST(Traffic, neighbours_are_counted_in_rows) {
  EXPECT_GE(predict_traffic(copy_nest(1024, 4096), target()).source[2].lines_in_a_row, 64);
  EXPECT_EQ(predict_traffic(column_walk(4096, 16, 8192), target()).source[2].lines_in_a_row, 1);
}

TEST(KernelAccess, guards_limit_the_product_of_trips) {
  Nest nest = copy_nest(1, 64);
  nest.loops = {{.trips = 3, .source_step_bytes = 512, .guard = 0, .guard_step = 8},
                {.trips = 5, .source_step_bytes = 4096},
                {.trips = 8, .source_step_bytes = 64, .guard = 0, .guard_step = 1}};
  nest.guards = {{.limit = 19}};
  double calls = 1;
  for (const double trips : mean_trips(nest)) calls *= trips;
  EXPECT_DOUBLE_EQ(calls, 19 * 5);
}

TEST(KernelAccess, lengths_from_tables_are_their_means) {
  Nest nest = copy_nest(1, 64);
  nest.tables = {{{2, 0, 0}, {6, 64, 64}}};
  nest.loops = {{.trips = 2, .table = 0}};
  nest.kernel = CopyKernel{0, 0, 4};
  const KernelAccess access = kernel_access(nest);
  ASSERT_EQ(access.source.size(), 1U);
  EXPECT_EQ(access.source.front().bytes, 16);
}

TEST(Prediction, moved_bytes_and_instructions_are_counted) {
  Plan plan;
  plan.isa = Isa::kAvx512;
  plan.nests = {copy_nest(10, 4096)};
  const Work work = predict(plan, target());
  EXPECT_EQ(work.moved_bytes, 2 * 40960);
  EXPECT_EQ(work.lines, 2 * 640);
  EXPECT_GE(work.instructions, 2 * 640);
  EXPECT_EQ(work.far_lines, 0);
  EXPECT_GE(work.cycles, work.store_cycles);
}

TEST(Prediction, streaming_sends_lines_to_memory_that_caches_would_hold) {
  Plan plan;
  plan.isa = Isa::kAvx512;
  plan.nests = {copy_nest(10, 4096)};
  plan.nests.front().store = StorePolicy::kStreaming;
  EXPECT_EQ(predict(plan, target()).far_lines, 640);
}

}  // namespace
}  // namespace relayout::plan
