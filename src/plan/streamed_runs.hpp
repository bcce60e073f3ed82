#pragma once

#include <cstdint>

#include "src/plan/network.hpp"
#include "src/plan/target.hpp"

namespace relayout::plan {

/// Bytes that a network moves, and that a scratch for all of its vectors takes.
std::int64_t tile_bytes(const Network& network);

/// Whether runs that begin anywhere in a line are streamed (StorePolicy::kStreamingRuns) on a processor.
bool streams_runs(const Target& target);

/// Whether a network's runs there are long enough for that.
bool can_stream_runs(const Network& network, const Target& target);

}  // namespace relayout::plan
