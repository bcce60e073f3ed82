#pragma once

#include "src/plan/network/network_moves.hpp"

namespace relayout::plan::network {

/// The true cost is a maximum over resources, which shortest paths cannot minimise. So paths are sought by
/// two sums that stress different resources, and the better network by the true formula is kept.
enum class Weighting : std::uint8_t {
  kBalanced,        ///< issue slots are scarce: crossing moves about as dear as others
  kScarceCrossing,  ///< the wide shuffle unit is scarce: crossing moves twice the price
};

/// Cost of a move in a sum; at most 60.
int weight(Move move, const NetworkTarget& target, Weighting weighting);

/// Predicted cycles per vector of a whole network, in first-level cache: the sum over its phases of the
/// maximum over stores, loads, shuffles and issue slots.
double predicted_cycles_per_vector(const Network& network, const NetworkTarget& target);

/// Cycles on Intel's shuffle port of an insert from memory, which another port executes as well: shuffles of
/// 64 bytes and half as many inserts ran at 1.0 cycles a shuffle in a row (Cascade Lake), but the ports are
/// assigned before it is known which will be free.
inline constexpr double kInsertFromMemory = 0.25;

/// Cycles on the shuffle port of one stage of a register, on a processor that is short of shuffles.
double shuffle_port_cycles(Move move, const NetworkTarget& target);

/// Cycles per vector that each kind of resource alone would take, over all phases.
struct ResourceCycles {
  double load = 0;
  double shuffle = 0;  ///< shuffles, or issue slots for vector instructions, whichever is more
  double store = 0;
};
ResourceCycles resource_cycles(const Network& network, const NetworkTarget& target);

/// What loads and stores alone would take in one phase: no network between the same sides is cheaper.
double least_cycles_per_vector(const Network& network, const NetworkTarget& target);

}  // namespace relayout::plan::network
