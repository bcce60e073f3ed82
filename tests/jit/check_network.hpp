#pragma once

#include <cstdint>

#include "relayout/isa.hpp"
#include "src/plan/network/network.hpp"
#include "tests/plan/network/network_checks.hpp"

namespace relayout::testing {

/// Code for the network, of every level from `level` on, has instructions of that level only. Where the
/// machine has it, the code writes what `origins` says, zeros for padding, and nothing else, and reads
/// nothing past the source's bytes. \param level that the network was made for: it may have instructions that
/// lower ones lack, even with vectors of 32 bytes
void check_network(const plan::Network& network, Isa level, const plan::testing::ByteOrigins& origins,
                   std::int64_t source_bytes, bool under_masks = false);

}  // namespace relayout::testing
