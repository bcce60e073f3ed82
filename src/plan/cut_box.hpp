#pragma once

#include <cstdint>
#include <optional>

#include "src/plan/boxes.hpp"

namespace relayout::plan {

/// A box whose rows of the destination end within a line, in two.
struct CutBox {
  Box lines;  ///< all that fills lines
  Box ends;   ///< of each row, what begins on its last line
};

/// Nothing where rows fill their lines, where they are shorter than one, or where they do not begin on one.
std::optional<CutBox> cut_at_last_line(const Box& box, std::int64_t element_bytes);

}  // namespace relayout::plan
