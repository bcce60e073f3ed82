#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace relayout::plan {

/// Where a register of a tile, or a byte of a register, is on one side: sums over the bits of its number.
struct TilePlace {
  std::int64_t offset_bytes = 0;
  std::int64_t index = 0;  ///< along an axis that is told apart
};

/// Of all numbers of bits with these strides. \param place_of_bit what the bit of a stride adds
template <class PlaceOfBit>
std::vector<TilePlace> tile_places(std::span<const std::int64_t> strides, PlaceOfBit place_of_bit) {
  std::vector<TilePlace> places = {{}};
  places.reserve(std::size_t{1} << strides.size());
  for (const std::int64_t stride : strides) {
    const TilePlace bit = place_of_bit(stride);
    const std::size_t count = places.size();
    for (std::size_t i = 0; i < count; ++i)
      places.push_back({places[i].offset_bytes + bit.offset_bytes, places[i].index + bit.index});
  }
  return places;
}

}  // namespace relayout::plan
