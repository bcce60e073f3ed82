#include "src/plan/padding/padded_box.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "src/plan/padding/padding_behind.hpp"
#include "tests/plan/network/network_checks.hpp"
#include "tests/plan/padding/padded_boxes.hpp"

namespace relayout::plan {
namespace {

using testing::expected_origins;
using testing::origins_of;
using testing::padding_behind;
using testing::random_box_of_rows;
using testing::random_box_of_runs;
using testing::whole_rounded_tile;
using testing::whole_tile;

/// 2-byte elements, [16,5] with the 16 in rows at the source, into 8 places for every 5.
Box five_of_eight() {
  Box box;
  box.axes = {{5, 32, 2}, {16, 2, 16}};
  return box;
}

std::optional<PaddedBox> padded(const Box& box, const PaddingPiece& piece) {
  return padded_box(box, std::span(&piece, 1), 2);
}

TEST(PaddedBox, takes_the_padding_behind_its_runs) {
  const auto found = padded(five_of_eight(), {5, 3, {{16, 0, 8, {}}}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->extent, 5);
  EXPECT_EQ(found->box.axes[found->axis].extent, 8);
  EXPECT_EQ(found->run_bytes(), 16);
  std::vector<PaddingPiece> padding = {{5, 3, {{16, 0, 8, {}}}}};
  remove_covered(*found, padding);
  EXPECT_TRUE(padding.empty());
}

TEST(PaddedBox, finds_single_elements_that_are_no_axis) {
  Box box;
  box.axes = {{16, 1, 4}};
  const PaddingPiece piece{1, 3, {{16, 0, 4, {}}}};
  const auto found = padded_box(box, std::span(&piece, 1), 1);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->extent, 1);
  EXPECT_EQ(found->box.axes[found->axis].extent, 4);
}

TEST(PaddedBox, takes_padding_however_its_iterators_are_cut) {
  EXPECT_TRUE(padded(five_of_eight(), {5, 3, {{4, 0, 32, {}}, {4, 0, 8, {}}}}));
}

TEST(PaddedBox, leaves_padding_that_lies_elsewhere_too) {
  EXPECT_FALSE(padded(five_of_eight(), {5, 3, {{17, 0, 8, {}}}}));
  EXPECT_FALSE(padded(five_of_eight(), {5, 3, {{8, 0, 16, {}}}}));
  EXPECT_FALSE(padded(five_of_eight(), {4, 4, {{16, 0, 8, {}}}})) << "before the end of the runs";
  EXPECT_FALSE(padded(five_of_eight(), {5, 4, {{16, 0, 8, {}}}})) << "9 places, no power of two";
}

TEST(PaddedBox, of_tiles_of_any_extent_has_any_number_of_places) {
  const PaddingPiece piece{5, 4, {{16, 0, 8, {}}}};
  const auto found = padded_box(five_of_eight(), std::span(&piece, 1), 2, false, PaddedBy::kTilesOfAnyExtent);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->of_any_extent);
  EXPECT_EQ(found->box.axes[found->axis].extent, 9);
  Box part = found->box;
  part.axes[1 - found->axis].extent = 4;
  EXPECT_TRUE(part_of(*found, part)->of_any_extent);
}

TEST(PaddedBox, of_tiles_of_any_extent_may_read_between_padding) {
  Box box;
  box.axes = {{3, 1, 1}, {64, 4, 4}};  // three of every four bytes on both sides
  const PaddingPiece piece{3, 1, {{64, 0, 4, {}}}};
  EXPECT_FALSE(padded_box(box, std::span(&piece, 1), 1)) << "the fourth's stride is that of the groups";
  EXPECT_TRUE(padded_box(box, std::span(&piece, 1), 1, false, PaddedBy::kTilesOfAnyExtent));
}

TEST(PaddedBox, takes_a_part_of_a_piece_where_it_may_split_it) {
  std::vector<PaddingPiece> padding = {{1, 1, {}}, {5, 3, {{20, 0, 8, {}}}}};
  const Box box = five_of_eight();
  EXPECT_FALSE(padded_box(box, padding, 2));
  const auto found = padded_box(box, padding, 2, true);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->box.axes[found->axis].extent, 8);
  remove_covered(*found, padding);
  ASSERT_EQ(padding.size(), 2U);
  EXPECT_EQ(padding[0].destination_base, 1) << "another piece";
  EXPECT_EQ(padding[1].destination_base, 16 * 8 + 5);
  EXPECT_EQ(padding[1].volume(), 4 * 3);
}

TEST(PaddedBox, splits_no_more_pieces_than_fills_are_good_for) {
  std::vector<PaddingPiece> padding(kMostSplitPieces - 2, PaddingPiece{1, 1, {}});
  padding.front() = {5, 3, {{20, 0, 8, {}}}};
  EXPECT_TRUE(padded_box(five_of_eight(), padding, 2, true));
  padding.push_back({1, 1, {}});
  EXPECT_FALSE(padded_box(five_of_eight(), padding, 2, true));
}

TEST(PaddedBox, takes_a_whole_piece_behind_however_many_others) {
  std::vector<PaddingPiece> padding(2 * kMostSplitPieces, PaddingPiece{1, 1, {}});
  padding.push_back({5, 3, {{16, 0, 8, {}}}});
  EXPECT_TRUE(padded_box(five_of_eight(), padding, 2, true));
}

TEST(PaddedBox, leaves_whole_lines_of_padding_to_fills) {
  Box box;
  box.axes = {{5, 32, 2}, {16, 2, 256}};
  std::vector<PaddingPiece> padding = {{5, 123, {{16, 0, 128, {}}}}};
  const auto found = padded(box, padding.front());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->run_bytes(), 64);
  remove_covered(*found, padding);
  ASSERT_EQ(padding.size(), 1U);
  EXPECT_EQ(padding.front().destination_base, 32);
  EXPECT_EQ(padding.front().length, 96);
  box.axes.front().extent = 32;
  EXPECT_FALSE(padded(box, {32, 96, {{16, 0, 128, {}}}})) << "data fill their line";
}

TEST(PaddedBox, takes_rows_of_the_source) {
  Box rows;
  rows.axes = {{5, 2, 2}, {16, 10, 16}};
  const auto found = padded(rows, {5, 3, {{16, 0, 8, {}}}});
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->copies_rows());
  EXPECT_EQ(found->extent, 5);
  EXPECT_FALSE(padded(five_of_eight(), {5, 3, {{16, 0, 8, {}}}})->copies_rows());
}

TEST(PaddedBox, does_not_take_what_the_source_has_several_times) {
  Box repeated = five_of_eight();
  repeated.axes.front().source_stride = 0;
  EXPECT_FALSE(padded(repeated, {5, 3, {{16, 0, 8, {}}}}));
  repeated.axes.front().source_stride = 4;
  EXPECT_FALSE(padded(repeated, {5, 3, {{16, 0, 8, {}}}})) << "two elements that lie at one place";
}

TEST(PaddedBox, does_not_take_what_the_source_has_in_places_of_the_same_power_of_two) {
  Box rows;
  rows.axes = {{5, 2, 2}, {16, 16, 16}};
  EXPECT_FALSE(padded(rows, {5, 3, {{16, 0, 8, {}}}})) << "rows of 8 places at the source, too";
  Box columns;
  columns.axes = {{3, 8, 2}, {4, 2, 8}, {16, 32, 32}};
  const PaddingPiece piece{3, 1, {{4, 0, 4, {}}, {16, 0, 16, {}}}};
  EXPECT_FALSE(padded(columns, piece)) << "4 x 4 places at the source, of which 3 x 4 hold data";
  columns.axes.back().source_stride = 24;
  EXPECT_TRUE(padded(columns, piece));
}

TEST(PaddedBox, has_parts_with_the_padded_axis_whole) {
  const auto whole = padded(five_of_eight(), {5, 3, {{16, 0, 8, {}}}});
  ASSERT_TRUE(whole);
  Box part;
  part.axes = {{8, 32, 2}, {4, 2, 16}};
  const auto found = part_of(*whole, part);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->axis, 0U);
  EXPECT_EQ(found->extent, 5);
  part.axes.front().extent = 4;
  EXPECT_FALSE(part_of(*whole, part));
}

TEST(PaddedBox, does_not_move_far_more_zeros_than_data) {
  Box box;
  box.axes = {{2, 32, 2}, {16, 2, 64}};
  EXPECT_FALSE(padded(box, {2, 30, {{16, 0, 32, {}}}}));
  box.axes.front().extent = 3;
  EXPECT_TRUE(padded(box, {3, 29, {{16, 0, 32, {}}}}));
}

TEST(PaddedBox, networks_move_what_exists_and_zeros_elsewhere) {
  std::mt19937_64 random(testing::test_seed());
  int made = 0;
  for (const int element_bytes : {1, 2, 4, 8, 16}) {
    for (std::int64_t places = 2; places * element_bytes <= 128; places *= 2) {
      for (std::int64_t data = places / 8 + 1; data < places; ++data) {
        const bool rows = random() % 2 == 0;
        const Box box = rows ? random_box_of_rows(random, element_bytes, data, places)
                             : random_box_of_runs(random, element_bytes, data, places);
        const PaddingPiece piece = padding_behind(box, element_bytes, places);
        const auto found = padded_box(box, std::span(&piece, 1), element_bytes);
        if (!found) continue;
        SCOPED_TRACE(::testing::Message() << data << " of " << places << " elements of " << element_bytes
                                          << ", seed " << testing::test_seed());
        for (const auto& whole :
             {whole_tile(*found, element_bytes),
              element_bytes < 16 && !rows ? whole_rounded_tile(*found, element_bytes) : std::nullopt}) {
          if (!whole) continue;
          ++made;
          ASSERT_TRUE(whole->network.fills_padding);
          ASSERT_EQ(origins_of(whole->network), expected_origins(*found, whole->tile, element_bytes))
              << to_string(whole->network);
        }
      }
    }
  }
  EXPECT_GT(made, 100);
}

}  // namespace
}  // namespace relayout::plan
