// Boxes of elements narrower than a byte, and the networks that move them: every bit of the tile is followed
// by the simulator and compared with the axes' own arithmetic on bits.

#include "src/plan/boxes/packed_boxes.hpp"

#include <algorithm>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "src/plan/tiles/micro_tile.hpp"
#include "tests/plan/network/network_checks.hpp"

namespace relayout::plan {
namespace {

using testing::kVectorIsas;
using testing::target_of;

constexpr int kZero = -1;

/// Destination bit to source bit, or kZero; for all elements of axes whose strides are in elements.
std::map<std::int64_t, std::int64_t> definition(const std::vector<Axis>& axes, const PackedSpacing& spacing) {
  std::map<std::int64_t, std::int64_t> moved;
  const int width = std::min(spacing.source_bits, spacing.destination_bits);
  std::int64_t elements = 1;
  for (const Axis& axis : axes) elements *= axis.extent;
  for (std::int64_t i = 0; i < elements; ++i) {
    std::int64_t rest = i;
    std::int64_t source = 0;
    std::int64_t destination = 0;
    for (const Axis& axis : axes) {
      source += rest % axis.extent * axis.source_stride;
      destination += rest % axis.extent * axis.destination_stride;
      rest /= axis.extent;
    }
    for (int bit = 0; bit < spacing.destination_bits; ++bit) {
      moved[destination * spacing.destination_bits + bit] =
          bit < width ? source * spacing.source_bits + bit : kZero;
    }
  }
  return moved;
}

std::int64_t address(const Side& side, std::size_t reg, std::size_t byte) {
  std::int64_t sum = 0;
  for (std::size_t slot = 0; slot < side.register_stride_bytes.size(); ++slot)
    if ((reg >> slot & 1) != 0) sum += side.register_stride_bytes[slot];
  for (std::size_t bit = 0; bit < side.lane_stride_bytes.size(); ++bit)
    if ((byte >> bit & 1) != 0) sum += side.lane_stride_bytes[bit];
  return sum;
}

/// What the network does, in the same form.
std::map<std::int64_t, std::int64_t> simulated(const Network& network) {
  std::map<std::int64_t, std::int64_t> moved;
  const auto vector_bytes = static_cast<std::size_t>(network.vector_bytes);
  const auto registers = simulate_bits(network);
  for (std::size_t reg = 0; reg < registers.size(); ++reg) {
    for (std::size_t i = 0; i < registers[reg].size(); ++i) {
      const std::int64_t to = address(network.destination, reg, i / 8) * 8 + static_cast<std::int64_t>(i % 8);
      const int label = registers[reg][i];
      if (label < 0) {
        moved[to] = kZero;
        continue;
      }
      const auto byte = static_cast<std::size_t>(label / 8);
      moved[to] = address(network.source, byte / vector_bytes, byte % vector_bytes) * 8 + label % 8;
    }
  }
  return moved;
}

Result<Network> network_of(const Box& packed, Isa isa) {
  MicroTile tile;
  for (const Axis& axis : packed.axes) tile.extents.push_back(axis.extent);
  return synthesize(target_of(isa), 1, tile_bits(packed, tile, 1));
}

void expect_moved(const std::vector<Axis>& axes, const PackedSpacing& spacing) {
  Box box;
  box.axes = axes;
  const auto packed = pack_box(box, spacing);
  ASSERT_TRUE(packed) << packed.error().message;
  for (const Isa isa : kVectorIsas) {
    const auto network = network_of(*packed, isa);
    ASSERT_TRUE(network) << network.error().message;
    ASSERT_EQ(simulated(*network), definition(axes, spacing)) << to_string(*network);
  }
}

/// Rows and columns of `extent` elements; the source is contiguous along the first, the destination along the
/// second.
std::vector<Axis> transpose(std::int64_t extent) {
  return {{extent, 1, extent}, {extent, extent, 1}};
}

TEST(PackedBoxes, example) {
  Box box;
  box.axes = transpose(64);
  const auto packed = pack_box(box, {4, 4});
  ASSERT_TRUE(packed);
  ASSERT_EQ(packed->sub_byte_bits.size(), 1U);
  const TileBit bit = packed->sub_byte_bits.front();
  EXPECT_EQ(bit.sub_byte, SubByte::kExchange);
  EXPECT_EQ(bit.shift_bits, 4);
  EXPECT_EQ(bit.source_stride_bytes, 32);       // one row
  EXPECT_EQ(bit.destination_stride_bytes, 32);  // one column
  ASSERT_EQ(packed->axes.size(), 2U);
  EXPECT_EQ(packed->axes[0].extent, 32);
  EXPECT_EQ(packed->axes[0].destination_stride, 1);
  EXPECT_EQ(packed->axes[0].source_stride, 64);
}

TEST(PackedBoxes, bytes_that_stay_together_are_moved_whole) {
  Box box;
  box.axes = {{8, 1, 1}, {16, 8, 128}, {16, 128, 8}};
  const auto packed = pack_box(box, {2, 2});
  ASSERT_TRUE(packed);
  EXPECT_TRUE(packed->sub_byte_bits.empty());
  EXPECT_EQ(packed->axes.front().extent, 2);
  EXPECT_EQ(packed->axes.front().source_stride, 1);
}

TEST(PackedBoxes, rows_within_bytes_are_refused) {
  Box ragged;
  ragged.axes = {{129, 1, 33}, {33, 129, 1}};
  EXPECT_EQ(pack_box(ragged, {4, 4}).error().code, ErrorCode::kUnsupported);
  Box shifted;
  shifted.axes = transpose(64);
  shifted.source_base = 1;
  EXPECT_EQ(pack_box(shifted, {4, 4}).error().code, ErrorCode::kUnsupported);
  Box narrower;
  narrower.axes = {{64, 1, 1}};
  EXPECT_EQ(pack_box(narrower, {2, 4}).error().code, ErrorCode::kUnsupported);
}

TEST(PackedBoxes, exchanges_move_every_bit_of_a_transpose) {
  for (const int bits : {1, 2, 4}) expect_moved(transpose(bits == 1 ? 256 : 128), {bits, bits});
}

TEST(PackedBoxes, splits_unpack_along_a_run_and_across) {
  for (const int bits : {1, 2, 4}) {
    expect_moved({{1024, 1, 1}}, {bits, 8});
    expect_moved(transpose(128), {bits, 8});
  }
}

TEST(PackedBoxes, joins_pack_along_a_run_and_across) {
  for (const int bits : {1, 2, 4}) {
    expect_moved({{1024, 1, 1}}, {8, bits});
    expect_moved(transpose(128), {8, bits});
  }
}

TEST(PackedBoxes, tiles_of_rows_within_bytes_are_undone) {
  // (32,1) for single bits and (8,1) for four: rows within a byte, columns outside.
  expect_moved({{32, 1, 128}, {128, 32, 1}}, {1, 1});
  expect_moved({{128, 32, 1}, {32, 1, 128}}, {1, 1});
  expect_moved({{8, 1, 128}, {128, 8, 1}}, {4, 4});
  expect_moved({{8, 128, 1}, {128, 1, 8}}, {4, 4});
}

TEST(PackedBoxes, random_orders_of_bits_are_moved_or_refused) {
  std::mt19937_64 random(testing::test_seed());
  SCOPED_TRACE("RELAYOUT_TEST_SEED=" + std::to_string(testing::test_seed()));
  int moved = 0;
  for (int round = 0; round < 200; ++round) {
    const int bits = 1 << random() % 3;
    const PackedSpacing spacing = {random() % 3 == 0 ? 8 : bits, random() % 3 == 0 ? 8 : bits};
    std::vector<std::int64_t> places;
    for (int place = 0; place < 11; ++place) places.push_back(std::int64_t{1} << place);
    std::vector<Axis> axes;
    std::vector<std::int64_t> shuffled = places;
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    for (std::size_t i = 0; i < places.size(); ++i) axes.push_back({2, places[i], shuffled[i]});
    Box box;
    box.axes = axes;
    const auto packed = pack_box(box, spacing);
    const auto network = packed ? network_of(*packed, kVectorIsas[round % 3]) : packed.error();
    if (!network) continue;
    ++moved;
    ASSERT_EQ(simulated(*network), definition(axes, spacing)) << round << "\n" << to_string(*network);
  }
  EXPECT_GT(moved, 50);
}

}  // namespace
}  // namespace relayout::plan
