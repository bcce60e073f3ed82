#pragma once

#include <cstdint>
#include <span>

#include "relayout/layout.hpp"
#include "relayout/result.hpp"

namespace relayout {

/// Tiles of elements at given distances, the form of XLA's host transposer.
struct StridedTiles {
  Shape shape;
  /// Tile extents of the last dimensions; dimensions in front of them are not tiled. Elements of a tile are
  /// contiguous in row-major order.
  Shape tile = {};
  /// Bytes from one tile to the next, per dimension; negative, zero and overlapping distances are fine for a
  /// source. Empty: dense tiles, the last dimension fastest, partial tiles taking the room of whole ones.
  std::vector<std::int64_t> stride_bytes = {};
};

/// The buffer starts with the lowest tile and ends with the highest, both whole. As a destination
/// it has to be injective (compile checks). \error kBadArgument, kOverflow
Result<Layout> strided(ElementType type, const StridedTiles& tiles);

}  // namespace relayout
