#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "src/plan/kernels/rounded_cost.hpp"

namespace relayout::plan {

/// What a box is moved by otherwise.
struct RoundedRivals {
  const RoundedChoice* shorter = nullptr;  ///< cheapest_rounded_tile, or null
  std::optional<double> network_overlap;   ///< bytes that tiles of powers of two move, over those that exist
  bool in_second_cache = false;            ///< which holds both buffers, not only a staged block
};

/// The cheapest rounded tile whose runs go on past a line on a side, up to
/// Target::longest_rounded_run_bytes, if it is cheaper than the shorter one and leaves less of its vectors
/// unused than its rivals; nothing without a rival.
/// \param whole_axis as cheapest_rounded_tile has it
std::optional<RoundedChoice> cheapest_long_rounded_tile(const Box& box, std::int64_t element_bytes,
                                                        const Target& target, const RoundedRivals& rivals,
                                                        std::optional<std::size_t> whole_axis = {});

}  // namespace relayout::plan
