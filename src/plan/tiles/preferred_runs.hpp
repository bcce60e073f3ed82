#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/model/pair_sizes.hpp"
#include "src/plan/model/plan_choice.hpp"
#include "src/plan/model/target.hpp"
#include "src/plan/tiles/micro_tile.hpp"

namespace relayout::plan {

/// Of what a call may use of the stack.
inline constexpr std::int64_t kMaximumPreferredTileBytes = 8192;

/// Of what longer runs gain, overlapping tails may take this much: tiles that move more of the bytes twice
/// than this times those of whole lines are not preferred.
inline constexpr double kTolerableWasteOfPreferred = 1.25;

struct PreferredRuns {
  TileRunLimits limits;
  std::string_view reason;
  bool of_shared_sets = false;        ///< chosen because rows share sets of the first cache
  std::optional<LoopWalk> walk = {};  ///< that goes with them, if it is not for the loops to find
  bool in_half_vectors = false;       ///< moved in vectors of 32 bytes, whatever the level's are
};

/// Of rows that lie in few sets.
PreferredRuns of_few_sets(TileRunLimits limits);

/// Runs that are better than a line on both sides for a box whose tile of whole lines is `tile`; nothing
/// where none are. Measurements: preferred_runs.cpp. \pre elements of 1, 2, 4, 8 or 16 bytes
std::optional<PreferredRuns> preferred_runs(const Box& box, const MicroTile& tile, const PairSizes& sizes,
                                            const Target& target);

}  // namespace relayout::plan
