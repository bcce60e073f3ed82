#pragma once

#include <optional>

#include "src/plan/kernel_choice.hpp"
#include "src/plan/plan.hpp"
#include "src/plan/plan_choice.hpp"

namespace relayout::plan {

/// Puts the loops around a kernel: overlapping tails, steps of a single long run, then the order, blocks and
/// prefetch distance of order_loops, in blocks or, without a `walk`, in the candidate's own order or the one
/// that suits the target. `candidate.kernel` is moved into the nest.
Nest make_nest(const Box& box, KernelCandidate candidate, const PairSizes& sizes, const Target& target,
               std::optional<LoopWalk> walk = {});

/// The loop over an axis in steps of `take` elements; the last step moves back to end with the axis, by a
/// guard that is added to `guards`.
Loop stepped_loop(const Axis& axis, std::int64_t take, std::vector<Guard>& guards);

/// Whether all calls of the kernel write to the same place of a line, up to the nest's base.
bool steps_are_aligned(const Nest& nest, std::int64_t alignment_bytes);

/// Whether all whole-vector stores are aligned to `alignment_bytes` when the destination buffer is; of long
/// padding, those to lines that it fills whole.
bool stores_are_aligned(const Nest& nest, std::int64_t alignment_bytes);

}  // namespace relayout::plan
