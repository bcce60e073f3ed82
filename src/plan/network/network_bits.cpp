// Elements of e bits: within a byte, bit i of their index has weight e << i. Where source and destination
// have different index bits there, A and B, the tile has an extra bit X that holds B at the source (the
// source's strides of B) and A at the destination (the destination's strides of A). While X is a bit of the
// register number, one exchange with weight s does the rest; with m the mask of the bits of weight 0,
//   a' = (a & m) | ((b & m) << s),  b' = ((a >> s) & m) | (b & ~m).
// Unpacking has no B: b is not loaded, and a' = a & m, b' = (a >> s) & m. Packing has no A: b' is not stored.
// Exchanges of different weights commute with one another and with every move of whole bytes.

#include "src/plan/network/network_bits.hpp"

#include <algorithm>

namespace relayout::plan::network {
namespace {

Move move_of(SubByte kind) {
  switch (kind) {
    case SubByte::kSplit:
      return Move::kSplitBits;
    case SubByte::kJoin:
      return Move::kJoinBits;
    default:
      return Move::kExchangeBits;
  }
}

/// The bits of a byte whose number has no `shift_bits` in it.
std::uint8_t low_parts(int shift_bits) {
  std::uint8_t mask = 0;
  for (int bit = 0; bit < 8; ++bit)
    if ((bit & shift_bits) == 0) mask = static_cast<std::uint8_t>(mask | 1U << bit);
  return mask;
}

int slot_of(const std::vector<int>& slots, int bit) {
  const auto found = std::find(slots.begin(), slots.end(), bit);
  return found == slots.end() ? -1 : static_cast<int>(found - slots.begin());
}

}  // namespace

Status add_moves_within_bytes(std::span<const TileBit> bits, int vector_bytes, Walk& walk) {
  std::vector<Stage> first;
  std::vector<Stage> last;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const TileBit& bit = bits[i];
    if (bit.sub_byte == SubByte::kNone) continue;
    const auto number = static_cast<int>(i);
    const bool at_end = bit.sub_byte == SubByte::kJoin || slot_of(walk.source_slots, number) < 0;
    const int slot = slot_of(at_end ? walk.destination_slots : walk.source_slots, number);
    if (slot < 0) {
      return Error{ErrorCode::kUnsupported,
                   "permutation network: elements of a byte come from lanes and go to lanes"};
    }
    const std::vector<std::uint8_t> mask(static_cast<std::size_t>(vector_bytes), low_parts(bit.shift_bits));
    (at_end ? last : first).push_back({move_of(bit.sub_byte), slot, {mask}, bit.shift_bits});
  }
  walk.stages.insert(walk.stages.begin(), first.begin(), first.end());
  walk.stages.insert(walk.stages.end(), last.begin(), last.end());
  return {};
}

}  // namespace relayout::plan::network
