#include "src/plan/shuffle.hpp"

#include <gtest/gtest.h>

namespace relayout::plan {
namespace {

struct ShuffleAxis {
  std::int64_t extent;
  std::int64_t source_stride;
  std::int64_t destination_stride;
};

/// A tile of bytes that takes all of its box.
std::optional<ShuffleKernel> shuffle_of(std::initializer_list<ShuffleAxis> axes, int piece_bytes) {
  Box box;
  MicroTile tile;
  for (const ShuffleAxis& axis : axes) {
    Axis& in_box = box.axes.emplace_back();
    in_box.extent = axis.extent;
    in_box.source_stride = axis.source_stride;
    in_box.destination_stride = axis.destination_stride;
    tile.extents.push_back(axis.extent);
  }
  return make_shuffle(box, tile, 1, {.piece_bytes = piece_bytes});
}

TEST(MakeShuffle, reads_runs_and_the_gaps_between_them_as_one_piece) {
  const auto wide = shuffle_of({{4, 8, 1}, {3, 1, 4}}, 64);
  ASSERT_TRUE(wide);
  ASSERT_EQ(wide->sources.size(), 1U);
  EXPECT_EQ(wide->sources[0].bytes, 27) << "nothing behind the last run";
  EXPECT_EQ(term_count(*wide), 1U);
  EXPECT_TRUE(is_sound(*wide));
  for (int to = 0; to < 12; ++to)
    EXPECT_EQ(wide->terms[0][0].index[static_cast<std::size_t>(to)], to % 4 * 8 + to / 4);

  const auto narrow = shuffle_of({{4, 8, 1}, {3, 1, 4}}, 16);
  ASSERT_TRUE(narrow);
  ASSERT_EQ(narrow->sources.size(), 2U);
  EXPECT_EQ(narrow->sources[1].offset_bytes, 16);
  EXPECT_EQ(narrow->sources[1].bytes, 11);
}

TEST(MakeShuffle, cuts_no_run_to_read_it_with_the_one_before) {
  const auto shuffle = shuffle_of({{3, 50, 1}, {40, 1, 3}}, 64);
  ASSERT_TRUE(shuffle);
  ASSERT_EQ(shuffle->sources.size(), 3U);
  for (const ShuffleKernel::Piece& piece : shuffle->sources) EXPECT_EQ(piece.bytes, 40);
}

TEST(MakeShuffle, writes_no_gaps) {
  const auto shuffle = shuffle_of({{4, 1, 8}, {3, 4, 1}}, 64);
  ASSERT_TRUE(shuffle);
  EXPECT_EQ(shuffle->destinations.size(), 4U);
  for (const ShuffleKernel::Piece& piece : shuffle->destinations) EXPECT_EQ(piece.bytes, 3);
}

TEST(MakeShuffle, takes_large_tiles_whose_runs_share_pieces) {
  const auto shuffle = shuffle_of({{4, 1, 1000}, {64, 8, 1}}, 64);
  ASSERT_TRUE(shuffle);
  EXPECT_EQ(term_count(*shuffle), 32U) << "8 pieces to read, each for 4 to write";
  EXPECT_FALSE(shuffle_of({{4, 1, 1000}, {64, 128, 1}}, 64)) << "each element a shuffle of its own";
}

}  // namespace
}  // namespace relayout::plan
