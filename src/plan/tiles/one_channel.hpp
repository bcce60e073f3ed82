#pragma once

#include <cstdint>
#include <optional>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/model/pair_sizes.hpp"
#include "src/plan/model/plan.hpp"
#include "src/plan/model/target.hpp"
#include "src/plan/tiles/micro_tile.hpp"

namespace relayout::plan {

/// Whether a permutation writes a few places in turn past the last cache, all of them on one channel of the
/// memory, and is faster through the caches than streamed.
/// \param footprint_bytes of both buffers together
bool writes_one_channel(const Nest& nest, std::int64_t footprint_bytes, const Target& target);

/// Runs of tiles whose few rows to write lie on one channel and follow one another in the source element by
/// element: as many lines of each row as go to one channel and the next. Nothing where there are no such
/// rows.
std::optional<TileRunLimits> runs_to_one_channel(const Box& box, const PairSizes& sizes,
                                                 const Target& target);

/// Whether a nest that the last cache just holds writes a part of the lines of one channel at a time, to
/// however many places.
bool waits_for_one_channel(const Nest& nest, const Target& target);

/// Whether a permutation streams parts of the lines of one channel to a few places a call, all that take
/// turns being on that channel, out of runs to read that are shorter than lines: blocks that write long runs
/// are faster.
bool streams_parts_of_rows_to_one_channel(const Nest& nest, const Target& target);

}  // namespace relayout::plan
