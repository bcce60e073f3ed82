#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/tiles/micro_tile.hpp"

namespace relayout::plan {

/// A box whose source has its elements in groups of a power of two of places with fewer elements each, such
/// as the last rows of (4,1) tiles, together with those places, as if they were data: networks then read rows
/// whole and leave out what is not in the box when they write.
struct GappedBox {
  Box box;                  ///< the axis has as many elements as places
  std::size_t axis = 0;     ///< along the groups
  std::int64_t extent = 1;  ///< of its elements, those that are written

  double places_per_element() const;
};

/// With the places between its groups, where elements and groups have few bytes. Nothing where there are none
/// or other axes lead to them, where the source ends within the last group, or where elements of a group
/// follow one another at the destination, too.
std::optional<GappedBox> gapped_box(const Box& box, std::int64_t element_bytes, std::int64_t source_bytes);

/// The bits of a tile that takes the axis whole, which have strides at the destination that nothing else has.
std::vector<TileBit> gapped_tile_bits(const GappedBox& gapped, const MicroTile& tile,
                                      std::int64_t element_bytes);

/// Tells the network of gapped_tile_bits what to read and to write.
void mark_gaps(const GappedBox& gapped, Network& network);

}  // namespace relayout::plan
