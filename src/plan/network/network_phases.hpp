#pragma once

#include <optional>
#include <vector>

#include "src/plan/network/network.hpp"

namespace relayout::plan::network {

/// Slots whose vectors are neighbouring lines, or share a line, of a side.
struct LineSlots {
  std::vector<int> source;
  std::vector<int> destination;
};

/// Cuts a list of stages into the fewest phases of at most `max_slots` slots each, as evenly as possible. At
/// least one phase. Neighbouring lines are read by the first phase together and written by the last one
/// together, if that takes no more than two phases. Quadratic in the stages at most.
std::vector<Phase> cut_into_phases(const std::vector<Stage>& stages, int max_slots,
                                   const LineSlots& lines = {});

/// All stages in one phase of one slot more than `max_slots`, half by half; nothing where stages need more
/// registers than their vectors and a spare one, or have the last one's slot more than once.
std::optional<Phase> phase_half_by_half(const std::vector<Stage>& stages, int max_slots);

}  // namespace relayout::plan::network
