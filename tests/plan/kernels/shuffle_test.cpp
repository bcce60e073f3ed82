#include "src/plan/kernels/shuffle.hpp"

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

/// Every fourth of so many bytes, of a source that has so many from there on.
std::optional<ShuffleKernel> every_fourth(std::int64_t bytes, std::int64_t readable_bytes) {
  Box box;
  box.axes = {{.extent = bytes, .source_stride = 4, .destination_stride = 1}};
  return make_shuffle(box, {{bytes}, 1, bytes}, 1, {.piece_bytes = 16, .readable_bytes = readable_bytes});
}

TEST(MakeShuffle, reads_whole_pieces_where_the_source_goes_on) {
  const auto bytes_of_pieces = [](const std::optional<ShuffleKernel>& shuffle) {
    std::vector<int> bytes;
    for (const ShuffleKernel::Piece& piece : shuffle->sources) bytes.push_back(piece.bytes);
    return bytes;
  };
  EXPECT_EQ(bytes_of_pieces(every_fourth(8, 32)), (std::vector{16, 16}));
  EXPECT_EQ(bytes_of_pieces(every_fourth(8, 31)), (std::vector{16, 13})) << "a byte short";
  EXPECT_EQ(bytes_of_pieces(every_fourth(8, 0)), (std::vector{13, 13})) << "unknown";
}

TEST(MakeShuffle, writes_zeros_to_places_without_data) {
  Box box;
  box.axes = {{.extent = 4, .source_stride = 1, .destination_stride = 1},
              {.extent = 4, .source_stride = 8, .destination_stride = 4}};
  const MicroTile places{{4, 4}, 4, 16};
  const auto shuffle = make_shuffle(box, {{3, 4}, 3, 3}, 1, {.piece_bytes = 64}, &places);
  ASSERT_TRUE(shuffle);
  EXPECT_TRUE(is_sound(*shuffle));
  ASSERT_EQ(shuffle->destinations.size(), 1U);
  EXPECT_EQ(shuffle->destinations[0].bytes, 16);
  ASSERT_EQ(term_count(*shuffle), 1U);
  for (int to = 0; to < 16; ++to) {
    const int from = to % 4 == 3 ? 0x80 : to / 4 * 8 + to % 4;
    EXPECT_EQ(shuffle->terms[0][0].index[static_cast<std::size_t>(to)], from) << to;
  }
}

}  // namespace
}  // namespace relayout::plan
