#pragma once

#include <cstdint>
#include <vector>

#include "relayout/xla.hpp"
#include "src/layout/layout_data.hpp"

namespace relayout::xla {

/// An order of the dimensions and tiles, all of which divide.
struct DigitTiles {
  std::vector<std::int64_t> minor_to_major;
  std::vector<Tile> tiles;
};

/// Order and tiles that put an array's digits one inside the other as given, the slowest first. There always
/// are some: the fewest tiles that a search of limited depth finds, else at most 12.
/// \pre the digits are merged, and those of a dimension chain from place 1 to its extent
DigitTiles tiles_of(const relayout::Shape& shape, const std::vector<layout::Digit>& digits);

}  // namespace relayout::xla
