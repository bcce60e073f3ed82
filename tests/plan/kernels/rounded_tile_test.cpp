#include "src/plan/kernels/rounded_tile.hpp"

#include <map>
#include <random>

#include <gtest/gtest.h>

#include "tests/plan/kernels/rounded_boxes.hpp"
#include "tests/plan/network/network_checks.hpp"

namespace relayout::plan {
namespace {

using testing::box_of;
using testing::guarded_box_of;
using testing::long_tile_of;
using testing::moves_of;
using testing::random_long_box;
using testing::random_rounded_box;
using testing::random_trimmed_box;
using testing::rounded_network;

TEST(RoundedTile, joins_small_axes_that_follow_one_another) {
  // Bytes [16,3,5] out of rows of 16: 15 bytes of the destination in a row of 16.
  const Box box = box_of({{5, 192, 1}, {3, 16, 5}, {16, 1, 15}});
  const auto tile = rounded_tile(box, 1, {16, 16});
  ASSERT_TRUE(tile);
  EXPECT_EQ(tile->tile.extents, (std::vector<std::int64_t>{5, 3, 16}));
  EXPECT_EQ(tile->destination.units, 15);
  EXPECT_EQ(tile->destination.rounded(), 16);
  EXPECT_EQ(tile->source.units, 16);
  EXPECT_EQ(tile->rounded_bytes(), 256);
}

TEST(RoundedTile, takes_even_steps_of_the_axis_that_fills_up_a_run) {
  const Box box = box_of({{9, 1, 4096}, {256, 9, 16}, {16, 2304, 1}});
  const auto tile = rounded_tile(box, 1, {64, 16});
  ASSERT_TRUE(tile);
  EXPECT_EQ(tile->source.units, 63) << "9 x 7 of the 64 that a line has room for";
  const auto longer = rounded_tile(box_of({{9, 1, 4096}, {10, 9, 16}, {16, 90, 1}}), 1, {64, 16});
  ASSERT_TRUE(longer);
  EXPECT_EQ(longer->source.units, 45) << "two steps of 5, instead of 7 and 3";
}

TEST(RoundedTile, leaves_powers_of_two_alone) {
  EXPECT_FALSE(rounded_tile(box_of({{16, 64, 1}, {64, 1, 16}}), 1, {64, 16}));
  EXPECT_FALSE(rounded_tile(box_of({{100, 100, 1}, {100, 1, 100}}), 1, {32, 32}))
      << "longer axes overlap instead";
}

TEST(RoundedTile, is_no_smaller_than_a_vector_and_no_larger_than_code_should_be) {
  EXPECT_FALSE(rounded_tile(box_of({{3, 3, 1}, {3, 1, 3}}), 1, {16, 16})) << "4 x 4 bytes";
  EXPECT_FALSE(rounded_tile(box_of({{50, 50, 1}, {50, 1, 50}}), 1, {64, 64}));
  const Box box = box_of({{29, 29, 1}, {50, 1, 50}});
  EXPECT_FALSE(rounded_tile(box, 1, {64, 64}));
  EXPECT_TRUE(rounded_tile(box, 1, {{64, 64}, 2048})) << "32 x 64 bytes";
  EXPECT_FALSE(rounded_tile(box_of({{50, 50, 1}, {50, 1, 50}}), 1, {{64, 64}, 2048}));
}

TEST(RoundedTile, tells_where_the_rows_of_either_side_begin) {
  const Box box = box_of({{3, 16, 1}, {2, 4096, 3}, {8, 1, 6}});
  const auto tile = rounded_tile(box, 1, {16, 16});
  ASSERT_TRUE(tile);
  EXPECT_EQ(row_offsets(box, *tile, true), (std::vector<std::int64_t>{0, 16, 32, 4096, 4112, 4128}));
  EXPECT_EQ(row_offsets(box, *tile, false), (std::vector<std::int64_t>{0, 6, 12, 18, 24, 30, 36, 42}));
}

TEST(RoundedTile, example_places_the_pieces_that_exist) {
  const Box box = box_of({{3, 16, 1}, {16, 1, 3}});
  const auto tile = rounded_tile(box, 1, {16, 16});
  ASSERT_TRUE(tile);
  const Network network = rounded_network(box, *tile);
  std::map<std::int64_t, int> bytes_at;
  for (const SidePiece& piece : network.destination.pieces)
    if (piece.bytes > 0) bytes_at[piece.offset_bytes] += piece.bytes;
  ASSERT_EQ(bytes_at.size(), 16U);
  for (std::int64_t row = 0; row < 16; ++row) EXPECT_EQ(bytes_at[3 * row], 3);
}

TEST(RoundedTile, moves_elements_that_follow_one_another_on_both_sides_as_one) {
  // 12 rows of bytes in fours, as (4,1) tiles have them, to rows of 12.
  const Box box = box_of({{4, 1, 1}, {3, 512, 4}, {128, 4, 12}});
  const auto tile = rounded_tile(box, 1, {64, 64});
  ASSERT_TRUE(tile);
  EXPECT_EQ(tile->unit_bytes, 4);
  EXPECT_EQ(tile->tile.extents, (std::vector<std::int64_t>{4, 3, 16}));
  EXPECT_EQ(tile->destination.units, 3);
  EXPECT_EQ(tile->tile.destination_run_bytes, 12);
  EXPECT_EQ(tile->source.units, 16);
  EXPECT_EQ(rounded_network(box, *tile).element_bytes, 4);
  const auto threes = rounded_tile(box_of({{3, 1, 1}, {5, 512, 3}, {128, 3, 15}}), 1, {64, 64});
  EXPECT_TRUE(!threes || threes->unit_bytes == 1) << "none is to be spread";
}

TEST(RoundedTile, gives_units_of_other_lengths_the_room_of_the_next_power_of_two) {
  const Box pixels = box_of({{3, 1, 1}, {500, 1500, 3}, {500, 3, 1500}});
  const auto tile = rounded_tile(pixels, 1, {{64, 32}, kMostRoundedBytes, 3});
  ASSERT_TRUE(tile);
  EXPECT_EQ(tile->unit_bytes, 4);
  EXPECT_EQ(tile->unit_data_bytes, 3);
  EXPECT_EQ(tile->tile.extents, (std::vector<std::int64_t>{3, 8, 16}));
  EXPECT_EQ(tile->tile.source_run_bytes, 48);
  EXPECT_EQ(tile->tile.destination_run_bytes, 24);
  EXPECT_EQ(tile->rounded_bytes(), 16 * 8 * 4);
  EXPECT_EQ(tile->moved_bytes(), 16 * 8 * 3);
  const auto longer =
      rounded_tile(box_of({{6, 1, 1}, {500, 3000, 6}, {500, 6, 3000}}), 1, {{64, 32}, 1024, 3});
  EXPECT_TRUE(!longer || !longer->spreads_units()) << "longer than asked for";
}

TEST(RoundedTile, spreads_no_units_of_a_run_that_is_cut_off) {
  const Box box = guarded_box_of({{3, 1, 1, 1}, {4, 512, 3, 3}, {128, 3, 11}}, 11);
  const auto tile = rounded_tile(box, 1, {{64, 16}, kMostRoundedBytes, 7});
  EXPECT_TRUE(!tile || !tile->spreads_units()) << "a third of the last is cut off";
}

TEST(RoundedTile, takes_a_run_whole_whose_end_is_cut_off) {
  // 2-byte elements of 23 columns in pairs, as (8,128)(2,1) tiles have them, to rows of 46 bytes.
  const Box box = guarded_box_of({{2, 2, 2, 1}, {4, 512, 4, 2}, {3, 16384, 16, 8}, {128, 4, 46}}, 23);
  const auto tile = rounded_tile(box, 2, {64, 16});
  ASSERT_TRUE(tile);
  ASSERT_TRUE(tile->trimmed);
  EXPECT_EQ(tile->tile.extents, (std::vector<std::int64_t>{2, 4, 3, 16})) << "however short others may be";
  EXPECT_EQ(tile->unit_bytes, 4);
  EXPECT_EQ(tile->destination.units, 12) << "half of the last is cut off";
  EXPECT_EQ(tile->tile.destination_run_bytes, 46);
  EXPECT_EQ(tile->moved_bytes(), 16 * 46);
}

TEST(RoundedTile, does_not_write_past_a_run_that_is_cut_off_within_a_unit) {
  const Box box = guarded_box_of({{2, 2, 2, 1}, {128, 46, 4}, {4, 4, 512, 2}, {3, 16, 16384, 8}}, 23);
  const auto tile = rounded_tile(box, 2, {16, 64});
  EXPECT_TRUE(!tile || tile->unit_bytes == 2)
      << "where the pair's other half is written, there is none to read";
  const Box even = guarded_box_of({{2, 2, 2, 1}, {128, 44, 4}, {4, 4, 512, 2}, {3, 16, 16384, 8}}, 22);
  const auto pairs = rounded_tile(even, 2, {16, 64});
  ASSERT_TRUE(pairs);
  EXPECT_EQ(pairs->unit_bytes, 4);
  EXPECT_EQ(pairs->tile.source_run_bytes, 44);
}

void expect_network_to_move(const Box& box, const RoundedTile& tile, int element_bytes) {
  const Network network = rounded_network(box, tile);
  std::map<std::int64_t, std::int64_t> expected;
  for (const auto& move : moves_of(box, tile, element_bytes)) expected[move.destination] = move.source;
  EXPECT_EQ(testing::moves_of(network), expected) << to_string(network) << "seed " << testing::test_seed();
}

TEST(RoundedTile, networks_move_every_element_once_and_nothing_else) {
  std::mt19937_64 random(testing::test_seed());
  for (const int element_bytes : {1, 2, 4, 8}) {
    for (int i = 0; i < 200; ++i) {
      const auto [box, limits] = random_rounded_box(random, element_bytes);
      const auto tile = rounded_tile(box, element_bytes, {limits});
      if (tile) expect_network_to_move(box, *tile, element_bytes);
      if (HasFailure()) return;
    }
  }
}

TEST(RoundedTile, networks_of_runs_longer_than_lines_move_every_element_once) {
  std::mt19937_64 random(testing::test_seed());
  int found = 0;
  for (const int element_bytes : {1, 2, 4, 8}) {
    for (int i = 0; i < 100; ++i) {
      const auto box = random_long_box(random, element_bytes);
      const auto tile = long_tile_of(box, element_bytes);
      if (!tile) continue;
      ++found;
      expect_network_to_move(box.box, *tile, element_bytes);
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(found, 100);
}

TEST(RoundedTile, networks_move_what_a_guard_leaves_of_a_run) {
  std::mt19937_64 random(testing::test_seed());
  int trimmed = 0;
  for (const int element_bytes : {1, 2, 4, 8}) {
    for (int i = 0; i < 200; ++i) {
      const auto [box, limits] = random_trimmed_box(random, element_bytes);
      const auto tile = rounded_tile(box, element_bytes, {limits, 2 * kMostRoundedBytes});
      if (!tile || !tile->trimmed) continue;
      ++trimmed;
      expect_network_to_move(box, *tile, element_bytes);
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(trimmed, 200);
}

}  // namespace
}  // namespace relayout::plan
