#pragma once

#include <cstdint>

#include "src/plan/plan.hpp"

namespace relayout::plan {

/// Lines of both sides together that one run of `nest` fetches into a cache of so many bytes. A line that two
/// trips of a loop touch is fetched once if all that one of the trips touches leaves it there. An estimate
/// from strides alone, without the cache's sets: takes microseconds. Loops over tables count as if no lines
/// were shared.
double lines_fetched(const Nest& nest, std::int64_t cache_bytes);

}  // namespace relayout::plan
