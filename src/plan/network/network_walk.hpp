#pragma once

#include <span>
#include <vector>

#include "src/plan/network/network_lanes.hpp"

namespace relayout::plan::network {

/// The stages of a cheapest path, and where they leave the bits.
struct Walk {
  std::vector<Stage> stages;
  std::vector<int> source_slots;       ///< bit of the tile in each slot before the first stage
  std::vector<int> destination_slots;  ///< and after the last one
};

/// Follows `paths` from the source's lanes to the destination's. Linear in the stages; tables are allocated
/// for table moves only. \pre paths.distance(labels_of(tile, lanes)) >= 0
Walk walk(const ShortestPaths& paths, const TileLanes& tile, int lanes, int bit_count);

}  // namespace relayout::plan::network
