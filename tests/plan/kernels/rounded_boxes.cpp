#include "tests/plan/kernels/rounded_boxes.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "src/plan/boxes/spread_units.hpp"
#include "src/plan/machine/line.hpp"

namespace relayout::plan::testing {
namespace {

/// Strides of these extents in the order given, innermost first; a gap before each axis now and then.
std::vector<std::int64_t> strides_in_order(std::mt19937_64& random, const std::vector<std::int64_t>& extents,
                                           const std::vector<std::size_t>& order, int element_bytes) {
  std::vector<std::int64_t> strides(extents.size());
  std::int64_t next = element_bytes;
  for (const std::size_t axis : order) {
    strides[axis] = next;
    next *= extents[axis];
    if (random() % 4 == 0) next += static_cast<std::int64_t>(random() % 5) * element_bytes;
  }
  return strides;
}

/// What a byte of a register is on a side: nothing, or an offset.
std::optional<std::int64_t> offset_of(const Side& side, const Network& network, int number, int byte) {
  const int piece_bytes = std::min(side.piece_bytes(), network.vector_bytes);
  const std::size_t piece =
      static_cast<std::size_t>(number * network.vector_bytes + byte) / static_cast<std::size_t>(piece_bytes);
  const SidePiece& found = side.pieces.at(piece);
  const int place = byte % piece_bytes;
  if (place >= found.bytes) return std::nullopt;
  return found.offset_bytes + place;
}

}  // namespace

Box box_of(const std::vector<TestAxis>& axes) {
  Box box;
  for (const TestAxis& axis : axes)
    box.axes.push_back({axis.extent, axis.source_stride, axis.destination_stride,
                        axis.guard_step == 0 ? -1 : 0, axis.guard_step});
  return box;
}

Box guarded_box_of(const std::vector<TestAxis>& axes, std::int64_t limit) {
  Box box = box_of(axes);
  box.guard_limits = {limit};
  return box;
}

BoxWithLimits random_rounded_box(std::mt19937_64& random, int element_bytes) {
  const auto rank = static_cast<std::size_t>(2 + random() % 3);
  std::vector<std::int64_t> extents;
  for (std::size_t i = 0; i < rank; ++i) extents.push_back(static_cast<std::int64_t>(2 + random() % 20));
  std::vector<std::size_t> order(rank);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::shuffle(order, random);
  const auto source = strides_in_order(random, extents, order, element_bytes);
  std::ranges::shuffle(order, random);
  const auto destination = strides_in_order(random, extents, order, element_bytes);
  std::vector<TestAxis> axes;
  for (std::size_t i = 0; i < rank; ++i) axes.push_back({extents[i], source[i], destination[i]});
  return {box_of(axes), {std::int64_t{16} << random() % 3, std::int64_t{16} << random() % 3}};
}

BoxWithLimits random_long_box(std::mt19937_64& random, int element_bytes) {
  BoxWithLimits box = random_rounded_box(random, element_bytes);
  const auto which = random() % 3;
  if (which != 0) box.limits.source_bytes = std::int64_t{128} << random() % 2;
  if (which != 1) box.limits.destination_bytes = std::int64_t{128} << random() % 2;
  return box;
}

std::optional<RoundedTile> long_tile_of(const BoxWithLimits& box, int element_bytes) {
  constexpr std::int64_t kMostBytes = 1 << 14;
  auto tile = rounded_tile(box.box, element_bytes, {box.limits, kMostBytes});
  if (!tile) return std::nullopt;
  tile->is_long = std::max(tile->tile.source_run_bytes, tile->tile.destination_run_bytes) > kLineBytes;
  return tile->is_long ? tile : std::nullopt;
}

BoxWithLimits random_trimmed_box(std::mt19937_64& random, int element_bytes) {
  const std::int64_t packed = std::int64_t{1} << random() % 3;
  const auto rows = static_cast<std::int64_t>(2 + random() % 3);
  const auto tiles = static_cast<std::int64_t>(1 + random() % 3);
  const auto others = static_cast<std::int64_t>(2 + random() % 20);
  const std::int64_t places = packed * rows * tiles;
  const auto limit = 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(places - 1));
  // Along the run that is cut off: its own strides, and those on the side of the tiles.
  const std::int64_t gap = static_cast<std::int64_t>(random() % 3);
  const std::int64_t row_elements = packed * others + (random() % 2 == 0 ? 0 : 3);
  std::vector<TestAxis> axes = {{packed, 1, 1, 1},
                                {rows, 1, packed, packed},
                                {tiles, 1, packed * rows, packed * rows},
                                {others, packed, limit + gap}};
  axes[1].source_stride = row_elements;
  axes[2].source_stride = rows * row_elements + static_cast<std::int64_t>(random() % 5);
  std::erase_if(axes, [](const TestAxis& axis) { return axis.extent == 1; });
  const bool at_source = random() % 2 == 0;
  for (TestAxis& axis : axes) {
    axis.source_stride *= element_bytes;
    axis.destination_stride *= element_bytes;
    if (at_source) std::swap(axis.source_stride, axis.destination_stride);
  }
  std::ranges::sort(axes, {}, &TestAxis::destination_stride);
  return {guarded_box_of(axes, limit), {std::int64_t{16} << random() % 3, std::int64_t{16} << random() % 3}};
}

namespace {

/// Without its pieces.
Network network_of(const RoundedTile& tile, NetworkTarget target) {
  target.vector_bytes = static_cast<int>(std::min<std::int64_t>(target.vector_bytes, tile.rounded_bytes()));
  target.keeps_runs_together = !tile.is_long;
  auto network = synthesize(target, static_cast<int>(tile.unit_bytes), rounded_tile_bits(tile));
  EXPECT_TRUE(network) << network.error().message;
  network->reads_whole_lines = tile.is_long;
  return *network;
}

}  // namespace

Network rounded_network(const Box& box, const RoundedTile& tile, NetworkTarget target) {
  Network network = network_of(tile, target);
  place_pieces(box, tile, network);
  return network;
}

BoxOfUnits random_units(std::mt19937_64& random) {
  BoxOfUnits units;
  units.element_bytes = 1 << random() % 3;
  const std::int64_t shortest = units.element_bytes == 1 ? 3 : 2;
  const auto lengths = static_cast<std::uint64_t>(15 / units.element_bytes - shortest + 1);
  const std::int64_t elements = shortest + static_cast<std::int64_t>(random() % lengths);
  const std::int64_t unit_bytes = elements * units.element_bytes;
  const auto [others, limits] = random_rounded_box(random, static_cast<int>(unit_bytes));
  units.box = others;
  const Axis shared{
      .extent = elements, .source_stride = units.element_bytes, .destination_stride = units.element_bytes};
  units.box.axes.insert(units.box.axes.begin(), shared);
  auto tile = rounded_tile(units.box, units.element_bytes, {limits, 2 * kMostRoundedBytes, 15});
  if (tile && tile->spreads_units()) units.tile = std::move(tile);
  return units;
}

std::optional<Network> spread_network(const Box& box, const RoundedTile& tile, const NetworkTarget& target) {
  Network network = network_of(tile, target);
  if (!spread_units(network, tile.unit_data_bytes, target)) return std::nullopt;
  place_pieces(box, tile, network);
  return network;
}

std::vector<ByteMove> moves_of(const Box& box, const RoundedTile& tile, int element_bytes) {
  std::vector<ByteMove> moves;
  for (std::int64_t index = 0; index < tile.tile.elements(); ++index) {
    ByteMove move;
    std::int64_t left = index;
    std::int64_t guarded = 0;
    for (std::size_t axis = 0; axis < box.axes.size(); ++axis) {
      const std::int64_t coordinate = left % tile.tile.extents[axis];
      left /= tile.tile.extents[axis];
      move.source += coordinate * box.axes[axis].source_stride;
      move.destination += coordinate * box.axes[axis].destination_stride;
      guarded += coordinate * box.axes[axis].guard_step;
    }
    if (!box.guard_limits.empty() && guarded >= box.guard_limits.front()) continue;
    for (int byte = 0; byte < element_bytes; ++byte)
      moves.push_back({move.source + byte, move.destination + byte});
  }
  return moves;
}

std::map<std::int64_t, std::int64_t> moves_of(const Network& network) {
  std::map<std::int64_t, std::int64_t> moves;
  const auto origins = simulate(network);
  for (int number = 0; number < static_cast<int>(origins.size()); ++number) {
    for (int byte = 0; byte < network.vector_bytes; ++byte) {
      const auto to = offset_of(network.destination, network, number, byte);
      if (!to) continue;
      const int origin = origins[static_cast<std::size_t>(number)][static_cast<std::size_t>(byte)];
      const auto from =
          offset_of(network.source, network, origin / network.vector_bytes, origin % network.vector_bytes);
      EXPECT_TRUE(from) << "a byte comes from where nothing is";
      EXPECT_FALSE(moves.contains(*to)) << "a byte is written twice";
      moves[*to] = from.value_or(-1);
    }
  }
  return moves;
}

}  // namespace relayout::plan::testing
