#pragma once

#include "src/plan/loop_order.hpp"
#include "src/plan/plan.hpp"
#include "src/plan/target.hpp"

namespace relayout::plan {

/// Lines that share a set of the first cache with each other, in the mean, of the first 64 that a nest writes
/// one after the other; 0 if one of its loops is not counted. The destination begins on a page. Takes a
/// microsecond.
double lines_written_per_set(const Nest& nest);

/// Whether these are more than a set holds.
bool crowds_written_sets(const Nest& nest, const Target& target);

/// Whether these are few, and the processor's prefetch follows what the nest reads, whose kernel covers
/// `runs`.
bool spreads_written_lines(const Nest& nest, const TileRuns& runs, const Target& target);

}  // namespace relayout::plan
