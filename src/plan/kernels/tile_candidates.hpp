#pragma once

#include <cstdint>
#include <vector>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/kernels/kernel_candidate.hpp"
#include "src/plan/model/pair_sizes.hpp"
#include "src/plan/model/target.hpp"

namespace relayout::plan {

/// Adds networks that move a box by tiles of powers of two: that of whole lines, or of the runs to read that
/// overlap less (less_overlap.hpp); where its rows share cache sets, one of longer runs; and where its
/// overlapping tails would waste much, the best of those with shorter runs. Runs to write are no shorter than
/// `least_written_bytes`.
void add_networks(const Box& box, const PairSizes& sizes, const Target& target,
                  std::int64_t least_written_bytes, std::vector<KernelCandidate>& candidates);

/// The network of one tile whose runs reach these limits, if the box has such a tile.
void add_network(const Box& box, const TileRunLimits& limits, const PairSizes& sizes, const Target& target,
                 std::vector<KernelCandidate>& candidates);

}  // namespace relayout::plan
