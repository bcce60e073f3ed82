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

/// Cuts all nests into shares by loops further in, where the first one's outermost loops have fewer trips
/// than `shares`: each share then writes in as many places as the loops around take steps. Loops of other
/// nests that go on where the first one's begin anew are split to meet them. \return the places; 0: nothing
/// has changed, as there would be more than `most_places`, or some nest's
///         loops do not meet the first one's
std::int64_t cut_in_places(std::vector<Nest>& nests, std::int64_t shares, std::int64_t most_places);

}  // namespace relayout::plan
