#include "src/plan/padding/gapped_box.hpp"

#include <algorithm>
#include <bit>

#include "src/plan/padding/tile_places.hpp"

namespace relayout::plan {
namespace {

/// From group to group. Of 10000 random pairs 116 that change have groups of up to so many, 1.46 of
/// memcpy before and 1.73, 47 faster by a twentieth and five slower; of those of 16 bytes, whose 12 or so are
/// loaded by pieces otherwise, 11 gain and four lose, of 4- and 8-byte elements 13 and six (Zen 4).
constexpr std::int64_t kMostGroupBytes = 8;
constexpr std::int64_t kWidestGappedBytes = 2;  ///< of elements
/// A bit of the index along the groups has this stride times its place at the destination: far beyond any
/// other, and no multiple of what rows of one cache set are apart.
constexpr std::int64_t kFarStrideBytes = (std::int64_t{1} << 40) + 1088;

/// How far apart the groups are, which lie along `along` if they have more than one element; 0 if other axes
/// lead to places within a group, or backwards, or if there are none.
std::int64_t bytes_apart(const Box& box, std::size_t along, std::int64_t group_bytes) {
  std::int64_t apart = 0;
  for (std::size_t i = 0; i < box.axes.size(); ++i) {
    if (i == along) continue;
    const std::int64_t stride = box.axes[i].source_stride;
    if (stride <= group_bytes) return 0;
    apart = apart == 0 ? stride : std::min(apart, stride);
  }
  return apart;
}

/// The pieces of a side of which those at `extent` and further along the groups, whose elements are
/// `stride_bytes` apart, are left out.
std::vector<SidePiece> group_pieces(const Side& side, int vector_bytes, std::int64_t extent,
                                    std::int64_t stride_bytes) {
  const auto place_of_bit = [&](std::int64_t stride) {
    const std::int64_t index = stride / kFarStrideBytes;
    return TilePlace{index > 0 ? index * stride_bytes : stride, index};
  };
  const std::vector<TilePlace> registers = tile_places(side.register_stride_bytes, place_of_bit);
  const std::vector<TilePlace> lanes = tile_places(side.lane_stride_bytes, place_of_bit);
  const auto piece_bytes = std::min(side.piece_bytes(), vector_bytes);
  std::vector<SidePiece> pieces;
  for (const TilePlace& in : registers) {
    for (std::size_t byte = 0; byte < lanes.size(); byte += static_cast<std::size_t>(piece_bytes)) {
      const bool exists = in.index + lanes[byte].index < extent;
      pieces.push_back(exists ? SidePiece{in.offset_bytes + lanes[byte].offset_bytes, piece_bytes}
                              : SidePiece{});
    }
  }
  return pieces;
}

}  // namespace

double GappedBox::places_per_element() const {
  return static_cast<double>(box.axes[axis].extent) / static_cast<double>(extent);
}

std::optional<GappedBox> gapped_box(const Box& box, std::int64_t element_bytes, std::int64_t source_bytes) {
  if (!box.has_plain_axes()) return std::nullopt;
  if (element_bytes > kWidestGappedBytes) return std::nullopt;
  const auto found = std::ranges::find(box.axes, element_bytes, &Axis::source_stride);
  const bool is_axis = found != box.axes.end();
  if (is_axis && found->destination_stride <= element_bytes) return std::nullopt;
  const auto along = static_cast<std::size_t>(found - box.axes.begin());
  const std::int64_t extent = is_axis ? found->extent : 1;
  const std::int64_t apart = bytes_apart(box, along, extent * element_bytes);
  if (apart > kMostGroupBytes || !std::has_single_bit(static_cast<std::uint64_t>(apart))) return std::nullopt;
  GappedBox gapped{box, along, extent};
  if (!is_axis) gapped.box.axes.push_back({1, element_bytes, kFarStrideBytes});
  gapped.box.axes[along].extent = apart / element_bytes;
  if (!lies_in_source(gapped.box, element_bytes, source_bytes)) return std::nullopt;
  return gapped;
}

std::vector<TileBit> gapped_tile_bits(const GappedBox& gapped, const MicroTile& tile,
                                      std::int64_t element_bytes) {
  return tile_bits_along(gapped.box, gapped.axis, tile, element_bytes, [&](std::int64_t place) {
    return TileBit{place * element_bytes, place * kFarStrideBytes};
  });
}

void mark_gaps(const GappedBox& gapped, Network& network) {
  const Axis& axis = gapped.box.axes[gapped.axis];
  network.source.pieces = group_pieces(network.source, network.vector_bytes, axis.extent, 0);
  network.destination.pieces =
      group_pieces(network.destination, network.vector_bytes, gapped.extent, axis.destination_stride);
}

}  // namespace relayout::plan
