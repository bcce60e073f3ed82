#pragma once

#include <vector>

#include "src/plan/network.hpp"

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

}  // namespace relayout::plan::network
