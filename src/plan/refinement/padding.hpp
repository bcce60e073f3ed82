#pragma once

#include <cstdint>
#include <vector>

#include "relayout/result.hpp"
#include "src/plan/refinement/loop_nest.hpp"
#include "src/plan/refinement/problem.hpp"

namespace relayout::plan {

/// A run of destination elements that no element of the domain goes to, repeated over iterators. Elements.
struct PaddingPiece {
  std::int64_t destination_base = 0;
  std::int64_t length = 0;  ///< contiguous elements
  std::vector<Iterator> iterators;

  /// Elements covered.
  std::int64_t volume() const;
};

/// The destination's padding, each element in exactly one piece; empty where the layout has none. A
/// staircase: read off the destination's own loop nest where that has few pieces, or off that before its
/// permutation, and found by enumeration otherwise. \error kUnsupported if it would have to be enumerated and
/// the destination has more than 2^28 elements
Result<std::vector<PaddingPiece>> padding_pieces(const Problem& problem);

}  // namespace relayout::plan
