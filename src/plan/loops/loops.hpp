#pragma once

#include <optional>

#include "src/plan/kernels/kernel_choice.hpp"
#include "src/plan/model/plan.hpp"
#include "src/plan/model/plan_choice.hpp"

namespace relayout::plan {

/// Puts the loops around a kernel: overlapping tails, steps of a single long run, then the order, blocks and
/// prefetch distance of apply_loop_rules, as a `walk` or the candidate's own has it or, without one, as suits
/// the target. `candidate.kernel` is moved into the nest.
Nest make_nest(const Box& box, KernelCandidate candidate, const PairSizes& sizes, const Target& target,
               std::optional<LoopWalk> walk = {});

/// The loop over an axis in steps of `take` elements; the last step moves back to end with the axis, by a
/// guard that is added to `guards`.
Loop stepped_loop(const Axis& axis, std::int64_t take, std::vector<Guard>& guards);

}  // namespace relayout::plan
