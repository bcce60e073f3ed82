#pragma once

#include <optional>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/model/pair_sizes.hpp"
#include "src/plan/model/target.hpp"
#include "src/plan/tiles/micro_tile.hpp"

namespace relayout::plan {

/// A tile that reads shorter runs than `tile`, which has those of the limits, and overlaps less, so that
/// fewer bytes are moved twice (Target::reads_less_twice). Nothing where that spares little.
std::optional<MicroTile> tile_of_less_overlap(const Box& box, const MicroTile& tile, TileRunLimits limits,
                                              const PairSizes& sizes, const Target& target);

}  // namespace relayout::plan
