#pragma once

#include <cstdint>
#include <optional>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/model/pair_sizes.hpp"
#include "src/plan/tiles/micro_tile.hpp"

// Runs of 64-byte vectors in the caches where loads and stores are masked (masked_access.hpp): a Zen 5's
// (Target::reads_single_lines). Figures are ratios to memcpy.

namespace relayout::plan {

/// Of rows to write a multiple of 4 KiB apart, if others than preferred_runs.cpp has are better.
std::optional<TileRunLimits> runs_of_single_lines(const Box& box, const MicroTile& tile,
                                                  std::int64_t element_bytes);

/// Of rows nearer than that which still share sets, if lines of tiles a line each way are not best.
std::optional<TileRunLimits> runs_of_near_sets(const Box& box, const MicroTile& tile, const PairSizes& sizes);

/// Whether a row of either side, two lines of it at least, begins on a line.
bool has_long_rows_on_lines(const Box& box, std::int64_t element_bytes);

}  // namespace relayout::plan
