#pragma once

#include <vector>

#include "src/plan/network/network.hpp"

namespace relayout::plan {

/// Bytes to read of each piece of the source (Side::pieces), from its front on: more than exist where the
/// tile goes on.
std::vector<int> touched_at_source(const Network& network);

}  // namespace relayout::plan
