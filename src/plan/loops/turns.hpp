#pragma once

#include <cstdint>
#include <vector>

#include "src/plan/model/plan.hpp"

namespace relayout::plan {

/// The loops cut into parts of nests whose equal shares meet in the same stretches of the destination.
struct SharedLoop {
  std::int64_t trips = 1;              ///< of the first nest's; 1: there is none
  std::int64_t destination_bytes = 0;  ///< from the first trip to the end of the last
};

/// Of nests that write parts of the same lines (data beside padding, tiles beside the rest of a row), or else
/// read them.
SharedLoop loop_of_shared_lines(const std::vector<Nest>& nests);

/// Of nests that need not touch the same lines.
SharedLoop loop_of_neighbours(const std::vector<Nest>& nests);

}  // namespace relayout::plan
