#pragma once

#include <optional>

#include "src/plan/rounded_tile.hpp"

namespace relayout::plan {

struct RoundedChoice {
  RoundedTile rounded;
  double cycles_per_byte = 0;  ///< on the scale of kernel_choice.cpp
};

/// The cheapest of a box's rounded tiles; nothing where it has none, or where they are not known to be worth
/// it: with vectors of 64 bytes, for elements of 16 or within bytes.
std::optional<RoundedChoice> cheapest_rounded_tile(const Box& box, std::int64_t element_bytes,
                                                   const Target& target);

}  // namespace relayout::plan
