#include "src/plan/boxes/boxes.hpp"

#include <gtest/gtest.h>

#include "tests/plan/plans.hpp"

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

TEST(Boxes, are_one_where_a_guard_only_trims_a_run) {
  const Problem problem = problem_of("bf16[128,23]{0,1:T(8,128)(2,1)}", "{1,0}");
  const LoopNest nest = *refine(problem);
  const auto peeled = make_boxes(nest, 2);
  ASSERT_TRUE(peeled);
  EXPECT_FALSE(peeled->trimmed);
  EXPECT_EQ(peeled->boxes.size(), 2U) << "22 columns and 1";
  const auto trimmed = make_boxes(nest, 2, {.trims_runs = true});
  ASSERT_TRUE(trimmed);
  EXPECT_TRUE(trimmed->trimmed);
  EXPECT_EQ(trimmed->notes,
            (std::vector<std::string>{"factor 1: 2 pieces as one, whose end kernels leave out"}));
  ASSERT_EQ(trimmed->boxes.size(), 1U);
  EXPECT_EQ(trimmed->boxes.front().guard_limits, (std::vector<std::int64_t>{23}));
  const LoopNest whole = *refine(problem_of("bf16[128,24]{0,1:T(8,128)(2,1)}", "{1,0}"));
  EXPECT_FALSE(make_boxes(whole, 2, {.trims_runs = true})->trimmed);
  const LoopNest far = *refine(problem_of("bf16[128,23]{0,1:T(8,128)(2,1)}", "{0,1}"));
  EXPECT_FALSE(make_boxes(far, 2, {.trims_runs = true})->trimmed) << "no side has these columns in a run";
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
