#include "jit/vector_places.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

#include "src/plan/machine/line.hpp"

namespace relayout::jit {
namespace {

/// Whether this slot's vectors are the rest of lines that are being read. These come next where the order is
/// free: rows that share a set of the first cache have evicted them before long (AVX2 on a Zen 4, over
/// memcpy: bytes 1024x1024 0.43 and 0.53, 2-byte elements 0.32 and 0.57, f32 1024x1024 0.24 and 0.35).
bool continues_line(const plan::Network& network, int slot) {
  return network.source.reach_bytes(slot) < plan::kLineBytes;
}

/// Whether vectors with this slot's bit set hold anything at some time in a phase: they come to be where
/// bytes are split, and cease to where they are joined.
bool holds_data(const plan::Network& network, int slot, const plan::Phase& phase) {
  for (int s = 0; s < static_cast<int>(network.stages.size()); ++s) {
    const plan::Stage& stage = network.stages[static_cast<std::size_t>(s)];
    if (stage.slot != slot) continue;
    if (stage.move == plan::Move::kSplitBits && s >= phase.last_stage) return false;
    if (stage.move == plan::Move::kJoinBits && s < phase.first_stage) return false;
  }
  return true;
}

}  // namespace

VectorPlaces::VectorPlaces(const plan::Network& network, bool in_runs)
    : network_(network),
      in_runs_(in_runs),
      source_piece_bytes_(network.source.piece_bytes()),
      destination_piece_bytes_(network.destination.piece_bytes()) {
  if (network.fills_padding && network.destination.pieces.empty()) padded_.emplace(network);
}

void VectorPlaces::lay_out_scratch(bool streaming) {
  scratch_.emplace(network_, in_runs_, streaming ? network_.scratch_stripes : plan::ScratchStripes());
}

PhaseEnd VectorPlaces::source_end(std::size_t phase) const {
  if (phase == 0) return {registers::kSource, &network_.source, source_piece_bytes_};
  return {kScratchPointer, nullptr};
}

PhaseEnd VectorPlaces::destination_end(std::size_t phase) const {
  if (phase + 1 == network_.phases.size() && !in_runs_)
    return {registers::kDestination, &network_.destination, destination_piece_bytes_};
  return {kScratchPointer, nullptr};
}

std::vector<int> VectorPlaces::inactive_slots(const plan::Phase& phase) const {
  std::vector<int> inactive;
  for (int slot = 0; slot < network_.slots; ++slot)
    if (std::ranges::find(phase.slots, slot) == phase.slots.end() && holds_data(network_, slot, phase))
      inactive.push_back(slot);
  const bool is_first = &phase == &network_.phases.front();
  const bool to_scratch = in_runs_ || &phase != &network_.phases.back();
  const bool by_lines = to_scratch || (is_first && network_.reads_whole_lines);
  const auto key = [&](int slot) {
    const bool leads_to_padding = padded_ && padded_->leads_to_padding(slot);
    return std::tuple(is_first && !leads_to_padding, by_lines && !continues_line(network_, slot),
                      network_.destination.reach_bytes(slot));
  };
  std::ranges::sort(inactive, {}, key);
  return inactive;
}

std::int64_t VectorPlaces::stride_bytes(const PhaseEnd& end, int slot) const {
  const auto& strides = end.side == nullptr ? scratch_->stride_bytes() : end.side->register_stride_bytes;
  return strides[static_cast<std::size_t>(slot)];
}

std::int64_t VectorPlaces::offset_bytes(const PhaseEnd& end, unsigned number) const {
  std::int64_t offset = 0;
  for (unsigned left = number; left != 0; left &= left - 1)
    offset += stride_bytes(end, std::countr_zero(left));
  return offset;
}

VectorPlace VectorPlaces::place(const PhaseEnd& end, unsigned number) const {
  const auto register_number = static_cast<int>(number);
  if (end.side == nullptr || end.side->pieces.empty())
    return {end.base, offset_bytes(end, number), end.side, end.piece_bytes, register_number, {}, {}};
  VectorPlace place = {end.base, 0, end.side, end.piece_bytes, register_number, {}, {}};
  if (rounded_) {
    place.touched_bytes = rounded_->touched(end.side == &network_.source, number);
  } else if (padded_) {
    place.touched_bytes = padded_->readable(number);
    place.data_bytes = padded_->data(number);
  }
  return place;
}

TouchedRuns VectorPlaces::touched_runs(const PhaseEnd& end, const VectorNumbers& numbers) const {
  TouchedRuns runs;
  for (const unsigned number : numbers) {
    const VectorPlace vector = place(end, number);
    const int piece_bytes = vector.piece_bytes(network_.vector_bytes);
    for (int byte = 0; byte < network_.vector_bytes; byte += piece_bytes) {
      const int touched = vector.touched(byte, network_.vector_bytes);
      if (touched > 0) runs.add(vector.offset_bytes + vector.byte_offset(byte), touched);
    }
  }
  return runs;
}

}  // namespace relayout::jit
