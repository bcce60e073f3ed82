#pragma once

#include <optional>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/model/pair_sizes.hpp"
#include "src/plan/model/target.hpp"
#include "src/plan/tiles/micro_tile.hpp"
#include "src/plan/tiles/preferred_runs.hpp"

namespace relayout::plan {

/// What tiles have wherever no more is known.
struct UsualRuns {
  bool wide = false;                            ///< of 64-byte vectors
  std::optional<TileRunLimits> of_shared_sets;  ///< where rows to write share cache sets
};

/// As preferred_runs, in the second cache of processors that set Target::rereads_from_second_cache.
std::optional<PreferredRuns> near_runs(const Box& box, const MicroTile& tile, const PairSizes& sizes,
                                       const Target& target, const UsualRuns& usual);

}  // namespace relayout::plan
