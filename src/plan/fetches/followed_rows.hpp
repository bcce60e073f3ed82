#pragma once

#include <optional>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/model/pair_sizes.hpp"
#include "src/plan/model/target.hpp"
#include "src/plan/tiles/block_runs.hpp"
#include "src/plan/tiles/micro_tile.hpp"

namespace relayout::plan {

/// Blocks that are one call wide at the destination, follow the rows that a tile reads, and go on along the
/// rows to write; nothing where blocks of another shape are faster. Of `tile` only the axes count.
/// Measurements: followed_rows.cpp.
std::optional<BlockRuns> followed_rows(const Box& box, const MicroTile& tile, const PairSizes& sizes,
                                       const Target& target);

}  // namespace relayout::plan
