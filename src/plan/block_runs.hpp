#pragma once

#include <cstdint>

namespace relayout::plan {

/// How the loops around a tile make blocks where it is known which, in place of runs of equal lengths.
struct BlockRuns {
  std::int64_t source_bytes = 0;       ///< that the block's rows grow to
  std::int64_t destination_bytes = 0;  ///< 0: the block is one call wide there
  bool along_destination = false;      ///< the next block continues the destination's rows, not the source's
};

}  // namespace relayout::plan
