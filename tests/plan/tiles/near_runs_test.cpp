#include "src/plan/tiles/near_runs.hpp"

#include <gtest/gtest.h>

namespace relayout::plan {
namespace {

/// Of a Granite Rapids.
Target target() {
  Target target;
  target.isa = Isa::kAvx512Vbmi;
  target.vector_bytes = 64;
  target.level1_data_bytes = 48 * 1024;
  target.level1_data_ways = 12;
  return target;
}

struct Transpose {
  std::int64_t element_bytes = 1;
  std::int64_t source_apart = 0;       ///< rows, bytes
  std::int64_t destination_apart = 0;  ///< rows, bytes
  std::int64_t rows_read = 200;        ///< elements of a row to write
};

/// By tiles of a line a row.
std::optional<PreferredRuns> runs_of(const Transpose& of, const UsualRuns& usual = {true, std::nullopt}) {
  Box box;
  box.axes = {
      {.extent = of.rows_read, .source_stride = of.source_apart, .destination_stride = of.element_bytes},
      {.extent = 1000, .source_stride = of.element_bytes, .destination_stride = of.destination_apart}};
  const std::int64_t line = 64 / of.element_bytes;
  return near_runs(box, {{line, line}, 64, 64}, {of.element_bytes, Residence::kSecondCache}, target(), usual);
}

void expect_limits(const std::optional<PreferredRuns>& runs, std::int64_t source, std::int64_t destination) {
  ASSERT_TRUE(runs);
  EXPECT_EQ(runs->limits.source_bytes, source);
  EXPECT_EQ(runs->limits.destination_bytes, destination);
}

TEST(NearRuns, bytes_are_moved_by_half_lines) {
  expect_limits(runs_of({1, 1003, 200, 200}), 32, 32);
  expect_limits(runs_of({1, 1024, 200, 20}), 32, 32);
  expect_limits(runs_of({1, 1003, 1024, 1024}), 32, 32);
}

TEST(NearRuns, rows_of_bytes_that_outgrow_their_sets_are_read_by_lines) {
  expect_limits(runs_of({1, 256, 368, 368}), 64, 32);
  EXPECT_FALSE(runs_of({1, 128, 1024, 1024})) << "and written by lines where those share sets as well";
}

TEST(NearRuns, small_tiles_of_bytes_stay) {
  Box box;
  box.axes = {{.extent = 32, .source_stride = 1003, .destination_stride = 1},
              {.extent = 1000, .source_stride = 1, .destination_stride = 32}};
  EXPECT_FALSE(
      near_runs(box, {{32, 32}, 32, 32}, {1, Residence::kSecondCache}, target(), {true, std::nullopt}));
}

TEST(NearRuns, bytes_that_are_to_be_streamed_keep_whole_lines) {
  Box box;
  box.axes = {{.extent = 640, .source_stride = 640, .destination_stride = 1},
              {.extent = 640, .source_stride = 1, .destination_stride = 640}};
  PairSizes sizes{1, Residence::kSecondCache};
  EXPECT_TRUE(near_runs(box, {{64, 64}, 64, 64}, sizes, target(), {true, std::nullopt}));
  sizes.wants_whole_lines = true;
  EXPECT_FALSE(near_runs(box, {{64, 64}, 64, 64}, sizes, target(), {true, std::nullopt}));
}

TEST(NearRuns, rows_that_crowd_sets_are_written_by_longer_runs) {
  const UsualRuns usual{true, TileRunLimits{64, 256}};
  const auto aligned = runs_of({2, 1024, 4096, 200}, usual);
  expect_limits(aligned, 64, 256);
  EXPECT_TRUE(aligned->of_shared_sets);
  expect_limits(runs_of({2, 1006, 4096, 200}, usual), 16, 128);
  expect_limits(runs_of({2, 1006, 4096, 200}, {false, TileRunLimits{32, 256}}), 16, 256);
  expect_limits(runs_of({1, 1003, 4096, 200}, usual), 16, 128);
  expect_limits(runs_of({1, 1003, 4096, 200}, {false, TileRunLimits{16, 256}}), 16, 256);
}

TEST(NearRuns, rows_that_only_share_sets_count_as_spread) {
  const UsualRuns usual{true, TileRunLimits{64, 256}};
  expect_limits(runs_of({2, 1006, 2048 - 16, 200}, usual), 64, 32);
  expect_limits(runs_of({1, 1003, 2048 - 16, 200}, usual), 32, 32);
  expect_limits(runs_of({2, 1006, 2048 - 4, 200}, usual), 16, 128);
}

TEST(NearRuns, wide_elements_need_none) {
  const UsualRuns usual{true, TileRunLimits{64, 256}};
  EXPECT_FALSE(runs_of({8, 1024, 4096, 200}, usual));
  EXPECT_FALSE(runs_of({16, 1024, 4096, 200}, usual));
}

}  // namespace
}  // namespace relayout::plan
