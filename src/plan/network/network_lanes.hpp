#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "src/plan/network/network_table.hpp"

namespace relayout::plan::network {

/// Which bit of the tile each lane position of a side holds.
using LaneBits = std::array<std::int8_t, kMaxLanePositions>;

struct TileLanes {
  LaneBits source{};
  LaneBits destination{};
};

/// How many lane positions a side's run may fill.
struct RunLanes {
  int source = kMaxLanePositions;
  int destination = kMaxLanePositions;
};

/// Lanes of both sides: the contiguous run of a side first; what is left is filled with the bits that make
/// the cheapest path, among a hundred assignments or so. Negative where no bit may fill a lane. \pre at least
/// as many bits as lane positions
TileLanes choose_lanes(const ShortestPaths& paths, std::span<const TileBit> bits, int lanes,
                       RunLanes longest = {});

/// Where the bits in the source's lanes must go.
Labels labels_of(const TileLanes& tile, int lanes);

}  // namespace relayout::plan::network
