// The micro-tile is the union of both sides' runs. A side's run grows from one element: the axis whose stride
// equals the run so far joins it, whole while its extent is a power of two (or small, for mixed radices),
// else in part, which ends the run.

#include "src/plan/tiles/micro_tile.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace relayout::plan {
namespace {

/// Tiles within bytes have up to 8 times the bytes of their axes; past this, their runs are halved. What a
/// call may use of the stack.
constexpr std::int64_t kMaximumSubByteTileBytes = 8192;

/// Of tiles for table shuffles.
constexpr std::int64_t kMaximumShuffledBytes = 2048;

enum class Radix { kPowerOfTwo, kMixed };

std::int64_t power_of_two_below(std::int64_t value) {
  return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(value)));
}

std::int64_t power_of_two_above(std::int64_t value) {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(value)));
}

struct RunChain {
  std::vector<std::int64_t> takes;
  std::int64_t run_bytes = 1;
};

bool may_be_tiled(const Axis& axis) {
  return axis.guard < 0 && axis.run_table < 0;
}

std::int64_t stride_of(const Axis& axis, bool source) {
  return source ? axis.source_stride : axis.destination_stride;
}

/// Elements of an axis to take when the run still wants `wanted` of them.
std::int64_t take_of(std::int64_t extent, std::int64_t wanted, Radix radix) {
  if (radix == Radix::kMixed && extent <= wanted) return extent;
  return std::min(power_of_two_below(extent), power_of_two_above(wanted));
}

RunChain grow_run(const Box& box, std::int64_t element_bytes, std::int64_t line_bytes, bool source,
                  Radix radix) {
  RunChain chain{std::vector<std::int64_t>(box.axes.size(), 1), element_bytes};
  while (chain.run_bytes < line_bytes) {
    if (sub_byte_bit_continues(box, chain.run_bytes, source)) {
      chain.run_bytes *= 2;
      continue;
    }
    const auto next = std::find_if(box.axes.begin(), box.axes.end(), [&](const Axis& axis) {
      return may_be_tiled(axis) && stride_of(axis, source) == chain.run_bytes;
    });
    if (next == box.axes.end()) break;
    const auto axis = static_cast<std::size_t>(next - box.axes.begin());
    const std::int64_t wanted = (line_bytes + chain.run_bytes - 1) / chain.run_bytes;
    chain.takes[axis] = take_of(next->extent, wanted, radix);
    chain.run_bytes *= chain.takes[axis];
    if (chain.takes[axis] < next->extent || chain.takes[axis] == 1) break;
  }
  return chain;
}

MicroTile unite(const RunChain& source, const RunChain& destination) {
  MicroTile tile{source.takes, source.run_bytes, destination.run_bytes};
  for (std::size_t i = 0; i < tile.extents.size(); ++i) {
    tile.extents[i] = std::max(tile.extents[i], destination.takes[i]);
  }
  return tile;
}

/// Doubles axes, smallest stride first, until the tile fills a vector.
void fill_vector(const Box& box, std::int64_t element_bytes, std::int64_t vector_bytes, MicroTile& tile) {
  for (std::size_t i = 0; i < box.axes.size(); ++i) {
    if (!may_be_tiled(box.axes[i])) continue;
    while (tile.elements() * element_bytes < vector_bytes && 2 * tile.extents[i] <= box.axes[i].extent) {
      tile.extents[i] *= 2;
    }
  }
}

/// Whether a tile reads a few bytes, and more of them before the line ends: data between padding. One load of
/// a table shuffle takes them with what lies between, a network loads each by itself: bf16[1,65536] out of
/// (2,128)(2,1) tiles 0.21 and 1.25 of memcpy, s8[2,65536] out of (4,128)(4,1) tiles 0.36 and 1.09. Of 300
/// random pairs whose sources are padded 107 change, 2.4 times as fast, 97 faster by a twentieth and one
/// slower; with AVX-512 alone 2.2 times, 95 and three, at AVX2 1.7 times, 85 and four. Runs of 8 bytes to 15
/// gain with VBMI (eight faster and one slower), and lose at AVX2 (none and seven). (Granite Rapids; not
/// tried on others, whose loads of single bytes are no faster.)
bool reads_between_gaps(const Box& box, const MicroTile& tile, std::int64_t line_bytes) {
  constexpr std::int64_t kLongestRunBytes = 7;
  if (tile.source_run_bytes > kLongestRunBytes) return false;
  for (std::size_t i = 0; i < tile.extents.size(); ++i) {
    const std::int64_t apart = std::abs(box.axes[i].source_stride);
    if (tile.extents[i] > 1 && apart > tile.source_run_bytes && apart < line_bytes) return true;
  }
  return false;
}

}  // namespace

bool sub_byte_bit_continues(const Box& box, std::int64_t run_bytes, bool source) {
  return std::any_of(box.sub_byte_bits.begin(), box.sub_byte_bits.end(), [&](const TileBit& bit) {
    return (source ? bit.source_stride_bytes : bit.destination_stride_bytes) == run_bytes;
  });
}

std::int64_t MicroTile::elements() const {
  std::int64_t product = 1;
  for (const std::int64_t extent : extents) product *= extent;
  return product;
}

bool MicroTile::has_powers_of_two_only() const {
  return std::ranges::all_of(
      extents, [](std::int64_t extent) { return std::has_single_bit(static_cast<std::uint64_t>(extent)); });
}

double MicroTile::overlap_waste(const Box& box) const {
  double waste = 1;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const std::int64_t trips = (box.axes[i].extent + extents[i] - 1) / extents[i];
    waste *= static_cast<double>(trips * extents[i]) / static_cast<double>(box.axes[i].extent);
  }
  return waste;
}

std::optional<MicroTile> power_of_two_tile(const Box& box, std::int64_t element_bytes, const Target& target,
                                           TileRunLimits limits) {
  MicroTile tile;
  for (; limits.source_bytes >= kShortestRunBytes || limits.destination_bytes >= kShortestRunBytes;
       limits.source_bytes /= 2, limits.destination_bytes /= 2) {
    tile = unite(grow_run(box, element_bytes, limits.source_bytes, true, Radix::kPowerOfTwo),
                 grow_run(box, element_bytes, limits.destination_bytes, false, Radix::kPowerOfTwo));
    if (box.sub_byte_bits.empty()) break;
    if (tile.elements() << box.sub_byte_bits.size() <= kMaximumSubByteTileBytes) break;
  }
  fill_vector(box, element_bytes, target.vector_bytes, tile);
  if (tile.elements() * element_bytes < 16) return std::nullopt;
  return tile;
}

std::optional<MicroTile> shuffled_tile(const Box& box, std::int64_t element_bytes, const Target& target) {
  if (element_bytes > 16) return std::nullopt;
  MicroTile tile = unite(grow_run(box, element_bytes, target.line_bytes, true, Radix::kMixed),
                         grow_run(box, element_bytes, target.line_bytes, false, Radix::kMixed));
  if (tile.has_powers_of_two_only() && !reads_between_gaps(box, tile, target.line_bytes)) return std::nullopt;
  if (tile.elements() * element_bytes > kMaximumShuffledBytes) return std::nullopt;
  return tile;
}

std::optional<MicroTile> tile_taking_axis_whole(const Box& box, std::size_t axis, std::int64_t element_bytes,
                                                std::int64_t run_bytes) {
  if (element_bytes > 16) return std::nullopt;
  MicroTile tile = unite(grow_run(box, element_bytes, run_bytes, true, Radix::kMixed),
                         grow_run(box, element_bytes, run_bytes, false, Radix::kMixed));
  tile.extents[axis] = box.axes[axis].extent;
  if (tile.elements() * element_bytes > kMaximumShuffledBytes) return std::nullopt;
  return tile;
}

std::vector<TileBit> tile_bits(const Box& box, const MicroTile& tile, std::int64_t element_bytes) {
  std::vector<TileBit> bits;
  for (std::int64_t byte = 1; byte < element_bytes; byte *= 2) bits.push_back({byte, byte});
  for (std::size_t axis = 0; axis < box.axes.size(); ++axis) {
    for (std::int64_t place = 1; place < tile.extents[axis]; place *= 2) {
      bits.push_back({place * box.axes[axis].source_stride, place * box.axes[axis].destination_stride});
    }
  }
  bits.insert(bits.end(), box.sub_byte_bits.begin(), box.sub_byte_bits.end());
  return bits;
}

}  // namespace relayout::plan
