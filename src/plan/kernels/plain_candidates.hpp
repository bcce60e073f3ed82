#pragma once

#include <cstdint>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/kernels/kernel_candidate.hpp"
#include "src/plan/model/pair_sizes.hpp"
#include "src/plan/model/target.hpp"

namespace relayout::plan {

/// Cycles of one element's load and store, on the scale of kernel_cycles.hpp and set by hand: only the order
/// of kernels that it leads to was tested.
inline constexpr double kGatheredElement = 1.5;

/// Copies of the runs that both sides share, or of single elements.
KernelCandidate copy_candidate(const Box& box, const PairSizes& sizes, const Target& target);

/// Scalar moves along one axis, which fit every box; by the hardware's gathers where they were asked for.
KernelCandidate gather_candidate(const Box& box, std::int64_t element_bytes, const Target& target,
                                 bool forced);

}  // namespace relayout::plan
