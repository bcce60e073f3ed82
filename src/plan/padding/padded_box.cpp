// Data scattered in padding by the element (5 of every 8, as in T(8) tiles) share their lines with it. Moved
// by a nest each, a line is read and written twice, in parts; moved as one tile, it is written once, and
// whole lines can be streamed. On a Zen 4 with AVX2, 2-byte elements, 7 of every 16 places: 0.2 of memcpy by
// two nests, 0.3 by one, 0.8 by one that streams.
//
// Where an extent is no multiple of the source's tiles, several boxes have one piece of padding behind them,
// in parts. Split among them, of 30000 random pairs of 0.2 to 60 MiB on a Zen 3 351 change; 209 of these 0.87
// and 1.09 of memcpy, 127 faster by a twentieth and 12 slower (u8[223,1458,3] out of tiles of 16 into tiles
// of 4 0.10 and 0.75, f64[69,12,4,835] 0.54 and 1.69, u8[5,161,59,14] 0.68 and 0.27). Of staged rows
// (padded_rows.hpp) 36 of 30000 of 12 to 120 MiB change, 32 of these 0.63 and 0.80, 23 and two; behind axes
// that are not contiguous 40 more ran 1.08 times as fast, 16 and six, of 4 bytes and more four and four.

#include "src/plan/padding/padded_box.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "src/plan/machine/line.hpp"
#include "src/plan/padding/padding_behind.hpp"
#include "src/plan/padding/tile_places.hpp"

namespace relayout::plan {
namespace {

/// A tile takes the axis whole: 8 elements of 16 bytes, or 16 of 16, with a few rows to read of each.
constexpr std::int64_t kMostPaddedRunBytes = 256;
/// Places of the axis, as a multiple of its elements, below which it is worth moving so many zeros through
/// registers: bytes [35,12,4,64] into {2,1,3,0:T(8,128)}, 4 of 64, ran at 0.43 of memcpy, by two nests at
/// 0.53.
constexpr std::int64_t kMostPlacesOfPadding = 16;
/// The bit that leads to the place p of padding has this stride times p at the source: far beyond any other.
constexpr std::int64_t kNowhereBytes = std::int64_t{1} << 40;

std::int64_t source_stride_of(const PaddedBox& padded, std::int64_t place) {
  return place < padded.extent ? place * padded.box.axes[padded.axis].source_stride : place * kNowhereBytes;
}

/// Of so many elements of padding behind a run, those before the next line.
std::int64_t before_next_line(const PaddedBox& padded, std::int64_t elements, std::int64_t element_bytes) {
  const std::int64_t end = padded.box.destination_base + padded.extent * element_bytes;
  const bool on_lines = std::ranges::all_of(padded.box.axes, [&](const Axis& axis) {
    return axis.destination_stride == element_bytes || axis.destination_stride % kLineBytes == 0;
  });
  return on_lines ? std::min(elements, (kLineBytes - end % kLineBytes) % kLineBytes / element_bytes)
                  : elements;
}

/// Whether a bit along another axis leads to the same place of the source, which holds elements twice then,
/// or to the one right behind an axis that is rounded up: pieces would go on behind a gap.
bool shares_a_place(const PaddedBox& padded, const Axis& other) {
  const std::int64_t stride = padded.box.axes[padded.axis].source_stride;
  const auto places = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(padded.extent)));
  const std::int64_t end = places == padded.extent ? places : 2 * places;
  for (std::int64_t place = 1; place < other.extent; place *= 2)
    for (std::int64_t along = 1; along < end; along *= 2)
      if (place * other.source_stride == along * stride) return true;
  return false;
}

/// Whether its stride at the source tells a tile's bit along the padded axis.
bool tells_bits(const PaddedBox& padded) {
  const std::vector<Axis>& axes = padded.box.axes;
  if (axes[padded.axis].source_stride == 0) return false;
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (i != padded.axis && shares_a_place(padded, axes[i])) return false;
  return true;
}

bool suits_networks(const PaddedBox& padded) {
  return std::has_single_bit(static_cast<std::uint64_t>(padded.box.axes[padded.axis].extent)) &&
         tells_bits(padded);
}

/// What a bit of the tile with this stride at the source adds to the index along the padded axis.
std::int64_t index_of(const PaddedBox& padded, std::int64_t source_stride) {
  for (std::int64_t place = 1; place < padded.box.axes[padded.axis].extent; place *= 2)
    if (source_stride == source_stride_of(padded, place)) return place;
  return 0;
}

/// What exists of the bytes of a piece in a register that is so far along the padded axis.
int bytes_that_exist(std::span<const TilePlace> bytes, std::int64_t index, std::int64_t extent) {
  const auto exists = [&](const TilePlace& byte) { return index + byte.index < extent; };
  if (exists(bytes.back())) return static_cast<int>(bytes.size());
  return static_cast<int>(std::ranges::find_if_not(bytes, exists) - bytes.begin());
}

}  // namespace

std::int64_t PaddedBox::run_bytes() const {
  return box.axes[axis].destination_stride * box.axes[axis].extent;
}

double PaddedBox::places_per_element() const {
  return static_cast<double>(box.axes[axis].extent) / static_cast<double>(extent);
}

bool PaddedBox::copies_rows() const {
  return box.axes[axis].source_stride == box.axes[axis].destination_stride;
}

std::optional<PaddedBox> padded_box(const Box& box, std::span<const PaddingPiece> padding,
                                    std::int64_t element_bytes, bool may_split, PaddedBy by) {
  if (!box.has_plain_axes()) return std::nullopt;
  PaddedBox padded{box};
  const auto found = std::ranges::find(box.axes, element_bytes, &Axis::destination_stride);
  padded.axis = static_cast<std::size_t>(found - box.axes.begin());
  if (found == box.axes.end()) {
    padded.axis = 0;
    padded.box.axes.insert(padded.box.axes.begin(), {1, kNowhereBytes, element_bytes});
  }
  Axis& axis = padded.box.axes[padded.axis];
  padded.extent = axis.extent;
  for (; padded.piece < padding.size(); ++padded.piece) {
    const PaddingPiece& piece = padding[padded.piece];
    std::int64_t elements = places_behind(padded.box, padded.axis, piece, element_bytes);
    if (elements == 0 && may_split) {
      padded.parts = parts_behind(padded.box, padded.axis, piece, padding.size() - 1, element_bytes);
      if (!padded.parts.empty()) elements = piece.length;
    }
    if (elements == 0) continue;
    axis.extent += before_next_line(padded, elements, element_bytes);
    if (axis.extent == padded.extent || axis.extent >= kMostPlacesOfPadding * padded.extent)
      return std::nullopt;
    if (padded.run_bytes() > kMostPaddedRunBytes) return std::nullopt;
    padded.of_any_extent = by == PaddedBy::kTilesOfAnyExtent;
    if (padded.of_any_extent || suits_networks(padded)) return padded;
    return std::nullopt;
  }
  return std::nullopt;
}

std::optional<PaddedBox> part_of(const PaddedBox& padded, const Box& part) {
  const Axis& whole = padded.box.axes[padded.axis];
  const auto axis = std::ranges::find(part.axes, whole.destination_stride, &Axis::destination_stride);
  if (axis == part.axes.end() || axis->extent != whole.extent) return std::nullopt;
  return PaddedBox{part,
                   static_cast<std::size_t>(axis - part.axes.begin()),
                   padded.extent,
                   padded.piece,
                   {},
                   padded.of_any_extent};
}

void remove_covered(const PaddedBox& padded, std::vector<PaddingPiece>& padding) {
  if (!padded.parts.empty()) {
    padding[padded.piece] = padded.parts.front();
    padding.insert(padding.end(), padded.parts.begin() + 1, padded.parts.end());
  }
  PaddingPiece& piece = padding[padded.piece];
  const std::int64_t covered = padded.box.axes[padded.axis].extent - padded.extent;
  piece.destination_base += covered;
  piece.length -= covered;
  if (piece.length == 0) padding.erase(padding.begin() + static_cast<std::ptrdiff_t>(padded.piece));
}

std::vector<TileBit> padded_tile_bits(const PaddedBox& padded, const MicroTile& tile,
                                      std::int64_t element_bytes) {
  return tile_bits_along(padded.box, padded.axis, tile, element_bytes, [&](std::int64_t place) {
    return TileBit{source_stride_of(padded, place), place * element_bytes};
  });
}

void mark_padding(const PaddedBox& padded, Network& network) {
  Side& side = network.source;
  const auto place_of_bit = [&](std::int64_t stride) { return TilePlace{stride, index_of(padded, stride)}; };
  const std::vector<TilePlace> registers = tile_places(side.register_stride_bytes, place_of_bit);
  const std::vector<TilePlace> lanes = tile_places(side.lane_stride_bytes, place_of_bit);
  const auto piece_bytes = static_cast<std::size_t>(std::min(side.piece_bytes(), network.vector_bytes));
  std::vector<SidePiece> pieces;
  pieces.reserve(registers.size() * lanes.size() / piece_bytes);
  for (const TilePlace& in : registers) {
    for (std::size_t byte = 0; byte < lanes.size(); byte += piece_bytes) {
      const int bytes =
          bytes_that_exist(std::span(lanes).subspan(byte, piece_bytes), in.index, padded.extent);
      pieces.push_back({bytes > 0 ? in.offset_bytes + lanes[byte].offset_bytes : 0, bytes});
    }
  }
  side.pieces = std::move(pieces);
  network.fills_padding = true;
}

}  // namespace relayout::plan
