#pragma once

#include <optional>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/model/pair_sizes.hpp"
#include "src/plan/model/target.hpp"
#include "src/plan/tiles/micro_tile.hpp"
#include "src/plan/tiles/preferred_runs.hpp"

namespace relayout::plan {

/// The runs of tiles that transpose long rows, 1, 2 or 4 KiB or a multiple apart, into rows of at most 288
/// bytes or the other way round, as between images with all channels of a pixel together and all pixels of a
/// channel together. `tile` need not be the final one: only its axes count.
std::optional<PreferredRuns> runs_of_short_rows(const Box& box, const MicroTile& tile, const PairSizes& sizes,
                                                const Target& target);

}  // namespace relayout::plan
