// Extents of 3, 5, 7, 9 or 21 fill no power of two. Taking the largest power of two below them moves up to
// twice the bytes, in short pieces; the smallest one above them costs as much in registers, but every byte is
// loaded and stored once, and runs of several small axes (5 x 3) join to pieces of nearly a vector.

#include "src/plan/kernels/rounded_tile.hpp"

#include <algorithm>
#include <bit>

namespace relayout::plan {
namespace {

/// The bit of the far side's run has this stride times its place: far beyond any place within a run.
constexpr std::int64_t kFarBytes = std::int64_t{1} << 32;
constexpr std::int64_t kLeastTileBytes = 32;
/// Of several elements moved as one that fill a power of two; networks of wider ones gain nothing by
/// rounding.
constexpr std::int64_t kMostUnitBytes = 8;

std::int64_t stride_on(const Axis& axis, bool source) {
  return source ? axis.source_stride : axis.destination_stride;
}

/// Steps of an axis that continues others, as even as the fewest that suffice. An axis alone that is longer
/// than the limit is taken in steps of the limit: overlapping tails then do better.
std::int64_t even_take(std::int64_t extent, std::int64_t most) {
  const std::int64_t trips = (extent + most - 1) / most;
  return (extent + trips - 1) / trips;
}

bool may_be_tiled(const Axis& axis, const std::optional<TrimmedRun>& trimmed) {
  return axis.run_table < 0 && (axis.guard < 0 || (trimmed && trimmed->guard == axis.guard));
}

/// Elements that follow one another on both sides and fill a unit: the pairs of (8,128)(2,1) tiles. Or that
/// fill most of it, like pixels of three bytes.
const Axis* shared_unit(const Box& box, std::int64_t element_bytes, std::int64_t longest_spread_bytes,
                        const std::optional<TrimmedRun>& trimmed) {
  const auto shared = std::find_if(box.axes.begin(), box.axes.end(), [&](const Axis& axis) {
    return may_be_tiled(axis, trimmed) && axis.follows_on_both_sides(element_bytes);
  });
  if (shared == box.axes.end()) return nullptr;
  const std::int64_t bytes = shared->extent * element_bytes;
  const bool fills = std::has_single_bit(static_cast<std::uint64_t>(bytes));
  const bool fits = fills ? bytes <= kMostUnitBytes : !trimmed && bytes <= longest_spread_bytes;
  // What is read past a unit's data is there, as the rest of its place. What is written past it is not.
  const bool is_divided = trimmed && trimmed->at_source && trimmed->data_bytes % bytes != 0;
  return fits && !is_divided ? &*shared : nullptr;
}

/// \param limit_bytes in vectors
/// \param trimmed what ends the run, if anything does
RoundedRun grow_rounded_run(const Box& box, UnitBytes unit, std::int64_t limit_bytes, bool source,
                            const std::optional<TrimmedRun>& trimmed, std::vector<std::int64_t>& takes) {
  RoundedRun run;
  for (;;) {
    const std::int64_t bytes = run.units * unit.data;
    if (trimmed && bytes == trimmed->places_bytes) return run;
    const auto next = std::find_if(box.axes.begin(), box.axes.end(), [&](const Axis& axis) {
      return may_be_tiled(axis, trimmed) && stride_on(axis, source) == bytes;
    });
    const std::int64_t most = limit_bytes / (run.units * unit.room);
    if (next == box.axes.end() || most < 2) return run;
    const auto axis = static_cast<std::size_t>(next - box.axes.begin());
    // Where the other side's run begins is left to that.
    if (takes[axis] != 1 || (!run.axes.empty() && stride_on(*next, !source) == unit.data)) return run;
    takes[axis] = run.axes.empty() ? std::min(next->extent, most) : even_take(next->extent, most);
    run.units *= takes[axis];
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
  places.resize(static_cast<std::size_t>(run.units));
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
  std::int64_t unit_data_bytes = 1;
  std::vector<Place> near;
  std::int64_t near_bytes = 0;  ///< that exist, maybe less than all places have
  std::vector<Place> far;
  std::int64_t Place::*of;
  std::size_t far_period = 1;  ///< of so many places of the far run
  std::size_t far_data = 1;    ///< so many at the front are data, the others padding
};

/// Setting a bit of a vector's lanes only adds to both numbers, so what exists of it begins at its front, but
/// for rows with padding between them.
void place_side(const Network& network, const RunPlaces& places, Side& side) {
  const int piece_bytes = std::min(side.piece_bytes(), network.vector_bytes);
  const std::int64_t data_bytes = piece_bytes / network.element_bytes * places.unit_data_bytes;
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
      const std::int64_t left = places.near_bytes - static_cast<std::int64_t>(near) * places.unit_data_bytes;
      side.pieces.push_back({places.near[near].*places.of + places.far[far].*places.of,
                             static_cast<int>(std::min(left, data_bytes))});
    }
  }
}

/// The tile of the runs, the one that is trimmed as long as what exists of it.
RoundedTile grow_tile(const Box& box, std::int64_t element_bytes, const RoundedLimits& limits,
                      const std::optional<TrimmedRun>& trimmed) {
  RoundedTile rounded;
  std::vector<std::int64_t>& takes = rounded.tile.extents;
  takes.assign(box.axes.size(), 1);
  rounded.unit_data_bytes = element_bytes;
  if (const Axis* const shared = shared_unit(box, element_bytes, limits.longest_spread_unit_bytes, trimmed)) {
    takes[static_cast<std::size_t>(shared - box.axes.data())] = shared->extent;
    rounded.unit_data_bytes *= shared->extent;
  }
  rounded.unit_bytes =
      static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(rounded.unit_data_bytes)));
  const UnitBytes unit = rounded.unit();
  const auto grow = [&](bool at_source, std::int64_t limit_bytes, RoundedRun& run) {
    const auto& of_side = trimmed && trimmed->at_source == at_source ? trimmed : std::nullopt;
    run = grow_rounded_run(box, unit, limit_bytes, at_source, of_side, takes);
    const std::int64_t bytes = of_side ? of_side->data_bytes : run.units * unit.data;
    run.units = (bytes + unit.data - 1) / unit.data;
    return bytes;
  };
  rounded.tile.destination_run_bytes = grow(false, limits.runs.destination_bytes, rounded.destination);
  rounded.tile.source_run_bytes = grow(true, limits.runs.source_bytes, rounded.source);
  rounded.trimmed = trimmed;
  return rounded;
}

/// Whether a tile takes all of what its trimmed run is cut off from.
bool trims(const Box& box, const RoundedTile& rounded) {
  for (std::size_t i = 0; i < box.axes.size(); ++i)
    if (box.axes[i].guard == rounded.trimmed->guard && rounded.tile.extents[i] != box.axes[i].extent)
      return false;
  return true;
}

bool has_size(const RoundedTile& rounded, std::int64_t most_bytes) {
  return rounded.rounded_bytes() >= kLeastTileBytes && rounded.rounded_bytes() <= most_bytes;
}

}  // namespace

std::int64_t RoundedRun::rounded() const {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(units)));
}

std::int64_t RoundedTile::rounded_bytes() const {
  return source.rounded() * destination.rounded() * unit_bytes;
}

std::int64_t RoundedTile::moved_bytes() const {
  return tile.source_run_bytes * tile.destination_run_bytes / unit_data_bytes;
}

bool RoundedTile::writes_whole(const Box& box, std::size_t axis) const {
  return !destination.axes.empty() && destination.axes.front() == axis && !spreads_units() && !trimmed &&
         tile.extents[axis] == box.axes[axis].extent;
}

std::optional<RoundedTile> rounded_tile(const Box& box, std::int64_t element_bytes,
                                        const RoundedLimits& limits) {
  for (const bool at_source : {false, true}) {
    const auto trimmed = first_trimmed_run(box, at_source);
    if (!trimmed) continue;
    RoundedLimits whole = limits;
    std::int64_t& limit = at_source ? whole.runs.source_bytes : whole.runs.destination_bytes;
    limit = std::max(limit, trimmed->places_bytes);
    const RoundedTile rounded = grow_tile(box, element_bytes, whole, trimmed);
    if (trims(box, rounded) && has_size(rounded, limits.most_bytes)) return rounded;
  }
  RoundedTile rounded = grow_tile(box, element_bytes, limits, std::nullopt);
  if (rounded.rounded_bytes() == rounded.moved_bytes() || !has_size(rounded, limits.most_bytes))
    return std::nullopt;
  return rounded;
}

std::vector<std::int64_t> row_offsets(const Box& box, const RoundedTile& tile, bool at_source) {
  std::vector<std::int64_t> offsets;
  for (const Place& place : places_of(box, tile, at_source ? tile.destination : tile.source))
    offsets.push_back(at_source ? place.source : place.destination);
  return offsets;
}

std::vector<TileBit> rounded_tile_bits(const RoundedTile& tile) {
  const std::int64_t unit_bytes = tile.unit_bytes;
  std::vector<TileBit> bits;
  for (std::int64_t byte = 1; byte < unit_bytes; byte *= 2) bits.push_back({byte, byte});
  for (std::int64_t place = 1; place < tile.source.rounded(); place *= 2)
    bits.push_back({place * unit_bytes, place * kFarBytes});
  for (std::int64_t place = 1; place < tile.destination.rounded(); place *= 2)
    bits.push_back({place * kFarBytes, place * unit_bytes});
  return bits;
}

void place_pieces(const Box& box, const RoundedTile& tile, Network& network) {
  const std::vector<Place> source = places_of(box, tile, tile.source);
  const std::vector<Place> destination = places_of(box, tile, tile.destination);
  RunPlaces at_source{tile.unit_data_bytes, source, tile.tile.source_run_bytes, destination, &Place::source};
  if (tile.data_extent) {
    at_source.far_period = static_cast<std::size_t>(tile.tile.extents[tile.destination.axes.front()]);
    at_source.far_data = static_cast<std::size_t>(*tile.data_extent);
    network.fills_padding = true;
  }
  place_side(network, at_source, network.source);
  place_side(
      network,
      {tile.unit_data_bytes, destination, tile.tile.destination_run_bytes, source, &Place::destination},
      network.destination);
}

}  // namespace relayout::plan
