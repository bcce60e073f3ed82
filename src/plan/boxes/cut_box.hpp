#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "src/plan/boxes/boxes.hpp"

namespace relayout::plan {

/// A box in two.
struct CutBox {
  Box whole;  ///< all that fills lines of the destination, or tiles
  Box rest;   ///< of each row, what begins on its last line, or what the last tile is for
};

/// The last `rest` elements of an axis in a box of their own; the other box has the first `whole`, which may
/// include some of these: what is written twice is the same, whoever comes first.
CutBox cut_axis(const Box& box, std::size_t index, std::int64_t whole, std::int64_t rest);

/// A box whose rows of the destination end within a line.
/// Nothing where rows fill their lines, where they are shorter than one, or where they do not begin on one.
std::optional<CutBox> cut_at_last_line(const Box& box, std::int64_t element_bytes);

}  // namespace relayout::plan
