#pragma once

#include <cstdint>
#include <optional>

#include "src/plan/boxes.hpp"

namespace relayout::plan {

/// A box in two.
struct CutBox {
  Box whole;  ///< all that fills lines of the destination, or tiles
  Box rest;   ///< of each row, what begins on its last line, or what the last tile is for
};

/// A box whose rows of the destination end within a line.
/// Nothing where rows fill their lines, where they are shorter than one, or where they do not begin on one.
std::optional<CutBox> cut_at_last_line(const Box& box, std::int64_t element_bytes);

}  // namespace relayout::plan
