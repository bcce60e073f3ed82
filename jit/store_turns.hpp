#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/plan/network/network.hpp"

namespace relayout::jit {

/// What is stored of a vector at a time: all of it or, where its pieces are shorter, a half or a lane.
struct StoredPart {
  unsigned register_number = 0;
  int part = 0;                   ///< of the vector, from its front on
  std::int64_t offset_bytes = 0;  ///< of its first byte
};

using StoredParts = std::vector<StoredPart>;

/// How many parts the vectors of a side have.
int parts_of_vector(const plan::Side& side, int vector_bytes);

/// What is stored before and after some vectors of a group come to be.
struct StoreTurn {
  StoredParts before;  ///< so that a register becomes free
  StoredParts after;
};

/// The order in which the parts of a group's vectors are stored: as soon as they come to be, or one after the
/// other in memory, as far as registers allow.
/// \param made the parts of the vectors that come to be in each turn
/// \param kept turns before those that need a free register each: if need be that of the first vector
std::vector<StoreTurn> store_turns(const std::vector<StoredParts>& made, std::size_t kept, bool by_address);

}  // namespace relayout::jit
