#include "src/plan/tiles/row_sets.hpp"

#include <gtest/gtest.h>

namespace relayout::plan {
namespace {

/// Of a tile that writes so many rows so far apart.
std::int64_t lines_of(std::int64_t rows, std::int64_t apart) {
  Box box;
  box.axes = {{.extent = 4096, .source_stride = 5000, .destination_stride = 1},
              {.extent = 4096, .source_stride = 1, .destination_stride = apart}};
  return most_written_lines_in_a_set(box, {{64, rows}, 64, 64});
}

TEST(RowSets, rows_a_page_apart_have_all_their_lines_in_one_set) {
  EXPECT_EQ(lines_of(16, 4096), 16);
  EXPECT_EQ(lines_of(16, -4096), 16) << "backwards";
  EXPECT_EQ(lines_of(16, 2048), 8);
  EXPECT_EQ(lines_of(16, 64 + 4096), 2) << "each begins where the one before it goes on";
}

TEST(RowSets, rows_that_begin_within_lines_have_parts_of_three) {
  // 32 of 64 rows lie in each half of a page, every other one 32 bytes further back.
  EXPECT_EQ(lines_of(64, 2048 - 16), 6);
  // Two lines from every 16th byte on: 112 bytes before a line to 48 behind its beginning.
  EXPECT_EQ(lines_of(64, 4096 - 16), 11);
}

TEST(RowSets,
     are_one_for_rows_a_multiple_of_the_span_apart_and_nearly_one_for_those_a_few_bytes_more_or_less) {
  const auto sets_of = [](std::int64_t apart, std::int64_t near_bytes = kNearBytes) {
    Box box;
    box.axes = {{.extent = 64, .source_stride = 1, .destination_stride = apart}};
    return row_sets(box, {{4}, 4, 1}, &Axis::destination_stride, 2048, near_bytes);
  };
  EXPECT_EQ(sets_of(6144), RowSets::kOne);
  EXPECT_EQ(sets_of(-6144), RowSets::kOne) << "backwards";
  EXPECT_EQ(sets_of(1024), RowSets::kSpread);
  for (const std::int64_t beyond : {-16, -4, 4, 16}) EXPECT_EQ(sets_of(6144 + beyond), RowSets::kNearlyOne);
  EXPECT_EQ(sets_of(6144 + 17), RowSets::kSpread);
  EXPECT_EQ(sets_of(6144 + 4, 4), RowSets::kNearlyOne);
  EXPECT_EQ(sets_of(6144 + 5, 4), RowSets::kSpread);
  EXPECT_EQ(sets_of(6144, 0), RowSets::kOne);
}

TEST(RowSets, rows_along_two_axes_add_up) {
  Box box;
  box.axes = {{.extent = 16, .source_stride = 64, .destination_stride = 1},
              {.extent = 8, .source_stride = 1, .destination_stride = 4096},
              {.extent = 4, .source_stride = 8, .destination_stride = 1 << 15}};
  EXPECT_EQ(most_written_lines_in_a_set(box, {{16, 8, 4}, 8, 16}), 32);
  EXPECT_EQ(most_written_lines_in_a_set(box, {{16, 8, 1}, 8, 16}), 8);
}

TEST(RowSets, have_so_many_lines_of_either_side_of_a_tile_as_so_many_bytes_of_a_row_touch) {
  Box box;
  box.axes = {{.extent = 64, .source_stride = 2048, .destination_stride = 1},
              {.extent = 64, .source_stride = 1, .destination_stride = 64}};
  const auto lines = [&](std::int64_t Axis::*stride, std::int64_t row_bytes) {
    return most_lines_in_a_set(box, {{64, 16}, 16, 64}, stride, row_bytes);
  };
  EXPECT_EQ(lines(&Axis::source_stride, 1), 32) << "64 rows in two sets";
  EXPECT_EQ(lines(&Axis::source_stride, 2049), 64) << "each reaches into both";
  EXPECT_EQ(lines(&Axis::destination_stride, 1), 1);
  Target target;
  target.level1_data_ways = 32;
  EXPECT_FALSE(outgrows_a_set(box, {{64, 16}, 16, 64}, &Axis::source_stride, target));
  target.level1_data_ways = 31;
  EXPECT_TRUE(outgrows_a_set(box, {{64, 16}, 16, 64}, &Axis::source_stride, target));
  EXPECT_FALSE(outgrows_a_set(box, {{64, 16}, 16, 64}, &Axis::destination_stride, target));
}

}  // namespace
}  // namespace relayout::plan
