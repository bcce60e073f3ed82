#pragma once

#include <cstdint>

namespace relayout::plan {

/// Runs that blocks grow to on either side. Measured on a Zen 5: past the last cache 1 KiB, less where the
/// second cache would not hold such a block's lines, moved 38 random pairs 1.07 to 1.09 times as fast as 256
/// bytes, 1 KiB everywhere 1.03 times, and rows of powers of two slower (bytes 4096x4096 0.35 of memcpy
/// instead of 0.49). Of pairs in the last cache as many lost as won. With vectors of 32 bytes on a Zen 4 256
/// bytes won, 47 pairs 0.76 instead of 0.72: where rows to read are not much longer than 1 KiB, the prefetch
/// of the next block misses (f32[300,256,300] to {1,2,0} 0.43 and 0.86).
inline constexpr std::int64_t kBlockRunBytes = 256;

/// How the loops around a tile make blocks where it is known which, in place of runs of equal lengths.
struct BlockRuns {
  std::int64_t source_bytes = 0;       ///< that the block's rows grow to
  std::int64_t destination_bytes = 0;  ///< 0: the block is one call wide there
  bool along_destination = false;      ///< the next block continues the destination's rows, not the source's
};

}  // namespace relayout::plan
