#pragma once

#include <vector>

#include "src/interpret/step_builder.hpp"

namespace relayout::interpret {

/// Lane steps with slots assigned.
struct SlottedSteps {
  std::vector<LaneStep> steps;
  int slot_count = 0;
  std::vector<int> result_slots;  ///< of `results`, in their order
};

/// Drops the steps that no result needs and gives each of the others a slot, reusing slots after the last
/// use.
SlottedSteps assign_slots(const std::vector<LaneNode>& nodes, const std::vector<int>& results, bool wide);

}  // namespace relayout::interpret
