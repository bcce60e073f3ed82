#pragma once

#include <cstdint>
#include <optional>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/tiles/micro_tile.hpp"

namespace relayout::plan {

/// Narrow elements' rows that are a multiple of this apart lie in few sets of the first cache: 8 of 64.
inline constexpr std::int64_t kSharedSetsBytes = 512;

/// From row to row of a tile.
struct RowStrides {
  std::int64_t source_bytes = 0;
  std::int64_t destination_bytes = 0;
};

/// Rows of either side, of which a tile takes parts.
struct TransposedRows {
  RowStrides strides;
  std::int64_t source_bytes = 0;  ///< of a row
  std::int64_t destination_bytes = 0;
};

/// Those of tiles of two axes, one contiguous at the source and the other one at the destination; nothing of
/// other tiles. Only the tile's axes count, not how much it takes of them.
std::optional<TransposedRows> transposed_rows(const Box& box, const MicroTile& tile,
                                              std::int64_t element_bytes);

}  // namespace relayout::plan
