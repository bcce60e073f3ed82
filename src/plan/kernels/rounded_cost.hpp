#pragma once

#include <optional>

#include "src/plan/kernels/rounded_tile.hpp"

namespace relayout::plan {

struct RoundedChoice {
  RoundedTile rounded;
  double cycles_per_byte = 0;  ///< on the scale of kernel_cycles.hpp
};

/// Whether tiles of a box are rounded at all: not where all extents are powers of two, nor for elements of 16
/// bytes or within bytes.
bool may_be_rounded(const Box& box, std::int64_t element_bytes);

/// Predicted cycles a byte.
double rounded_cycles_per_byte(const Box& box, const RoundedTile& rounded, std::int64_t element_bytes,
                               const Target& target);

/// Bytes of the vectors that a rounded tile takes, over the bytes that are to be moved; 1 at best.
double rounded_waste(const Box& box, const RoundedTile& rounded, const Target& target);

/// The cheapest of a box's rounded tiles whose runs are no longer than lines in vectors, those that a guard
/// cuts off (trimmed_run.hpp) excepted; nothing where it has none.
/// \param whole_axis if any, what its runs have to begin with (RoundedTile::writes_whole)
std::optional<RoundedChoice> cheapest_rounded_tile(const Box& box, std::int64_t element_bytes,
                                                   const Target& target,
                                                   std::optional<std::size_t> whole_axis = {});

}  // namespace relayout::plan
