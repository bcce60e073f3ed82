#include "src/plan/padding/padded_rows.hpp"

#include <gtest/gtest.h>

namespace relayout::plan {
namespace {

constexpr std::int64_t kAllBytes = 7680;

/// 4-byte elements, 10 matrices of 5 rows of 19 in 8 rows of 24 places; the source is dense.
Box matrices() {
  Box box;
  box.axes = {{19, 4, 4}, {5, 76, 96}, {10, 380, 768}};
  return box;
}

PaddingPiece behind_elements(std::int64_t rows) {
  return {19, 5, {{rows, 0, 24, {}}, {10, 0, 192, {}}}};
}

PaddingPiece behind_rows() {
  return {5 * 24, 3 * 24, {{10, 0, 192, {}}}};
}

std::optional<PaddedRows> padded(const std::vector<PaddingPiece>& pieces) {
  return padded_rows(matrices(), pieces, 4);
}

TEST(PaddedRows, take_the_padding_behind_an_axis) {
  const auto rows = padded({behind_elements(5)});
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->box.axes[0].extent, 24);
  EXPECT_EQ(rows->box.axes[1].extent, 5);
  const auto data = data_of(*rows, rows->box, kAllBytes);
  ASSERT_TRUE(data);
  EXPECT_EQ(data->axes[0].extent, 19);
}

TEST(PaddedRows, tell_how_many_places_an_element_has) {
  EXPECT_DOUBLE_EQ(padded({behind_elements(5)})->places_per_element(), 24.0 / 19);
  EXPECT_DOUBLE_EQ(padded({behind_rows(), behind_elements(5)})->places_per_element(), 24.0 / 19 * 8 / 5);
}

TEST(PaddedRows, take_the_padding_behind_several_axes_in_whichever_order_it_is_cut) {
  const PaddingPiece short_rows{5 * 24, 19, {{3, 0, 24, {}}, {10, 0, 192, {}}}};
  for (const auto& pieces :
       {std::vector{behind_rows(), behind_elements(5)}, std::vector{behind_elements(8), short_rows}}) {
    const auto rows = padded(pieces);
    ASSERT_TRUE(rows);
    EXPECT_EQ(rows->box.axes[0].extent, 24);
    EXPECT_EQ(rows->box.axes[1].extent, 8);
    EXPECT_EQ(rows->box.axes[2].extent, 10);
    const auto data = data_of(*rows, rows->box, kAllBytes);
    ASSERT_TRUE(data);
    EXPECT_EQ(data->axes[0].extent, 19);
    EXPECT_EQ(data->axes[1].extent, 5);
    std::vector<PaddingPiece> rest = {pieces[0], PaddingPiece{7680, 1, {}}, pieces[1]};
    remove_covered(*padded(rest), rest);
    ASSERT_EQ(rest.size(), 1U);
    EXPECT_EQ(rest[0].destination_base, 7680);
  }
}

TEST(PaddedRows, take_a_part_of_a_piece_where_they_may_split_it) {
  std::vector<PaddingPiece> padding = {behind_elements(8)};
  EXPECT_FALSE(padded(padding));
  const auto rows = padded_rows(matrices(), padding, 4, true);
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->box.axes[0].extent, 24);
  EXPECT_EQ(rows->box.axes[1].extent, 5);
  remove_covered(*rows, padding);
  ASSERT_EQ(padding.size(), 1U);
  EXPECT_EQ(padding[0].destination_base, 5 * 24 + 19);
  EXPECT_EQ(padding[0].volume(), 3 * 5 * 10);
}

TEST(PaddedRows, split_no_piece_that_lies_behind_an_axis_whole) {
  std::vector<PaddingPiece> padding = {behind_elements(8), {5 * 24, 19, {{3, 0, 24, {}}, {10, 0, 192, {}}}}};
  const auto rows = padded_rows(matrices(), padding, 4, true);
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->box.axes[1].extent, 8);
  remove_covered(*rows, padding);
  EXPECT_TRUE(padding.empty());
}

TEST(PaddedRows, take_two_pieces_behind_the_same_axis) {
  PaddingPiece first = behind_elements(5);
  first.length = 2;
  PaddingPiece second = behind_elements(5);
  second.destination_base = 21;
  second.length = 3;
  const auto rows = padded({second, first});
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->box.axes[0].extent, 24);
  EXPECT_EQ(data_of(*rows, rows->box, kAllBytes)->axes[0].extent, 19);
}

TEST(PaddedRows, leave_padding_that_lies_elsewhere_too) {
  EXPECT_FALSE(padded({}));
  EXPECT_FALSE(padded({behind_elements(4)})) << "behind four of five rows";
  PaddingPiece apart = behind_elements(5);
  apart.destination_base = 20;
  EXPECT_FALSE(padded({apart}));
  PaddingPiece once_more = behind_elements(5);
  once_more.iterators[1].extent = 11;
  EXPECT_FALSE(padded({once_more}));
}

TEST(PaddedRows, have_no_data_in_parts_without_whole_axes) {
  const auto rows = padded({behind_elements(5)});
  Box part = rows->box;
  part.axes[1].extent = 2;
  EXPECT_TRUE(data_of(*rows, part, kAllBytes));
  part.axes[0].extent = 16;
  EXPECT_FALSE(data_of(*rows, part, kAllBytes));
  part.axes.erase(part.axes.begin());
  EXPECT_FALSE(data_of(*rows, part, kAllBytes));
}

TEST(PaddedRows, have_no_data_where_another_axis_leads_to_runs_as_far_apart_in_a_scratch) {
  const auto rows = padded({{5 * 24, 19, {{3, 0, 24, {}}, {10, 0, 192, {}}}}});
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->box.axes[1].extent, 8);
  Box part;  // runs of one row, of 8 matrices, 96 bytes apart as the rows of a matrix are
  part.axes = {{19, 4, 4}, {8, 380, 96}};
  EXPECT_FALSE(data_of(*rows, part, 76));
}

TEST(PaddedRows, are_not_those_of_guarded_boxes) {
  Box box = matrices();
  box.guard_limits = {3};
  const std::vector<PaddingPiece> pieces = {behind_elements(5)};
  EXPECT_FALSE(padded_rows(box, pieces, 4));
}

}  // namespace
}  // namespace relayout::plan
