// Extents of 3, 5, 7, 9 or 21 fill no power of two. Taking the largest power of two below them moves up to
// twice the bytes, in short pieces; the smallest one above them costs as much in registers, but every byte is
// loaded and stored once, and runs of several small axes (5 x 3) join to pieces of nearly a vector.

#include "src/plan/rounded_tile.hpp"

#include <algorithm>
#include <bit>

namespace relayout::plan {
namespace {

/// The bit of the far side's run has this stride times its place: far beyond any place within a run.
constexpr std::int64_t kFarBytes = std::int64_t{1} << 32;
constexpr std::int64_t kLeastTileBytes = 32;

std::int64_t stride_on(const Axis& axis, bool source) {
  return source ? axis.source_stride : axis.destination_stride;
}

/// Steps of an axis that continues others, as even as the fewest that suffice. An axis alone that is longer
/// than the limit is taken in steps of the limit: overlapping tails then do better.
std::int64_t even_take(std::int64_t extent, std::int64_t most) {
  const std::int64_t trips = (extent + most - 1) / most;
  return (extent + trips - 1) / trips;
}

RoundedRun grow_rounded_run(const Box& box, std::int64_t element_bytes, std::int64_t limit_bytes, bool source,
                            std::vector<std::int64_t>& takes) {
  RoundedRun run;
  for (;;) {
    const std::int64_t bytes = run.elements * element_bytes;
    const auto next = std::find_if(box.axes.begin(), box.axes.end(), [&](const Axis& axis) {
      return axis.guard < 0 && axis.run_table < 0 && stride_on(axis, source) == bytes;
    });
    const std::int64_t most = limit_bytes / bytes;
    if (next == box.axes.end() || most < 2) return run;
    const auto axis = static_cast<std::size_t>(next - box.axes.begin());
    // Where the other side's run begins is left to that.
    if (takes[axis] != 1 || (!run.axes.empty() && stride_on(*next, !source) == element_bytes)) return run;
    takes[axis] = run.axes.empty() ? std::min(next->extent, most) : even_take(next->extent, most);
    run.elements *= takes[axis];
    run.axes.push_back(axis);
    if (takes[axis] < next->extent) return run;
  }
}

struct Place {
  std::int64_t source = 0;
  std::int64_t destination = 0;
};

std::vector<Place> places_of(const Box& box, const RoundedTile& tile, const RoundedRun& run) {
  std::vector<Place> places = {{0, 0}};
  for (const std::size_t axis : run.axes) {
    const std::size_t count = places.size();
    for (std::int64_t i = 1; i < tile.tile.extents[axis]; ++i) {
      for (std::size_t k = 0; k < count; ++k) {
        places.push_back({places[k].source + i * box.axes[axis].source_stride,
                          places[k].destination + i * box.axes[axis].destination_stride});
      }
    }
  }
  return places;
}

/// Address by the strides of rounded_tile_bits: the place in the far run times kFarBytes, and that in the
/// near one.
std::int64_t numbered_address(const Side& side, int register_number, int byte) {
  std::int64_t address = 0;
  for (std::size_t slot = 0; slot < side.register_stride_bytes.size(); ++slot)
    if ((register_number >> slot & 1) != 0) address += side.register_stride_bytes[slot];
  for (std::size_t p = 0; p < side.lane_stride_bytes.size(); ++p)
    if ((byte >> p & 1) != 0) address += side.lane_stride_bytes[p];
  return address;
}

struct RunPlaces {
  std::vector<Place> near;
  std::vector<Place> far;
  std::int64_t Place::*of;
  std::size_t far_period = 1;  ///< of so many places of the far run
  std::size_t far_data = 1;    ///< so many at the front are data, the others padding
};

void place_side(const Network& network, const RunPlaces& places, Side& side) {
  const int piece_bytes = std::min(side.piece_bytes(), network.vector_bytes);
  for (int number = 0; number < 1 << network.slots; ++number) {
    for (int byte = 0; byte < network.vector_bytes; byte += piece_bytes) {
      const std::int64_t address = numbered_address(side, number, byte);
      const auto far = static_cast<std::size_t>(address / kFarBytes);
      const auto near = static_cast<std::size_t>(address % kFarBytes / network.element_bytes);
      if (far >= places.far.size() || near >= places.near.size() ||
          far % places.far_period >= places.far_data) {
        side.pieces.push_back({0, 0});
        continue;
      }
      const auto left = static_cast<std::int64_t>(places.near.size() - near) * network.element_bytes;
      side.pieces.push_back({places.near[near].*places.of + places.far[far].*places.of,
                             static_cast<int>(std::min<std::int64_t>(left, piece_bytes))});
    }
  }
}

}  // namespace

std::int64_t RoundedRun::rounded() const {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(elements)));
}

std::int64_t RoundedTile::rounded_bytes(std::int64_t element_bytes) const {
  return source.rounded() * destination.rounded() * element_bytes;
}

std::optional<RoundedTile> rounded_tile(const Box& box, std::int64_t element_bytes, TileRunLimits limits,
                                        std::int64_t most_bytes) {
  RoundedTile rounded;
  std::vector<std::int64_t>& takes = rounded.tile.extents;
  takes.assign(box.axes.size(), 1);
  rounded.destination = grow_rounded_run(box, element_bytes, limits.destination_bytes, false, takes);
  rounded.source = grow_rounded_run(box, element_bytes, limits.source_bytes, true, takes);
  rounded.tile.source_run_bytes = rounded.source.elements * element_bytes;
  rounded.tile.destination_run_bytes = rounded.destination.elements * element_bytes;
  const std::int64_t bytes = rounded.rounded_bytes(element_bytes);
  const bool is_rounded = bytes != rounded.tile.elements() * element_bytes;
  if (!is_rounded || bytes < kLeastTileBytes || bytes > most_bytes) return std::nullopt;
  return rounded;
}

std::vector<TileBit> rounded_tile_bits(const RoundedTile& tile, std::int64_t element_bytes) {
  std::vector<TileBit> bits;
  for (std::int64_t byte = 1; byte < element_bytes; byte *= 2) bits.push_back({byte, byte});
  for (std::int64_t place = 1; place < tile.source.rounded(); place *= 2)
    bits.push_back({place * element_bytes, place * kFarBytes});
  for (std::int64_t place = 1; place < tile.destination.rounded(); place *= 2)
    bits.push_back({place * kFarBytes, place * element_bytes});
  return bits;
}

void place_pieces(const Box& box, const RoundedTile& tile, Network& network) {
  const std::vector<Place> source = places_of(box, tile, tile.source);
  const std::vector<Place> destination = places_of(box, tile, tile.destination);
  RunPlaces at_source{source, destination, &Place::source};
  if (tile.data_extent) {
    at_source.far_period = static_cast<std::size_t>(tile.tile.extents[tile.destination.axes.front()]);
    at_source.far_data = static_cast<std::size_t>(*tile.data_extent);
    network.fills_padding = true;
  }
  place_side(network, at_source, network.source);
  place_side(network, {destination, source, &Place::destination}, network.destination);
}

}  // namespace relayout::plan
