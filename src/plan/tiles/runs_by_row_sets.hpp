#pragma once

#include <optional>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/model/pair_sizes.hpp"
#include "src/plan/model/target.hpp"
#include "src/plan/tiles/micro_tile.hpp"
#include "src/plan/tiles/preferred_runs.hpp"

namespace relayout::plan {

/// As preferred_runs, where Target::finds_runs_by_row_sets says so, of rows that lie a multiple of 512 bytes
/// to 4 KiB apart at a side, or nearly. Nothing where the usual runs are as good.
std::optional<PreferredRuns> runs_by_row_sets(const Box& box, const MicroTile& tile, const PairSizes& sizes,
                                              const Target& target);

}  // namespace relayout::plan
