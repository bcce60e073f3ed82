#pragma once

#include <cstdint>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/model/plan.hpp"

namespace relayout::plan {

/// How far from a block's beginning on, in bytes, the source is fetched while its runs leave
/// (Staging::fetch_bytes): where each block reads one stretch and the next, which `nest` fetches already,
/// goes on there; 0 elsewhere. `nest` is the staged nest of blocks like `block`. Measurements:
/// staged_fetch.cpp.
std::int64_t fetched_as_runs_leave(const Nest& nest, const Box& block);

}  // namespace relayout::plan
