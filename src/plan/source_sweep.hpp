#pragma once

#include <cstdint>
#include <vector>

#include "src/plan/loop_order.hpp"

namespace relayout::plan {

/// Bytes of the source that `loops`, outermost first and of a kernel that covers `runs`, read before one of
/// them goes on where a run ended. Until then a line that two runs share should wait in a cache.
std::int64_t source_sweep_bytes(const std::vector<Loop>& loops, const TileRuns& runs);

}  // namespace relayout::plan
