#pragma once

#include <cstdint>
#include <vector>

#include "src/plan/network/network.hpp"

namespace relayout::plan {

/// One flag a register of a network.
using RegisterFlags = std::vector<std::uint8_t>;

/// What a network whose pieces are placed one by one (Side::pieces) has to do with its registers, before each
/// stage and after the last one.
struct LiveRegisters {
  std::vector<RegisterFlags> held;    ///< by stage: whether each register holds anything
  std::vector<RegisterFlags> wanted;  ///< by stage: whether anything of it is used from there on
};

/// \pre both sides have pieces
LiveRegisters live_registers(const Network& network);

}  // namespace relayout::plan
