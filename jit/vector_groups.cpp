#include "jit/vector_groups.hpp"

#include <cstddef>

namespace relayout::jit {

unsigned deposit(unsigned value, std::span<const int> slots) {
  unsigned number = 0;
  for (std::size_t i = 0; i < slots.size(); ++i) number |= (value >> i & 1U) << slots[i];
  return number;
}

VectorNumbers vectors_of_group(unsigned group, std::span<const int> slots) {
  VectorNumbers numbers;
  for (unsigned i = 0; i < 1U << slots.size(); ++i) numbers.push_back(group | deposit(i, slots));
  return numbers;
}

std::span<const int> slots_at_a_time(const plan::Phase& phase) {
  return std::span(phase.slots).first(phase.slots.size() - (phase.half_by_half ? 1 : 0));
}

unsigned slots_split_in(const plan::Network& network, const plan::Phase& phase) {
  unsigned slots = 0;
  for (int s = phase.first_stage; s < phase.last_stage; ++s) {
    const plan::Stage& stage = network.stages[static_cast<std::size_t>(s)];
    if (stage.move == plan::Move::kSplitBits) slots |= 1U << stage.slot;
  }
  return slots;
}

}  // namespace relayout::jit
