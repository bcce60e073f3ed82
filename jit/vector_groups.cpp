#include "jit/vector_groups.hpp"

#include <algorithm>
#include <tuple>

#include "src/plan/line.hpp"

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

std::vector<int> inactive_slots(const GroupOrder& order, const plan::Phase& phase) {
  const plan::Network& network = order.network;
  std::vector<int> inactive;
  for (int slot = 0; slot < network.slots; ++slot)
    if (std::ranges::find(phase.slots, slot) == phase.slots.end() && holds_data(network, slot, phase))
      inactive.push_back(slot);
  const bool is_first = &phase == &network.phases.front();
  const bool to_scratch = order.in_runs || &phase != &network.phases.back();
  const bool by_lines = to_scratch || (is_first && network.reads_whole_lines);
  const auto key = [&](int slot) {
    const bool leads_to_padding = order.padded && order.padded->leads_to_padding(slot);
    return std::tuple(is_first && !leads_to_padding, by_lines && !continues_line(network, slot),
                      network.destination.reach_bytes(slot));
  };
  std::ranges::sort(inactive, {}, key);
  return inactive;
}

}  // namespace relayout::jit
