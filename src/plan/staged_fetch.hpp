#pragma once

#include <cstdint>

#include "src/plan/boxes.hpp"
#include "src/plan/plan.hpp"

namespace relayout::plan {

/// From where behind a block's beginning the source is fetched while its runs leave (Staging::fetch_bytes); 0
/// where that does not pay. `nest` is the staged nest of blocks like `block`, and fetches the next one.
/// Measurements: staged_fetch.cpp.
std::int64_t fetched_as_runs_leave(const Nest& nest, const Box& block);

}  // namespace relayout::plan
