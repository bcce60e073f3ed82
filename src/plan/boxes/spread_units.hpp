#pragma once

#include <cstdint>

#include "src/plan/network/network.hpp"

namespace relayout::plan {

/// What is moved as one: its bytes in memory, and in vectors.
struct UnitBytes {
  std::int64_t data = 1;
  std::int64_t room = 1;
};

/// Instructions that spread_units takes for each vector of a side that is accessed in such pieces.
int instructions_to_spread(std::int64_t piece_bytes, Isa isa);

/// Whether the level has instructions to spread the units of such pieces.
bool can_spread_units(UnitBytes unit, std::int64_t piece_bytes, Isa isa);

/// Of vectors of `vector_bytes`, the longest pieces between whose units the level has instructions to close
/// the gaps: whole vectors or lanes. Bytes in vectors.
std::int64_t longest_closed_piece(UnitBytes unit, std::int64_t vector_bytes, Isa isa);

/// Lets a network, whose elements are units of a power of two of bytes, move units of `data_bytes` that
/// follow one another in memory without a gap: its first stages spread what is loaded, its last ones close
/// the gaps, and what they cannot close across lanes is written lane by lane. Pieces, to be placed
/// afterwards, then have data_bytes for each unit. False, and nothing done, where the level has no
/// instructions for it, or the network no registers for tables.
/// \pre network.element_bytes / 2 < data_bytes < network.element_bytes <= 16
bool spread_units(Network& network, std::int64_t data_bytes, const NetworkTarget& target);

}  // namespace relayout::plan
