#include "src/interpret/slots.hpp"

#include <bit>
#include <cstddef>

#include "src/interpret/division.hpp"

namespace relayout::interpret {
namespace {

constexpr int kUnused = -1;

/// Walks the steps in order with a stack of free slots.
class SlotAssignment {
 public:
  SlotAssignment(const std::vector<LaneNode>& nodes, const std::vector<int>& results)
      : nodes_(nodes), last_use_(nodes.size(), kUnused), slots_(nodes.size(), 0) {
    const int end = static_cast<int>(nodes.size());
    for (const int result : results) last_use_[static_cast<std::size_t>(result)] = end;
    for (int number = end - 1; number >= 0; --number) find_last_uses(number);
  }

  bool is_used(int number) const { return last_use_[static_cast<std::size_t>(number)] != kUnused; }
  int slot_of(int number) const { return number < 0 ? 0 : slots_[static_cast<std::size_t>(number)]; }
  int slot_count() const { return slot_count_; }

  /// Frees the operands that end here first, so that the result may take the place of one.
  void assign(int number) {
    const LaneNode& node = nodes_[static_cast<std::size_t>(number)];
    release(node.left, number);
    if (node.right != node.left) release(node.right, number);
    slots_[static_cast<std::size_t>(number)] = take();
  }

 private:
  void find_last_uses(int number) {
    if (!is_used(number)) return;
    const LaneNode& node = nodes_[static_cast<std::size_t>(number)];
    for (const int operand : {node.left, node.right}) {
      if (operand >= 0 && !is_used(operand)) last_use_[static_cast<std::size_t>(operand)] = number;
    }
  }

  void release(int operand, int number) {
    if (operand >= 0 && last_use_[static_cast<std::size_t>(operand)] == number)
      free_.push_back(slot_of(operand));
  }

  int take() {
    if (free_.empty()) return slot_count_++;
    const int slot = free_.back();
    free_.pop_back();
    return slot;
  }

  const std::vector<LaneNode>& nodes_;
  std::vector<int> last_use_;
  std::vector<int> slots_;
  std::vector<int> free_;
  int slot_count_ = 0;
};

LaneStep slotted(const LaneNode& node, const SlotAssignment& slots, bool wide) {
  LaneStep step = {};
  step.operation = node.operation;
  step.left = static_cast<std::uint16_t>(slots.slot_of(node.left));
  step.right = static_cast<std::uint16_t>(slots.slot_of(node.right));
  step.scalar = static_cast<std::uint32_t>(node.scalar);
  if (node.operation == LaneOperation::kShiftRight) {
    step.shift = static_cast<std::uint8_t>(std::countr_zero(static_cast<std::uint64_t>(node.divisor)));
  } else if (node.operation == LaneOperation::kDivide) {
    const Division division = wide ? wide_division(node.divisor) : narrow_division(node.divisor);
    step.shift = static_cast<std::uint8_t>(division.shift);
    step.multiplier = division.multiplier;
  }
  return step;
}

}  // namespace

SlottedSteps assign_slots(const std::vector<LaneNode>& nodes, const std::vector<int>& results, bool wide) {
  SlotAssignment slots(nodes, results);
  SlottedSteps assigned;
  for (int number = 0; number < static_cast<int>(nodes.size()); ++number) {
    if (!slots.is_used(number)) continue;
    LaneStep step = slotted(nodes[static_cast<std::size_t>(number)], slots, wide);
    slots.assign(number);
    step.result = static_cast<std::uint16_t>(slots.slot_of(number));
    assigned.steps.push_back(step);
  }
  assigned.slot_count = slots.slot_count();
  for (const int result : results) assigned.result_slots.push_back(slots.slot_of(result));
  return assigned;
}

}  // namespace relayout::interpret
