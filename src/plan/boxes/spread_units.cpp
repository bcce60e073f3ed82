// Pixels of three bytes, or other units of up to 15 that both sides have in common, fill no power of two,
// and networks exchange powers of two. So a unit gets the room of the next larger one in the registers: a row
// of pixels is spread as it is loaded, exchanged like elements of four bytes, and closed up again before it
// is stored.

#include "src/plan/boxes/spread_units.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "src/plan/network/network_cost.hpp"

namespace relayout::plan {
namespace {

constexpr std::int64_t kLaneBytes = 16;
constexpr std::uint8_t kZeroedByte = 0x80;  // of vpshufb

/// How the units of one side lie in a vector.
struct Units {
  UnitBytes unit;
  std::int64_t piece_bytes = 0;  ///< that are loaded or stored at once, as registers have them
  std::int64_t vector_bytes = 0;
};

/// What a lane holds, in memory.
std::int64_t lane_data_bytes(UnitBytes unit) {
  return kLaneBytes / unit.room * unit.data;
}

/// Bytes that one index of a permutation across lanes moves.
std::int64_t granule_bytes(Isa isa) {
  return isa == Isa::kAvx2 ? 4 : 2;
}

Move permute_of(std::int64_t granule) {
  return granule == 4 ? Move::kTablePermute32 : granule == 2 ? Move::kTablePermute16 : Move::kTablePermute8;
}

/// A table of little-endian indices of granules.
Stage permute(const std::vector<std::int64_t>& indices, std::int64_t granule) {
  std::vector<std::uint8_t> table;
  for (const std::int64_t index : indices) {
    table.push_back(static_cast<std::uint8_t>(index));
    table.insert(table.end(), static_cast<std::size_t>(granule - 1), 0);
  }
  return {permute_of(granule), -1, {std::move(table)}, 0};
}

/// Where byte `byte` of a vector in registers is in memory's order; -1 if it is none of a unit's data.
std::int64_t place_in_memory(const Units& units, std::int64_t byte) {
  const std::int64_t in_piece = byte % units.piece_bytes;
  const std::int64_t in_unit = in_piece % units.unit.room;
  if (in_unit >= units.unit.data) return -1;
  return byte - in_piece + in_piece / units.unit.room * units.unit.data + in_unit;
}

/// The inverse; -1 behind the data of a piece.
std::int64_t place_in_register(const Units& units, std::int64_t byte) {
  const std::int64_t in_piece = byte % units.piece_bytes;
  const std::int64_t unit = in_piece / units.unit.data;
  if (unit >= units.piece_bytes / units.unit.room) return -1;
  return byte - in_piece + unit * units.unit.room + in_piece % units.unit.data;
}

/// Indices of bytes by one of the two; those of nothing are 0.
template <class Place>
Stage permute_bytes(const Units& units, Place place) {
  std::vector<std::int64_t> indices;
  for (std::int64_t byte = 0; byte < units.vector_bytes; ++byte)
    indices.push_back(std::max<std::int64_t>(place(units, byte), 0));
  return permute(indices, 1);
}

/// Within lanes. `place` gives a byte of the same lane, or -1.
template <class Place>
Stage shuffle_bytes(const Units& units, Place place) {
  std::vector<std::uint8_t> table;
  for (std::int64_t byte = 0; byte < units.vector_bytes; ++byte) {
    const std::int64_t from = place(units, byte);
    table.push_back(from < 0 ? kZeroedByte : static_cast<std::uint8_t>(from % kLaneBytes));
  }
  return {Move::kByteShuffle, -1, {std::move(table)}, 0};
}

/// Where the data of a lane begin in memory's order.
std::int64_t lane_begin(const Units& units, std::int64_t lane) {
  return place_in_memory(units, lane * kLaneBytes);
}

/// Granules that hold a lane's data go to that lane, then bytes to their places.
std::vector<Stage> spread_across_lanes(const Units& units, std::int64_t granule) {
  std::vector<std::int64_t> indices;
  for (std::int64_t at = 0; at < units.vector_bytes; at += granule) {
    const std::int64_t from = lane_begin(units, at / kLaneBytes) + at % kLaneBytes;
    indices.push_back(std::min(from, units.vector_bytes - granule) / granule);
  }
  const auto in_lane = [granule](const Units& all, std::int64_t byte) -> std::int64_t {
    const std::int64_t place = place_in_memory(all, byte);
    if (place < 0) return -1;
    const std::int64_t begin = lane_begin(all, byte / kLaneBytes);
    return place - begin + begin % granule;
  };
  return {permute(indices, granule), shuffle_bytes(units, in_lane)};
}

/// The inverse. \pre the data of a lane are whole granules
std::vector<Stage> close_across_lanes(const Units& units, std::int64_t granule) {
  const auto in_lane = [](const Units& all, std::int64_t byte) -> std::int64_t {
    return place_in_register({all.unit, kLaneBytes, all.vector_bytes}, byte);
  };
  const Units lanes{{lane_data_bytes(units.unit), kLaneBytes}, units.piece_bytes, units.vector_bytes};
  std::vector<std::int64_t> indices;
  for (std::int64_t at = 0; at < units.vector_bytes; at += granule)
    indices.push_back(std::max<std::int64_t>(place_in_register(lanes, at), 0) / granule);
  return {shuffle_bytes(units, in_lane), permute(indices, granule)};
}

/// \pre can_spread_units
std::vector<Stage> stages_to_spread(const Units& units, Isa isa) {
  if (units.piece_bytes <= units.unit.room) return {};
  if (units.piece_bytes <= kLaneBytes) return {shuffle_bytes(units, place_in_memory)};
  if (isa == Isa::kAvx512Vbmi) return {permute_bytes(units, place_in_memory)};
  return spread_across_lanes(units, granule_bytes(isa));
}

/// \pre pieces of at most longest_closed_piece
std::vector<Stage> stages_to_close(const Units& units, Isa isa) {
  if (units.piece_bytes <= units.unit.room) return {};
  if (units.piece_bytes <= kLaneBytes) return {shuffle_bytes(units, place_in_register)};
  if (isa == Isa::kAvx512Vbmi) return {permute_bytes(units, place_in_register)};
  return close_across_lanes(units, granule_bytes(isa));
}

Units units_of(const Network& network, const Side& side, std::int64_t data_bytes) {
  return {{data_bytes, network.element_bytes},
          std::min(side.piece_bytes(), network.vector_bytes),
          network.vector_bytes};
}

}  // namespace

int instructions_to_spread(std::int64_t piece_bytes, Isa isa) {
  return isa == Isa::kAvx512Vbmi || piece_bytes <= kLaneBytes ? 1 : 2;
}

bool can_spread_units(UnitBytes unit, std::int64_t piece_bytes, Isa isa) {
  if (instructions_to_spread(piece_bytes, isa) == 1) return true;
  const std::int64_t data_bytes = lane_data_bytes(unit);
  for (std::int64_t lane = 0; lane < piece_bytes / kLaneBytes; ++lane)
    if (lane * data_bytes % granule_bytes(isa) + data_bytes > kLaneBytes) return false;  // more granules
  return true;
}

std::int64_t longest_closed_piece(UnitBytes unit, std::int64_t vector_bytes, Isa isa) {
  const bool passes_lanes = isa == Isa::kAvx512Vbmi || lane_data_bytes(unit) % granule_bytes(isa) == 0;
  return passes_lanes ? vector_bytes : std::min(vector_bytes, kLaneBytes);
}

bool spread_units(Network& network, std::int64_t data_bytes, const NetworkTarget& target) {
  const Units source = units_of(network, network.source, data_bytes);
  if (!can_spread_units(source.unit, source.piece_bytes, target.isa)) return false;
  if (std::ranges::any_of(network.phases, &Phase::half_by_half)) return false;  // no registers for tables
  network.destination.most_piece_bytes =
      static_cast<int>(longest_closed_piece(source.unit, network.vector_bytes, target.isa));
  const Units destination = units_of(network, network.destination, data_bytes);
  std::vector<Stage> stages = stages_to_spread(source, target.isa);
  std::vector<Stage> closing = stages_to_close(destination, target.isa);
  const auto before = static_cast<int>(stages.size());
  for (Phase& phase : network.phases) {
    phase.first_stage += before;
    phase.last_stage += before;
  }
  network.phases.front().first_stage = 0;
  network.phases.back().last_stage += static_cast<int>(closing.size());
  std::ranges::move(network.stages, std::back_inserter(stages));
  std::ranges::move(closing, std::back_inserter(stages));
  network.stages = std::move(stages);
  network.predicted_cycles_per_vector = network::predicted_cycles_per_vector(network, target);
  return true;
}

}  // namespace relayout::plan
