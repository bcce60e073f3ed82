#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/refinement/padding.hpp"

namespace relayout::plan {

/// How many places of padding the piece has behind the last of the box along this axis, wherever its other
/// axes lead; 0 where they do not lie right behind, or the piece has others.
std::int64_t places_behind(const Box& box, std::size_t axis, const PaddingPiece& piece,
                           std::int64_t element_bytes);

/// A piece is split only where that makes fewer pieces than these: what is left of each is a nest of its own.
inline constexpr std::size_t kMostSplitPieces = 16;

/// A piece of padding in parts: first what lies right behind the last of a box along its contiguous axis,
/// wherever its other axes lead, then the rest. Nothing if the piece does not have all of the former, or if
/// that makes too many pieces.
/// \param others pieces of padding besides this one
/// \pre positive strides of the piece
std::vector<PaddingPiece> parts_behind(const Box& box, std::size_t axis, const PaddingPiece& piece,
                                       std::size_t others, std::int64_t element_bytes);

}  // namespace relayout::plan
