// Synthesis: lanes of both sides, a walk along the table of cheapest moves for each weighting, phases, and
// the better of the networks by the predicted cycles.

#include "src/plan/network/network.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "src/plan/machine/line.hpp"
#include "src/plan/network/network_bits.hpp"
#include "src/plan/network/network_cost.hpp"
#include "src/plan/network/network_lanes.hpp"
#include "src/plan/network/network_phases.hpp"
#include "src/plan/network/network_table.hpp"
#include "src/plan/network/network_walk.hpp"

namespace relayout::plan {
namespace {

/// Of any tile. Those of plans have to stay within kUsualScratchBytes (scratch.hpp), too.
constexpr std::int64_t kMaxScratchBytes = std::int64_t{16} * 1024;
constexpr std::size_t kMaxTileBits = 24;

Error unsupported(const char* message) {
  return {ErrorCode::kUnsupported, message};
}

bool is_vector_width_of(const NetworkTarget& target) {
  if (target.isa == Isa::kPortable) return false;
  const int widest = target.isa >= Isa::kAvx512 ? 64 : 32;
  return std::has_single_bit(static_cast<unsigned>(target.vector_bytes)) && target.vector_bytes >= 16 &&
         target.vector_bytes <= widest;
}

bool destination_strides_collide(std::span<const TileBit> bits) {
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (bits[i].sub_byte == SubByte::kJoin) continue;
    if (bits[i].destination_stride_bytes == 0) return true;
    for (std::size_t j = 0; j < i; ++j)
      if (bits[i].destination_stride_bytes == bits[j].destination_stride_bytes) return true;
  }
  return false;
}

bool starts_with_element(std::span<const TileBit> bits, int element_bits) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(element_bits); ++i)
    if (bits[i].source_stride_bytes != 1 << i || bits[i].destination_stride_bytes != 1 << i) return false;
  return true;
}

Status check(const NetworkTarget& target, int element_bytes, std::span<const TileBit> bits) {
  if (!is_vector_width_of(target)) return unsupported("permutation network: the target has no such vectors");
  if (element_bytes < 1 || element_bytes > 16 || !std::has_single_bit(static_cast<unsigned>(element_bytes)))
    return unsupported("permutation network: elements must be of 1, 2, 4, 8 or 16 bytes");
  if (bits.size() < static_cast<std::size_t>(network::lane_positions(target)))
    return unsupported("permutation network: the tile is smaller than a vector");
  if (bits.size() > kMaxTileBits) return unsupported("permutation network: the tile is larger than 16 MiB");
  if (!starts_with_element(bits, std::countr_zero(static_cast<unsigned>(element_bytes))))
    return unsupported("permutation network: the tile does not start with the bytes of an element");
  if (destination_strides_collide(bits))
    return unsupported("permutation network: two bits of the tile have the same destination");
  return {};
}

Side side(std::span<const TileBit> bits, const std::int64_t TileBit::*stride,
          std::span<const std::int8_t> lanes, std::span<const int> slots) {
  Side result;
  result.lane_stride_bytes.reserve(lanes.size());
  result.register_stride_bytes.reserve(slots.size());
  for (const std::int8_t bit : lanes)
    result.lane_stride_bytes.push_back(bits[static_cast<std::size_t>(bit)].*stride);
  for (const int bit : slots)
    result.register_stride_bytes.push_back(bits[static_cast<std::size_t>(bit)].*stride);
  return result;
}

bool has_free_lanes(const network::TileLanes& tile, std::size_t lanes) {
  const auto free = [lanes](const network::LaneBits& held) {
    return std::any_of(held.begin(), held.begin() + lanes, [](std::int8_t bit) { return bit < 0; });
  };
  return free(tile.source) || free(tile.destination);
}

/// Slots whose vectors continue runs of a side past a line.
std::vector<int> line_slots(const Side& side, const std::vector<Stage>& stages) {
  std::vector<int> found;
  std::int64_t run = kLineBytes;
  for (bool longer = true; longer; run *= 2) {
    longer = false;
    for (int slot = 0; slot < static_cast<int>(side.register_stride_bytes.size()); ++slot) {
      if (side.register_stride_bytes[static_cast<std::size_t>(slot)] != run) continue;
      longer = std::ranges::none_of(stages, [slot](const Stage& stage) { return stage.slot == slot; });
      if (longer) found.push_back(slot);
    }
  }
  return found;
}

/// Slots whose vectors share a line.
std::vector<int> slots_within_lines(const Side& side, int vector_bytes) {
  std::vector<int> found;
  for (int slot = 0; slot < static_cast<int>(side.register_stride_bytes.size()); ++slot) {
    const std::int64_t stride = side.register_stride_bytes[static_cast<std::size_t>(slot)];
    if (stride >= vector_bytes && stride < kLineBytes) found.push_back(slot);
  }
  return found;
}

bool holds_all(const Phase& phase, const std::vector<int>& slots) {
  return std::ranges::all_of(
      slots, [&](int slot) { return std::ranges::find(phase.slots, slot) != phase.slots.end(); });
}

/// Phases whose last one writes lines whole, and as many neighbouring ones together as the registers hold
/// then. \pre `within` is not empty
std::vector<Phase> phases_filling_lines(const std::vector<Stage>& stages, int most_slots,
                                        network::LineSlots lines, const std::vector<int>& within) {
  lines.destination.insert(lines.destination.begin(), within.begin(), within.end());
  for (;;) {
    std::vector<Phase> phases = network::cut_into_phases(stages, most_slots, lines);
    if (holds_all(phases.back(), lines.destination) || lines.destination.size() == within.size())
      return phases;
    lines.destination.pop_back();
  }
}

/// Half of the registers hold the tile; the rest is for index tables and temporaries.
int most_slots_of(const NetworkTarget& target) {
  return target.registers >= 32 ? 4 : 3;
}

/// Streaming stores of half lines, each to another row than the one before, ran at 8 GB/s with 16 rows and
/// 19 with eight, those of whole lines at 37 and 43 (Zen 4, rows 4 KiB apart); plain ones at 16 and 20
/// instead of 20 to 23. In the caches a scratch for that costs more: f32 1000x1001 at 0.72 of memcpy without,
/// at 0.59 with it.
std::vector<Phase> phases_of(const Network& network, const std::vector<Stage>& stages,
                             const NetworkTarget& target) {
  const int most_slots = most_slots_of(target);
  network::LineSlots lines;
  if (target.keeps_runs_together) lines.source = line_slots(network.source, stages);
  if (target.line_stores == LineStores::kFromScratch)
    return network::cut_into_phases(stages, most_slots, lines);
  if (target.keeps_runs_together) lines.destination = line_slots(network.destination, stages);
  const std::vector<int> within = slots_within_lines(network.destination, network.vector_bytes);
  if (target.line_stores == LineStores::kTogether && !within.empty())
    return phases_filling_lines(stages, most_slots, lines, within);
  std::vector<Phase> phases = network::cut_into_phases(stages, most_slots, lines);
  const bool full = phases.size() == 1 && static_cast<int>(phases.back().slots.size()) == most_slots;
  if (full || holds_all(phases.back(), within)) return phases;
  std::vector<Phase> filling = phases_filling_lines(stages, most_slots, lines, within);
  return filling.size() <= phases.size() ? filling : phases;
}

Result<Network> build(const NetworkTarget& target, int element_bytes, std::span<const TileBit> bits,
                      const network::TileLanes& tile, const network::ShortestPaths& paths) {
  const int lanes = network::lane_positions(target);
  network::Walk walk = network::walk(paths, tile, lanes, static_cast<int>(bits.size()));
  if (auto status = network::add_moves_within_bytes(bits, target.vector_bytes, walk); !status)
    return status.error();
  Network result;
  result.vector_bytes = target.vector_bytes;
  result.element_bytes = element_bytes;
  result.slots = static_cast<int>(walk.source_slots.size());
  const auto width = static_cast<std::size_t>(lanes);
  result.source =
      side(bits, &TileBit::source_stride_bytes, std::span(tile.source).first(width), walk.source_slots);
  result.destination = side(bits, &TileBit::destination_stride_bytes,
                            std::span(tile.destination).first(width), walk.destination_slots);
  result.phases = phases_of(result, walk.stages, target);
  result.stages = std::move(walk.stages);
  if (result.phases.size() > 1) result.scratch_bytes = result.tile_bytes();
  result.predicted_cycles_per_vector = network::predicted_cycles_per_vector(result, target);
  return result;
}

/// Puts a network of several phases into one that takes the vectors half by half, if there is one and lines
/// need not be written together. The store and the load of what waits are not counted: stores and loads take
/// less time than shuffles of four stages.
void join_phases(Network& network, const NetworkTarget& target) {
  if (network.phases.size() == 1) return;
  const bool together = target.line_stores == LineStores::kTogether;
  if (together && !slots_within_lines(network.destination, network.vector_bytes).empty()) return;
  auto phase = network::phase_half_by_half(network.stages, most_slots_of(target));
  if (!phase) return;
  network.phases = {std::move(*phase)};
  network.scratch_bytes = 0;
  network.predicted_cycles_per_vector = network::predicted_cycles_per_vector(network, target);
}

/// Replaces `best` by a network of vectors in halves if one is cheaper, or as cheap and saves a pass, which
/// costs more than is predicted: 142 random pairs of bytes 0.52 and 0.60 of memcpy, 119 faster by a twentieth
/// and four slower. Whole vectors half by half are not tried: 95 pairs, of two bytes but for two, 0.97 times
/// as fast, 12 and 32 (Zen 3).
void try_halves(const NetworkTarget& target, int element_bytes, std::span<const TileBit> bits,
                const network::ShortestPaths& paths, Network& best) {
  const int lanes = network::lane_positions(target);
  const bool to_save_pass = target.split_vectors == SplitVectors::kLoadedToSavePass;
  if (to_save_pass && best.phases.size() == 1) return;  // there is none to save
  const auto attempt = [&](network::RunLanes longest) {
    const network::TileLanes tile = network::choose_lanes(paths, bits, lanes, longest);
    if (has_free_lanes(tile, static_cast<std::size_t>(lanes))) return;
    Result<Network> other = build(target, element_bytes, bits, tile, paths);
    if (other && to_save_pass) join_phases(*other, target);
    if (!other || (to_save_pass && other->phases.size() >= best.phases.size())) return;
    const double saved = best.predicted_cycles_per_vector - other->predicted_cycles_per_vector;
    if (saved > 0 || (to_save_pass && saved == 0)) best = std::move(*other);
  };
  if (target.split_vectors != SplitVectors::kNever) attempt({lanes - 1, lanes});
  if (target.split_vectors == SplitVectors::kLoadedAndStored) attempt({lanes - 1, lanes - 1});
}

}  // namespace

int Side::piece_bytes() const {
  int bytes = 1;
  for (const std::int64_t stride : lane_stride_bytes) {
    if (stride != bytes || bytes == most_piece_bytes) break;
    bytes *= 2;
  }
  return bytes;
}

std::int64_t Side::reach_bytes(int slot) const {
  return std::abs(register_stride_bytes[static_cast<std::size_t>(slot)]);
}

SidePiece Side::piece(int register_number, int byte) const {
  const auto vector_bytes = std::size_t{1} << lane_stride_bytes.size();
  if (!pieces.empty()) {
    const std::size_t per_vector = pieces.size() >> register_stride_bytes.size();
    const std::size_t in_vector = static_cast<std::size_t>(byte) * per_vector / vector_bytes;
    return pieces[static_cast<std::size_t>(register_number) * per_vector + in_vector];
  }
  std::int64_t offset = 0;
  for (std::size_t slot = 0; slot < register_stride_bytes.size(); ++slot)
    if ((register_number >> slot & 1) != 0) offset += register_stride_bytes[slot];
  for (std::size_t p = 0; p < lane_stride_bytes.size(); ++p)
    if ((byte >> p & 1) != 0) offset += lane_stride_bytes[p];
  return {offset, std::min(piece_bytes(), static_cast<int>(vector_bytes))};
}

Result<Network> synthesize(const NetworkTarget& target, int element_bytes, std::span<const TileBit> bits) {
  if (const Status status = check(target, element_bytes, bits); !status) return status.error();
  using network::Weighting;
  const int element_bits = std::countr_zero(static_cast<unsigned>(element_bytes));
  const int lanes = network::lane_positions(target);
  const network::ShortestPaths& balanced =
      network::shortest_paths(target, element_bits, Weighting::kBalanced);
  const network::TileLanes tile = network::choose_lanes(balanced, bits, lanes);
  if (has_free_lanes(tile, static_cast<std::size_t>(lanes)))
    return unsupported("permutation network: too few bits of whole bytes to fill a vector");
  if (balanced.distance(network::labels_of(tile, lanes)) < 0)
    return Error{ErrorCode::kInternal, "permutation network: no path"};
  Result<Network> best = build(target, element_bytes, bits, tile, balanced);
  if (!best) return best;
  // Mostly memory is the limit: then the second table need not even be built.
  const bool may_improve =
      best->predicted_cycles_per_vector > network::least_cycles_per_vector(*best, target);
  if (may_improve) try_halves(target, element_bytes, bits, balanced, *best);
  if (may_improve && !target.is_short_of_shuffles()) {
    const auto& scarce = network::shortest_paths(target, element_bits, Weighting::kScarceCrossing);
    Result<Network> other = build(target, element_bytes, bits, tile, scarce);
    if (other && other->predicted_cycles_per_vector < best->predicted_cycles_per_vector)
      best = std::move(other);
  }
  if (best->scratch_bytes > kMaxScratchBytes)
    return unsupported("permutation network: the tile needs more than 16 KiB of scratch");
  return best;
}

}  // namespace relayout::plan
