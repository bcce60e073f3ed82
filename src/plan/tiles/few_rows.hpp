#pragma once

#include <optional>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/model/pair_sizes.hpp"
#include "src/plan/model/target.hpp"
#include "src/plan/tiles/micro_tile.hpp"

namespace relayout::plan {

/// Whether a box is walked best in the destination's order: what it transposes are few rows to read, which
/// share sets of the first cache as those to write do (Target::follows_few_rows). Measurements: few_rows.cpp.
bool reads_few_rows(const Box& box, const MicroTile& tile, const PairSizes& sizes, const Target& target);

/// Runs of tiles to few such rows to write; nothing where they are not few.
std::optional<TileRunLimits> runs_to_few_rows(const Box& box, const MicroTile& tile, const PairSizes& sizes,
                                              const Target& target);

}  // namespace relayout::plan
