#pragma once

#include "src/plan/network/network.hpp"

namespace relayout::plan::network {

/// Predicted cycles of one call of a network whose pieces are placed one by one (Side::pieces), in the first
/// cache of a processor that shuffles as ShufflePorts::kOneForWide says. Unlike predicted_cycles_per_vector
/// it counts what is executed: no stage of a register that holds nothing, or of which nothing is used, and
/// every access of a piece that ends within a vector. \pre both sides have pieces
double placed_cycles(const Network& network, const NetworkTarget& target);

}  // namespace relayout::plan::network
