#pragma once

#include <cstdint>

#include "src/plan/loops/loop_order.hpp"
#include "src/plan/model/plan.hpp"

namespace relayout::plan {

/// Orders the loops of a nest that copies runs past the last cache, so that the processor's prefetch and the
/// memory's open pages serve both sides: see far_copy.cpp. `streamed`: it writes whole lines past the caches.
void order_far_copy(Nest& nest, const TileRuns& runs, int ragged_guards, bool streamed);

}  // namespace relayout::plan
