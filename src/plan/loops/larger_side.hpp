#pragma once

#include <optional>

#include "src/plan/model/plan.hpp"
#include "src/plan/model/plan_choice.hpp"
#include "src/plan/model/target.hpp"

namespace relayout::plan {

/// The order of the side that most of a nest's lines are of, if half of the second cache holds the other
/// side's: these are near in any order, while the processor's own prefetch follows the many only in theirs.
/// Takes a few microseconds.
std::optional<LoopWalk> order_of_larger_side(const Nest& nest, const Target& target);

}  // namespace relayout::plan
