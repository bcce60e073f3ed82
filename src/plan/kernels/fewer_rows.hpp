#pragma once

#include <vector>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/kernels/kernel_candidate.hpp"
#include "src/plan/model/pair_sizes.hpp"
#include "src/plan/model/target.hpp"

namespace relayout::plan {

/// Puts a network over fewer rows first, at the cost of what was first, where the first cache would not keep
/// pace with the stores of that (Target::widest_stored_at_pace_bytes). Measurements: fewer_rows.cpp.
void prefer_fewer_rows(const Box& box, const PairSizes& sizes, const Target& target,
                       std::vector<KernelCandidate>& candidates);

}  // namespace relayout::plan
