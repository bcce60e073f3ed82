#pragma once

#include <cstdint>
#include <vector>

#include "src/plan/loops/loop_order.hpp"
#include "src/plan/model/plan.hpp"

namespace relayout::plan {

/// Bytes of the source that `loops`, outermost first and of a kernel that covers `runs`, read before one of
/// them goes on where a run ended; of shorter runs than lines, the whole lines. Until then a line that two
/// runs share should wait in a cache.
std::int64_t source_sweep_bytes(const std::vector<Loop>& loops, const TileRuns& runs);

/// Whether both sides go forwards in `loops`, which walk in the source's order: the innermost goes on where
/// the source's runs ended, and takes one row of the destination after the other, each of a few of the
/// kernel's runs.
bool both_sides_go_forwards(const std::vector<Loop>& loops, const TileRuns& runs);

/// Whether a nest writes one place after the other and reads so many in turn that the processor's prefetch
/// still follows them. Fewer are no gain over blocks.
bool writes_one_place_from_several(const Nest& nest, const TileRuns& runs);

/// Whether a nest writes more places in turn than blocks would gain by, not all to few sets of the caches.
bool writes_many_places(const Nest& nest, const TileRuns& runs);

/// Whether lines may be streamed in the order of `nest`: not one at a time to one channel of the memory,
/// unless the places are near each other.
bool streams_lines_anywhere(const Nest& nest, const TileRuns& runs);

}  // namespace relayout::plan
