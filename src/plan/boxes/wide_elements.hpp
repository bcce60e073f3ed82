#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/refinement/padding.hpp"

namespace relayout::plan {

/// The same places as another box, in fewer and wider elements.
struct WideBox {
  Box box;
  std::int64_t element_bytes = 1;
};

/// A box as one of wider elements, where its elements follow one another on both sides in groups of 2, 4, 8
/// or 16 bytes: what a layout packs is then planned like a layout of such elements. Rows may begin anywhere.
/// Nothing where it has no such groups, or moves elements within bytes.
std::optional<WideBox> with_wide_elements(const Box& box, std::int64_t element_bytes);

/// Padding in groups of so many elements; nothing where a piece is not made of whole ones.
std::optional<std::vector<PaddingPiece>> in_groups(std::span<const PaddingPiece> padding,
                                                   std::int64_t elements);

/// The other way round.
std::vector<PaddingPiece> in_elements(std::vector<PaddingPiece> padding, std::int64_t elements);

}  // namespace relayout::plan
