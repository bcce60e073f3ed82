#pragma once

#include <cstdint>
#include <vector>

#include "src/runtime/proof_buffer.hpp"

namespace relayout::runtime {

/// One path that a kernel can take.
struct ProofPath {
  Placement source;
  Placement destination;
  int variant = 0;         ///< which way of running, for instance a store policy
  std::int64_t parts = 1;  ///< how many parts the work is split into
};

/// What paths there are to choose from.
struct PathChoices {
  std::int64_t element_bytes = 1;
  int variants = 1;
  /// Every combination of placements, variants and parts; otherwise every value of each at least once, and
  /// every variant with every split on buffers that start on a line.
  bool thorough = false;
};

/// Placements: offsets 0, 1, one element, 32 and 63 modulo 64, then both guards. Parts: 1, 2 and 7. Paths
/// without guards come first, so that a stray write is reported before one faults.
std::vector<ProofPath> proof_paths(const PathChoices& choices);

}  // namespace relayout::runtime
