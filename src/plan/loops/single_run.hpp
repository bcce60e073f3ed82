#pragma once

#include "src/plan/loops/loop_order.hpp"
#include "src/plan/model/pair_sizes.hpp"
#include "src/plan/model/target.hpp"

namespace relayout::plan {

/// Whether the source is fetched ahead from block to block though a call reads one contiguous run, or writes
/// one, or both, that is, `runs` (in bytes) has one on a side. Measurements: single_run.cpp.
bool fetches_single_run(const TileRuns& runs, const PairSizes& sizes, const Target& target);

}  // namespace relayout::plan
