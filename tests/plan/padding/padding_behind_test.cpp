#include "src/plan/padding/padding_behind.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

namespace relayout::plan {
namespace {

/// Elements that a piece of padding has.
std::vector<std::int64_t> places_of(const PaddingPiece& piece) {
  std::vector<std::int64_t> places(static_cast<std::size_t>(piece.length));
  std::iota(places.begin(), places.end(), piece.destination_base);
  for (const Iterator& iterator : piece.iterators) {
    const std::vector<std::int64_t> once = places;
    for (std::int64_t i = 1; i < iterator.extent; ++i)
      for (const std::int64_t place : once) places.push_back(place + i * iterator.destination_stride);
  }
  std::ranges::sort(places);
  return places;
}

std::vector<std::int64_t> places_of(const std::vector<PaddingPiece>& pieces) {
  std::vector<std::int64_t> places;
  for (const PaddingPiece& piece : pieces) std::ranges::copy(places_of(piece), std::back_inserter(places));
  std::ranges::sort(places);
  return places;
}

/// Elements of 2 bytes: runs of `data` of 4 places, `rows` of them, the first at so many elements.
Box runs_of(std::int64_t base, std::int64_t data, std::int64_t rows) {
  Box box;
  box.destination_base = base * 2;
  box.axes = {{data, 100, 2}, {rows, 1000, 8}};
  return box;
}

/// The box with one of its places changed.
Box elsewhere(Box box, std::mt19937& random) {
  Axis& axis = box.axes[random() % box.axes.size()];
  switch (random() % 3) {
    case 0:
      box.destination_base += static_cast<std::int64_t>(random() % 9) - 4;
      break;
    case 1:
      axis.extent += 1 + static_cast<std::int64_t>(random() % 3);
      break;
    default:
      axis.destination_stride += 1 + static_cast<std::int64_t>(random() % 8);
      break;
  }
  return box;
}

void expect_nothing_or_all_of(const PaddingPiece& piece, const Box& box, int round) {
  const auto parts = parts_behind(box, 0, piece, 0, 1);
  if (parts.empty()) return;
  EXPECT_EQ(places_of(parts), places_of(piece)) << round;
}

TEST(PaddingBehind, is_a_part_of_a_piece_that_lies_behind_several_boxes) {
  const PaddingPiece piece{3, 1, {{90, 0, 4, {}}}};
  const auto parts = parts_behind(runs_of(80, 3, 50), 0, piece, 0, 2);
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts[0].destination_base, 83);
  EXPECT_EQ(parts[0].volume(), 50);
  EXPECT_EQ(parts[1].destination_base, 3) << "20 rows before the box";
  EXPECT_EQ(parts[1].volume(), 20);
  EXPECT_EQ(parts[2].destination_base, 283) << "and 20 behind it";
  EXPECT_EQ(parts[2].volume(), 20);
  EXPECT_EQ(places_of(parts), places_of(piece));
}

TEST(PaddingBehind, is_found_where_rows_of_the_piece_go_on_past_those_of_the_box) {
  // 30 groups of 90 rows, which follow one another; the box has 80 rows of each.
  const PaddingPiece piece{3, 1, {{2700, 0, 4, {}}}};
  Box box = runs_of(0, 3, 80);
  box.axes.push_back({30, 100000, 720});
  const auto parts = parts_behind(box, 0, piece, 0, 2);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].volume(), 80 * 30);
  EXPECT_EQ(parts[1].destination_base, 80 * 4 + 3);
  EXPECT_EQ(parts[1].volume(), 10 * 30);
  EXPECT_EQ(places_of(parts), places_of(piece));
}

TEST(PaddingBehind, is_nothing_where_the_piece_does_not_have_all_of_it) {
  const PaddingPiece piece{3, 1, {{90, 0, 4, {}}}};
  EXPECT_TRUE(parts_behind(runs_of(80, 3, 71), 0, piece, 0, 2).empty()) << "past the last row";
  EXPECT_TRUE(parts_behind(runs_of(0, 2, 50), 0, piece, 0, 2).empty()) << "runs end before it";
  EXPECT_TRUE(parts_behind(runs_of(0, 3, 50), 0, {7, 1, {{90, 0, 4, {}}}}, 0, 2).empty())
      << "before the piece";
  EXPECT_TRUE(parts_behind(runs_of(0, 3, 50), 0, {3, 1, {{90, 0, 8, {}}}}, 0, 2).empty())
      << "every other row";
  Box groups = runs_of(0, 3, 40);
  groups.axes.push_back({2, 1, 8 * 46});
  EXPECT_TRUE(parts_behind(groups, 0, piece, 0, 2).empty()) << "groups of 46 rows do not divide 90";
}

TEST(PaddingBehind, and_the_rest_are_all_of_the_piece_once) {
  std::mt19937 random(20261127);
  const auto below = [&](std::int64_t n) { return static_cast<std::int64_t>(random() % n); };
  for (int round = 0; round < 300; ++round) {
    // A piece of rows in groups in blocks, each with room for more, and a box that has a range of each.
    PaddingPiece piece{below(5) + 4, 1 + below(3), {}};
    Box box;
    box.axes = {{4, 1000, 1}};
    std::int64_t stride = 8;
    std::int64_t first_bytes = 0;
    for (int level = 0; level < 3; ++level) {
      const std::int64_t extent = 1 + below(6);
      const std::int64_t first = below(extent);
      const std::int64_t count = 1 + below(extent - first);
      piece.iterators.push_back({extent, 0, stride, {}});
      if (count > 1) box.axes.push_back({count, 1, stride});
      first_bytes += first * stride;
      stride *= extent + below(2);
    }
    box.destination_base = piece.destination_base - 4 + first_bytes;
    const auto parts = parts_behind(box, 0, piece, 0, 1);
    ASSERT_FALSE(parts.empty()) << round;
    expect_nothing_or_all_of(piece, elsewhere(box, random), round);
    EXPECT_EQ(places_of(parts), places_of(piece)) << round;
    EXPECT_EQ(parts.front().destination_base, box.destination_base + 4) << round;
    EXPECT_EQ(static_cast<double>(parts.front().volume()),
              box.elements() / 4 * static_cast<double>(piece.length))
        << round;
  }
}

}  // namespace
}  // namespace relayout::plan
