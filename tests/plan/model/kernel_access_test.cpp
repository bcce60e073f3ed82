#include "src/plan/model/kernel_access.hpp"

#include <set>
#include <utility>

#include <gtest/gtest.h>

namespace relayout::plan {
namespace {

TEST(KernelAccess, extents_that_meet_or_overlap_are_one_run) {
  const std::vector<Extent> runs = merged_runs({{64, 64}, {200, 8}, {0, 64}, {204, 16}, {201, 2}});
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].offset_bytes, 0);
  EXPECT_EQ(runs[0].bytes, 128);
  EXPECT_EQ(runs[1].offset_bytes, 200);
  EXPECT_EQ(runs[1].bytes, 20);
  EXPECT_EQ(merged_runs({{0, 4}, {5, 4}}).size(), 2U) << "a byte lies between";
  EXPECT_TRUE(merged_runs({}).empty());
}

/// Of 32-byte vectors that are contiguous in pieces of 8 bytes.
Side side_of(std::int64_t lane_stride_bytes, std::vector<std::int64_t> register_stride_bytes) {
  return {{1, 2, 4, lane_stride_bytes, 2 * lane_stride_bytes}, std::move(register_stride_bytes), {}};
}

TEST(KernelAccess, runs_of_a_network_are_its_pieces_merged) {
  const std::vector<Side> sides = {
      side_of(8, {32, 64}),    side_of(8, {100, 32}),  side_of(4096, {8, 16, 32}),   side_of(24, {8, 96}),
      side_of(-8, {64, 1000}), side_of(1000, {16, 8}), side_of(0, {8, 4096, 16384}), side_of(40, {8, 16, 5})};
  for (const Side& side : sides) {
    Nest nest;
    PermuteKernel kernel;
    kernel.network.source = side;
    kernel.network.destination = sides.front();
    nest.kernel = kernel;
    std::set<std::int64_t> touched;
    for (const Extent& piece : kernel_access(nest).source)
      for (std::int64_t byte = 0; byte < piece.bytes; ++byte) touched.insert(piece.offset_bytes + byte);
    std::set<std::int64_t> in_runs;
    std::int64_t end = *touched.begin() - 1;
    for (const Extent& run : kernel_runs(nest).source) {
      EXPECT_GT(run.offset_bytes, end) << "by offset, with a byte between";
      end = run.offset_bytes + run.bytes;
      for (std::int64_t byte = run.offset_bytes; byte < end; ++byte) in_runs.insert(byte);
    }
    EXPECT_EQ(in_runs, touched) << "lanes " << side.lane_stride_bytes[3] << " bytes apart";
    EXPECT_EQ(kernel_runs(nest).destination.size(), 1U) << "128 bytes in a row";
  }
}

}  // namespace
}  // namespace relayout::plan
