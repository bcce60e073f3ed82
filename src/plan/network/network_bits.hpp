#pragma once

#include <span>
#include <vector>

#include "src/plan/network/network_walk.hpp"

namespace relayout::plan::network {

/// Puts the moves within bytes around a walk: in front of it for tile bits that start in the register number,
/// after it for those that end there. \error kUnsupported for a bit that is a lane bit at both ends
Status add_moves_within_bytes(std::span<const TileBit> bits, int vector_bytes, Walk& walk);

}  // namespace relayout::plan::network
