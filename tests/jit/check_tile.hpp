#pragma once

#include <cstdint>

#include "relayout/isa.hpp"
#include "src/plan/network/network.hpp"
#include "tests/plan/network/network_checks.hpp"

namespace relayout::testing {

/// Code for the network, of every level from `level` on that it was made for, has instructions of that level
/// only; where the machine has the level, it writes what `origins` says, zeros for padding, and nothing else,
/// and reads nothing past the source's bytes.
void check_tile(const plan::Network& network, const plan::testing::ByteOrigins& origins,
                std::int64_t source_bytes, Isa level);

}  // namespace relayout::testing
