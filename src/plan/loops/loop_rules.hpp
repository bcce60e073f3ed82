#pragma once

#include <optional>

#include "src/plan/loops/loop_goals.hpp"

namespace relayout::plan {

/// Orders the loops of a nest, which has its kernel: around blocks that are fetched ahead where that is
/// faster, else in blocks, along a side, or by counted lines, as the target's rules have it; with a `walk`,
/// as it says. Loops that a pointer can walk as one become one. Takes some microseconds.
void apply_loop_rules(Nest& nest, const LoopInputs& inputs, std::optional<LoopWalk> walk);

}  // namespace relayout::plan
