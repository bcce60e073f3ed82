#pragma once

#include <cstdint>
#include <vector>

#include "src/plan/model/plan.hpp"

namespace relayout::testing {

/// One byte's way. A zero that is written comes from `kNone`; a byte that is read only goes there.
struct ByteMove {
  std::int64_t source = 0;
  std::int64_t destination = 0;
};

inline constexpr std::int64_t kNone = INT64_MIN;

/// The bytes that a nest moves, in order, found by plain recursion over plan.hpp's definitions. Permutation
/// networks are not included.
std::vector<ByteMove> naive_moves(const plan::Nest& nest);

/// Trips of the loop that is cut into parts.
std::int64_t cut_trips(const plan::Nest& nest);

}  // namespace relayout::testing
