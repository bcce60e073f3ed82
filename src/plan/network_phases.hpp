#pragma once

#include <vector>

#include "src/plan/network.hpp"

namespace relayout::plan::network {

/// Cuts a list of stages into the fewest phases of at most `max_slots` slots each, as evenly as possible. At
/// least one phase. Linear in the stages.
std::vector<Phase> cut_into_phases(const std::vector<Stage>& stages, int max_slots);

}  // namespace relayout::plan::network
