#pragma once

#include <cstdint>
#include <span>

#include "src/plan/model/pair_sizes.hpp"
#include "src/plan/tiles/micro_tile.hpp"

namespace relayout::plan {

/// The runs that tiles have between short rows of one side and rows of the other side that lie a multiple of
/// so many bytes apart.
struct ShortRowRule {
  std::int64_t element_bytes = 1;
  std::int64_t least_row_bytes = 0;  ///< of the short rows
  std::int64_t most_row_bytes = 0;
  TileRunLimits limits;
  bool in_half_vectors = false;  ///< of 32 bytes where the level has 64
};

/// What the rules depend on besides the rows themselves.
struct ShortRowCase {
  Residence residence = Residence::kLastCache;
  bool streams_early = false;   ///< in a last cache that just holds both buffers, or as asked for
  bool wide = false;            ///< the level has vectors of 64 bytes
  std::int64_t span_bytes = 0;  ///< rows of the other side lie a multiple of it apart: 1, 2 or 4 KiB
};

/// In any order: they are for different rows.
std::span<const ShortRowRule> rules_of_short_rows_to_read(const ShortRowCase& of);
std::span<const ShortRowRule> rules_of_short_rows_to_write(const ShortRowCase& of);

}  // namespace relayout::plan
