#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/tiles/micro_tile.hpp"

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

/// The bits of a tile, of which those along `axis`, of which it has a power of two of places, are as told.
/// \param bit_of_place for each place that is a power of two
template <class BitOfPlace>
std::vector<TileBit> tile_bits_along(const Box& box, std::size_t axis, const MicroTile& tile,
                                     std::int64_t element_bytes, BitOfPlace bit_of_place) {
  MicroTile rest = tile;
  rest.extents[axis] = 1;
  std::vector<TileBit> bits = tile_bits(box, rest, element_bytes);
  for (std::int64_t place = 1; place < tile.extents[axis]; place *= 2) bits.push_back(bit_of_place(place));
  return bits;
}

}  // namespace relayout::plan
