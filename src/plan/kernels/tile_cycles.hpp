#pragma once

#include <cstdint>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/model/pair_sizes.hpp"
#include "src/plan/model/target.hpp"
#include "src/plan/tiles/micro_tile.hpp"

namespace relayout::plan {

/// Cycles per byte of the tile's network, a guess: the network itself is only made for the winner
/// (complete_network.hpp).
double network_cycles_per_byte(const Box& box, const MicroTile& tile, const PairSizes& sizes,
                               const Target& target);

/// By what the cycles predicted are multiplied for tiles that scatter a few elements over rows in few sets; 1
/// for others.
double scattering_factor(const Box& box, const MicroTile& tile, std::int64_t element_bytes,
                         const Target& target);

}  // namespace relayout::plan
