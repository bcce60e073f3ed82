#include "src/plan/padding/gapped_box.hpp"

#include <utility>

#include <gtest/gtest.h>

#include "tests/plan/padding/gapped_boxes.hpp"

namespace relayout::plan {
namespace {

using testing::last_rows;
using testing::origins_of;
using testing::source_bytes_of;
using testing::target_of;
using testing::whole_groups;
using testing::written_from;

std::optional<GappedBox> found_in(const Box& box, std::int64_t places, std::int64_t element_bytes,
                                  std::int64_t missing_bytes = 0) {
  return gapped_box(box, element_bytes, source_bytes_of(box, places, element_bytes) - missing_bytes);
}

TEST(GappedBox, has_the_places_between_the_groups_of_its_source) {
  const auto two_of_four = found_in(last_rows(2, 4, 100, 64, 1), 4, 1);
  ASSERT_TRUE(two_of_four);
  EXPECT_EQ(two_of_four->axis, 1U);
  EXPECT_EQ(two_of_four->extent, 2);
  EXPECT_EQ(two_of_four->box.axes[1].extent, 4);
  EXPECT_EQ(two_of_four->places_per_element(), 2);
  const auto one_of_two = found_in(last_rows(1, 2, 100, 64, 2), 2, 2);
  ASSERT_TRUE(one_of_two) << "an axis of one is none";
  EXPECT_EQ(one_of_two->axis, 2U);
  EXPECT_EQ(one_of_two->extent, 1);
  EXPECT_EQ(one_of_two->box.axes[2].source_stride, 2);
  EXPECT_EQ(one_of_two->places_per_element(), 2);
}

TEST(GappedBox, is_none_where_the_source_ends_before_the_last_place) {
  const Box box = last_rows(3, 4, 100, 64, 1);
  EXPECT_TRUE(found_in(box, 4, 1));
  EXPECT_FALSE(found_in(box, 4, 1, 1));
}

TEST(GappedBox, is_none_without_gaps_or_with_groups_of_many_bytes) {
  EXPECT_FALSE(found_in(last_rows(4, 4, 100, 64, 1), 4, 1));
  EXPECT_FALSE(found_in(last_rows(1, 1, 100, 64, 1), 1, 1));
  EXPECT_TRUE(found_in(last_rows(6, 8, 100, 64, 1), 8, 1));
  EXPECT_FALSE(found_in(last_rows(12, 16, 100, 64, 1), 16, 1));
  EXPECT_FALSE(found_in(last_rows(2, 3, 100, 64, 1), 3, 1)) << "no power of two";
  EXPECT_FALSE(found_in(last_rows(1, 2, 100, 64, 4), 2, 4)) << "elements of four bytes";
}

TEST(GappedBox, is_none_where_groups_follow_one_another_at_the_destination_too) {
  Box box = last_rows(2, 4, 100, 64, 1);
  std::swap(box.axes[0].destination_stride, box.axes[1].destination_stride);
  EXPECT_FALSE(found_in(box, 4, 1));
}

TEST(GappedBox, is_none_under_a_guard) {
  Box box = last_rows(2, 4, 100, 64, 1);
  box.guard_limits = {99};
  box.axes[2].guard = 0;
  box.axes[2].guard_step = 1;
  EXPECT_FALSE(found_in(box, 4, 1));
}

TEST(GappedBox, networks_write_what_the_box_has_and_nothing_else) {
  int made = 0;
  for (const Isa isa : testing::kVectorIsas) {
    for (const int element_bytes : {1, 2}) {
      for (std::int64_t places = 2; places * element_bytes <= 8; places *= 2) {
        for (std::int64_t rows = 1; rows < places; ++rows) {
          const auto gapped =
              found_in(last_rows(rows, places, 100, 64, element_bytes), places, element_bytes);
          ASSERT_TRUE(gapped);
          const auto whole = whole_groups(*gapped, element_bytes, target_of(isa));
          ASSERT_TRUE(whole);
          EXPECT_EQ(origins_of(whole->network), written_from(*gapped, whole->tile, element_bytes))
              << rows << " of " << places << " places of " << element_bytes << " bytes\n"
              << to_string(whole->network);
          ++made;
        }
      }
    }
  }
  EXPECT_EQ(made, 3 * (1 + 3 + 7 + 1 + 3));
}

}  // namespace
}  // namespace relayout::plan
