#pragma once

#include <cstdint>

#include "src/plan/network.hpp"

namespace relayout::plan {

/// What is moved as one: its bytes in memory, and in vectors.
struct UnitBytes {
  std::int64_t data = 1;
  std::int64_t room = 1;
};

/// Instructions that spread_units takes for each vector of a side that is accessed in such pieces.
int instructions_to_spread(std::int64_t piece_bytes, Isa isa);

/// The longest pieces of a side's vectors, bytes in vectors.
struct PieceBytes {
  std::int64_t read = 0;
  std::int64_t written = 0;
};

/// Whether the level has instructions to spread the units of pieces that are read, and to close the gaps
/// between those of pieces that are written.
bool can_spread_units(UnitBytes unit, PieceBytes pieces, Isa isa);

/// Lets a network, whose elements are units of a power of two of bytes, move units of `data_bytes` that
/// follow one another in memory without a gap: its first stages spread what is loaded, its last ones close
/// the gaps. Pieces then have data_bytes for each unit. False, and nothing done, where the level has no
/// instructions for it, or the network no registers for tables. \pre network.element_bytes / 2 < data_bytes <
/// network.element_bytes <= 16
bool spread_units(Network& network, std::int64_t data_bytes, const NetworkTarget& target);

}  // namespace relayout::plan
