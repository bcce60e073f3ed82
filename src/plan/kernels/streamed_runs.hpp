#pragma once

#include <cstdint>

#include "src/plan/model/plan.hpp"
#include "src/plan/model/target.hpp"

namespace relayout::plan {

/// Bytes of the contiguous runs that a network writes, of whole vectors.
std::int64_t written_run_bytes(const Network& network);

/// Whether a nest's runs are long enough to be streamed though they begin anywhere in a line
/// (StorePolicy::kStreamingRuns): a copy's, read from where they are, or a permutation's, out of a scratch of
/// its tile.
bool can_stream_runs(const Nest& nest);

/// Whether every few of a nest's runs one is moved back from an end, into the run that was written just
/// before: to lines that stores through the caches have written in part, and which it would stream.
bool runs_overlap_often(const Nest& nest, std::int64_t run_bytes);

/// Whether padding begins or ends within a line, next to data.
bool padding_cuts_lines(const Nest& nest);

/// Whether what all calls of a nest's kernel write begins on a line of a destination that begins on one.
bool begins_on_lines(const Nest& nest);

}  // namespace relayout::plan
