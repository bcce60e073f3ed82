#include "src/plan/boxes/trimmed_run.hpp"

#include <gtest/gtest.h>

#include "tests/plan/kernels/rounded_boxes.hpp"

namespace relayout::plan {
namespace {

using testing::guarded_box_of;

TEST(TrimmedRun, is_what_a_guard_leaves_of_axes_that_continue_one_another) {
  const Box box = guarded_box_of({{2, 2, 2, 1}, {4, 512, 4, 2}, {3, 16384, 16, 8}, {128, 4, 46}}, 23);
  const auto run = trimmed_run(box, 0, false);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->first_stride, 2);
  EXPECT_EQ(run->places_bytes, 48);
  EXPECT_EQ(run->data_bytes, 46);
  EXPECT_FALSE(trimmed_run(box, 0, true)) << "at the source there are gaps between them";
}

TEST(TrimmedRun, may_go_on_where_another_run_ended) {
  const auto run = trimmed_run(guarded_box_of({{3, 1000, 1}, {4, 1, 3, 1}, {2, 64, 12, 4}}, 7), 0, false);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->first_stride, 3);
  EXPECT_EQ(run->places_bytes, 24);
  EXPECT_EQ(run->data_bytes, 21);
}

TEST(TrimmedRun, has_all_axes_of_the_guard) {
  EXPECT_FALSE(trimmed_run(guarded_box_of({{2, 1, 1, 1}, {4, 64, 2, 2}, {3, 4096, 100, 8}}, 23), 0, false));
  EXPECT_FALSE(trimmed_run(guarded_box_of({{2, 1, 1, 1}, {4, 64, 2, 3}}, 9), 0, false));
  EXPECT_FALSE(trimmed_run(guarded_box_of({{5, 64, 1, 2}}, 9), 0, false)) << "no step of one";
}

TEST(TrimmedRun, that_is_a_row_to_write_lacks_a_quarter_of_its_places_at_most_and_is_the_only_one) {
  // 73 columns of 4 bytes out of tiles of 8 rows.
  const Box box = guarded_box_of({{8, 512, 4, 1}, {10, 897024, 32, 8}, {128, 4, 292}}, 73);
  const auto row = trimmed_row(box);
  ASSERT_TRUE(row);
  EXPECT_EQ(row->places_bytes, 320);
  EXPECT_EQ(row->data_bytes, 292);
  EXPECT_TRUE(trimmed_row(guarded_box_of({{8, 512, 4, 1}, {4, 4096, 32, 8}}, 24)));
  EXPECT_FALSE(trimmed_row(guarded_box_of({{8, 512, 4, 1}, {4, 4096, 32, 8}}, 23))) << "23 of 32";
  EXPECT_FALSE(trimmed_row(guarded_box_of({{8, 4, 512, 1}, {10, 32, 897024, 8}}, 73))) << "a run to read";
  EXPECT_FALSE(trimmed_row(guarded_box_of({{8, 512, 4, 1}, {600, 4096, 32, 8}}, 4795))) << "19 KiB";
  Box two = box;
  two.guard_limits.push_back(100);
  EXPECT_FALSE(trimmed_row(two));
}

TEST(TrimmedRun, is_none_where_nothing_is_cut_off_or_the_run_goes_backwards) {
  EXPECT_FALSE(trimmed_run(guarded_box_of({{2, 1, 1, 1}, {4, 64, 2, 2}}, 8), 0, false));
  EXPECT_FALSE(trimmed_run(guarded_box_of({{2, 1, -1, 1}, {4, 64, -2, 2}}, 7), 0, false));
}

TEST(TrimmedRun, is_short_enough_to_be_taken_whole) {
  const auto box = [](std::int64_t rows) {
    return guarded_box_of({{2, 1, 1, 1}, {rows, 64, 2, 2}}, 2 * rows - 1);
  };
  EXPECT_TRUE(first_trimmed_run(box(64), false));
  EXPECT_FALSE(first_trimmed_run(box(65), false));
}

}  // namespace
}  // namespace relayout::plan
