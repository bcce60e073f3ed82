#pragma once

#include <cstdint>
#include <optional>

#include "src/plan/boxes.hpp"
#include "src/plan/micro_tile.hpp"
#include "src/plan/pair_sizes.hpp"
#include "src/plan/target.hpp"

namespace relayout::plan {

/// How far blocks follow the rows that a tile reads, in bytes, where they are one call wide at the
/// destination and tiles then go on along the rows to write; nothing where blocks of another shape are
/// faster. Of `tile` only the axes count. Measurements: followed_rows.cpp.
std::optional<std::int64_t> followed_row_bytes(const Box& box, const MicroTile& tile, const PairSizes& sizes,
                                               const Target& target);

}  // namespace relayout::plan
