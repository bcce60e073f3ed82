#pragma once

#include <optional>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/model/pair_sizes.hpp"
#include "src/plan/model/target.hpp"
#include "src/plan/tiles/micro_tile.hpp"

namespace relayout::plan {

/// Runs of tiles that registers hold from the first load to the last streamed store, on a Zen 5 and, of fewer
/// tiles, on a Zen 4: a scratch's stores hold the streamed ones up. Nothing where other runs are better.
/// \pre the destination is streamed
std::optional<TileRunLimits> runs_of_streamed_tiles(const Box& box, const MicroTile& tile,
                                                    const PairSizes& sizes, const Target& target);

/// Whether tiles of a line each way are streamed in vectors of 32 bytes, at every level: on a Zen 4 and 5, of
/// narrow elements between long rows. \pre whole lines of the destination are streamed
bool suits_streamed_half_vectors(const Box& box, const MicroTile& tile, const PairSizes& sizes,
                                 const Target& target);

/// Whether long rows of elements of up to 4 bytes go to long rows in vectors of 32 bytes, and in the runs of
/// these (Target::splits_vectors_to_stream). \pre whole lines of the destination are streamed
bool streams_rows_in_split_vectors(const Box& box, const MicroTile& tile, const PairSizes& sizes,
                                   const Target& target);

}  // namespace relayout::plan
