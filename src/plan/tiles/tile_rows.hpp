#pragma once

#include <cstdint>

#include "src/plan/network/network.hpp"

namespace relayout::plan {

/// The contiguous runs of a tile on one side.
struct TileRows {
  std::int64_t run_bytes = 1;
  std::int64_t count = 1;
  std::int64_t apart_bytes = 0;  ///< what all distances between them are multiples of; 0: there is one
};

/// \pre side.pieces is empty
TileRows tile_rows(const Side& side);

}  // namespace relayout::plan
