#include "src/plan/boxes.hpp"

#include <gtest/gtest.h>

namespace relayout::plan {
namespace {

/// A box whose axes have these extents and destination strides in bytes.
Box box_with(std::vector<std::pair<std::int64_t, std::int64_t>> axes, std::int64_t base = 0) {
  Box box;
  box.destination_base = base;
  for (const auto& [extent, stride] : axes)
    box.axes.push_back({.extent = extent, .source_stride = 4, .destination_stride = stride});
  return box;
}

TEST(DestinationRows, fill_lines_where_they_begin_and_end_on_them) {
  EXPECT_TRUE(destination_rows_fill_lines(box_with({{4096, 4}, {100, 16384}})));
  EXPECT_TRUE(destination_rows_fill_lines(box_with({{16, 4}, {100, 64}})));
  EXPECT_TRUE(destination_rows_fill_lines(box_with({{4096, 4}, {100, -16384}}))) << "in any order";
}

TEST(DestinationRows, fill_lines_together_with_axes_that_continue_them) {
  // Tiles of (8,128)(4,1) of bytes: 4 rows of a byte, 128 columns of 4.
  EXPECT_TRUE(destination_rows_fill_lines(box_with({{4, 1}, {128, 4}, {8, 512}, {100, 8192}})));
  EXPECT_FALSE(destination_rows_fill_lines(box_with({{4, 1}, {106, 4}, {8, 512}, {100, 8192}})));
}

TEST(DestinationRows, do_not_where_they_begin_anywhere) {
  EXPECT_FALSE(destination_rows_fill_lines(box_with({{4095, 4}, {100, 16380}})));
  EXPECT_FALSE(destination_rows_fill_lines(box_with({{4096, 4}, {100, 16400}})));
  EXPECT_FALSE(destination_rows_fill_lines(box_with({{4096, 4}, {100, 16384}}, 32)));
  EXPECT_FALSE(destination_rows_fill_lines(box_with({{8, 8}, {100, 16}}))) << "gaps within lines";
  EXPECT_FALSE(destination_rows_fill_lines(box_with({{8, 4}, {100, 64}}))) << "half lines";
  EXPECT_FALSE(destination_rows_fill_lines(box_with({})));
}

}  // namespace
}  // namespace relayout::plan
