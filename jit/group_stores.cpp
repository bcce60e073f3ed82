#include "jit/group_stores.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace relayout::jit {

StoreOrder GroupStores::by_address(const PhaseEnd& to, const VectorNumbers& numbers) const {
  const bool placed = to.side != nullptr && !to.side->pieces.empty();
  StoreOrder order;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const unsigned number = numbers[i];
    order.push_back(
        {placed ? to.side->piece(static_cast<int>(number), 0).offset_bytes : places_.offset_bytes(to, number),
         i});
  }
  std::ranges::sort(order, {},
                    [](const StoredVector& vector) { return std::pair(vector.offset_bytes, vector.index); });
  return order;
}

bool GroupStores::orders_parts(const PhaseEnd& to) const {
  return network_.stores_by_address && to.side != nullptr && to.piece_bytes < network_.vector_bytes;
}

StoredParts GroupStores::parts_to(const PhaseEnd& to, unsigned number) const {
  if (to.side == nullptr) return {{number, 0, places_.offset_bytes(to, number)}};
  const int part_bytes = network_.vector_bytes / parts_of_vector(*to.side, network_.vector_bytes);
  StoredParts parts;
  for (int byte = 0; byte < network_.vector_bytes; byte += to.piece_bytes) {
    const plan::SidePiece piece = to.side->piece(static_cast<int>(number), byte);
    const int part = byte / part_bytes;
    if (piece.bytes > 0 && (parts.empty() || parts.back().part != part))
      parts.push_back({number, part, piece.offset_bytes});
  }
  return parts;
}

std::vector<StoreTurn> GroupStores::turns_of(std::size_t phase_index, unsigned group) const {
  const plan::Phase& phase = network_.phases[phase_index];
  const PhaseEnd to = places_.destination_end(phase_index);
  const VectorNumbers numbers = vectors_of_group(group, slots_at_a_time(phase));
  std::vector<StoredParts> made;
  for (const auto& [offset, i] : by_address(to, numbers)) {
    if (phase.half_by_half || made.empty()) made.emplace_back();
    std::ranges::copy(parts_to(to, numbers[i]), std::back_inserter(made.back()));
    if (phase.half_by_half)
      std::ranges::copy(parts_to(to, numbers[i] | 1U << phase.slots.back()), std::back_inserter(made.back()));
  }
  const std::size_t kept = phase.half_by_half ? vectors_kept(numbers.size()) : made.size();
  return store_turns(made, kept, orders_parts(to));
}

std::size_t GroupStores::vectors_kept(std::size_t count) const {
  const auto registers = static_cast<std::size_t>(vector_registers_);
  return registers > count ? std::min(count, registers - 1 - count) : 0;
}

}  // namespace relayout::jit
