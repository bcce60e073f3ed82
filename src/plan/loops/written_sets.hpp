#pragma once

#include "src/plan/loops/loop_order.hpp"
#include "src/plan/model/plan.hpp"
#include "src/plan/model/target.hpp"

namespace relayout::plan {

/// Lines that share a set of the first cache with each other, in the mean, of the first 64 that a nest writes
/// one after the other, as many as that cache has sets. The destination begins on a page, and guards are left
/// aside: they end loops after more lines than that, or nearly. Takes a few microseconds, where calls write
/// single bytes up to a hundred. \pre all loops are counted
double lines_written_per_set(const Nest& nest);

/// Whether these are more than a set holds.
bool crowds_written_sets(const Nest& nest, const Target& target);

/// Whether these are few, and the processor's prefetch follows what the nest reads, whose kernel covers
/// `runs`. \pre all loops are counted
bool writes_to_spread_sets(const Nest& nest, const TileRuns& runs, const Target& target);

}  // namespace relayout::plan
