#include "jit/vector_places.hpp"

#include <bit>

namespace relayout::jit {

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
