#pragma once

#include <cstdint>
#include <vector>

#include "src/plan/plan.hpp"

namespace relayout::plan {

/// Trips of the loops cut into parts of nests that write parts of the same lines (data beside padding, tiles
/// beside the rest of a row), or else read them, where equal shares of these loops meet in the same lines, so
/// that nests may take turns; 1 where nests share no lines or their loops do not agree.
std::int64_t shared_trips(const std::vector<Nest>& nests);

}  // namespace relayout::plan
