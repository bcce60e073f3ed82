// Costs per vector. Zen 5: max(stores + 0.5 two-table permutes, loads / 2, crossing / 2, (all + two-table) /
// 4), which predicts measured mixes to within 3 to 40 %; sums over the moves mispredict by 1.5 times. Zen 4:
// two shuffles of any kind a cycle, 2.7 of those within 128-bit lanes or in mixes, one store of up to 32
// bytes; of 64 bytes all of it half as often. Zen 3: two shuffles within 128-bit lanes a cycle, beside them
// one of whole lanes or one insert of a lane, and one store; mixes run within 20 % of the largest of these.
// Intel: all shuffles share port 5, so cycles are nearly a sum (Cascade Lake, 32-byte vectors as well as
// 64-byte ones); two loads a cycle and one store of any width. Golden Cove: vectors of up to 32 bytes have a
// second port for shuffles within lanes, and vpermw is one operation.

#include "src/plan/network/network_cost.hpp"

#include <algorithm>

namespace relayout::plan::network {
namespace {

/// Several internal operations, two of them on the shuffle port.
bool is_two_operations(Move move, ShufflePorts ports) {
  if (move == Move::kTablePermute16) return ports == ShufflePorts::kOne;
  return move == Move::kTwoTablePermute8 || move == Move::kTwoTablePermute16;
}

bool is_within_lanes(Move move) {
  return move == Move::kByteShuffle || resource_of(move) == Resource::kAnyPipe;
}

bool has_second_port(const NetworkTarget& target) {
  return target.shuffle_ports == ShufflePorts::kOneForWide && target.vector_bytes <= 32;
}

bool is_blend(Move move) {
  return move == Move::kBlendExchange32 || move == Move::kBlendExchange64;
}

/// That a move loads; so little does that cost, once, that tables only lose ties.
int index_tables(Move move) {
  if (resource_of(move) == Resource::kTwoTable) return 2;
  return permutes_by_table(move) ? 1 : 0;
}

int zen5_weight(Move move, Weighting weighting) {
  if (resource_of(move) == Resource::kTwoTable) return 50;
  if (resource_of(move) == Resource::kAnyPipe) return is_blend(move) ? 32 : 16;
  return (weighting == Weighting::kBalanced ? 18 : 32) + index_tables(move);
}

/// Sixteenths of a cycle of the shuffle port; blends and copies of registers disturb it little.
int intel_weight(Move move, const NetworkTarget& target) {
  const int one = has_second_port(target) && is_within_lanes(move) ? 8 : 16;
  if (is_blend(move)) return one + 5;
  if (resource_of(move) == Resource::kAnyPipe) return one;
  return one * (is_two_operations(move, target.shuffle_ports) ? 2 : 1) + index_tables(move);
}

/// Cycles of a Zen 3's pipe for whole lanes: vperm2i128 one, as vinserti128 from memory, vpermd and vpermq
/// 1.3. (It has no other moves across lanes; those are of AVX-512.)
double lane_pipe_cycles(Move move) {
  if (move == Move::kPermute128) return 1;
  return move == Move::kTablePermute32 || move == Move::kTablePermute64 ? 1.3 : 0;
}

/// In 32nds of a cycle. What moves whole lanes runs beside other shuffles, so it has their price in one sum
/// and its own in the other; a blend is half a shuffle.
int zen3_weight(Move move, Weighting weighting) {
  const double lane_cycles = lane_pipe_cycles(move);
  if (lane_cycles > 0) return static_cast<int>((weighting == Weighting::kBalanced ? 16 : 32) * lane_cycles);
  if (is_blend(move)) return 24;
  return 16 + index_tables(move);
}

/// In 64ths of a cycle of 32 bytes. By two tables any shuffle takes what others across lanes do.
int zen4_weight(Move move, Weighting weighting) {
  if (is_blend(move)) return 42;
  if (resource_of(move) == Resource::kAnyPipe) return 24;
  return (weighting == Weighting::kBalanced ? 25 : 32) + index_tables(move);
}

/// What a phase asks of the machine, per vector.
struct Demand {
  double store_cycles = 0;
  double load_cycles = 0;
  double operations = 0;
  double crossing = 0;
  double within_lanes = 0;      ///< shuffles and shifts of a Zen 3 that move no whole lane
  double lane_pipe_cycles = 0;  ///< a Zen 3's for whole lanes
  double two_table = 0;
  double shuffle_port = 0;  ///< Intel's cycles on the shuffle port
};

/// Bytes per access of a phase's end; `side` is null for the scratch.
int access_bytes(const Side* side, int vector_bytes) {
  return side == nullptr ? vector_bytes : std::min(side->piece_bytes(), vector_bytes);
}

/// Whether a Zen 4 accesses so many bytes twice.
bool takes_halves(int bytes, const NetworkTarget& target) {
  return target.shuffle_ports == ShufflePorts::kTwoOfHalves && bytes == 64;
}

/// Cycles of one store of a Zen 5: two of up to 32 bytes a cycle, or one of 64. Storing halves of 64 bytes
/// ran at 1.35 times the cycles of whole vectors, shorter pieces at half a whole store each.
double zen5_store_cycles(int bytes, int vector_bytes) {
  if (bytes == 64) return 1;
  return bytes == 32 && vector_bytes == 64 ? 0.75 : 0.5;
}

/// A vector in pieces is one access a piece; all but the first are inserts or extracts: of the wide shuffle
/// unit on a Zen 4 and 5, where pieces of 1 to 16 bytes are loaded as predicted, half a cycle each (Zen 4);
/// on a Zen 3 of whole lanes, or within them. On Intel whole lanes pass between memory and a vector with
/// little use of the shuffle port or none.
void add_pieces(Demand& demand, int pieces, int vector_bytes, double shuffle_port_cycles) {
  const int lanes_joined = std::min(pieces, vector_bytes / 16) - 1;
  demand.lane_pipe_cycles += lanes_joined;
  demand.within_lanes += pieces - 1 - lanes_joined;
  demand.operations += pieces - 1;
  demand.crossing += pieces - 1;
  demand.shuffle_port += (pieces - 1) * shuffle_port_cycles;
}

/// Cycles of one store of so many bytes into a vector's place.
double store_cycles(int bytes, const NetworkTarget& target) {
  if (target.shuffle_ports == ShufflePorts::kSeveral) return zen5_store_cycles(bytes, target.vector_bytes);
  return takes_halves(bytes, target) ? 2 : 1;
}

double load_cycles(int bytes, const NetworkTarget& target) {
  return takes_halves(bytes, target) ? 1 : 0.5;
}

bool is_whole_lanes(int bytes) {
  return bytes >= 16;
}

void add_loads(Demand& demand, const Side* side, int vector_bytes, const NetworkTarget& target) {
  const int bytes = access_bytes(side, vector_bytes);
  const int pieces = vector_bytes / bytes;
  demand.load_cycles += load_cycles(bytes, target) * pieces;
  add_pieces(demand, pieces, vector_bytes, is_whole_lanes(bytes) ? kInsertFromMemory : 1);
}

void add_stores(Demand& demand, const Side* side, int vector_bytes, const NetworkTarget& target) {
  const int bytes = access_bytes(side, vector_bytes);
  const int pieces = vector_bytes / bytes;
  demand.store_cycles += store_cycles(bytes, target) * pieces;
  add_pieces(demand, pieces, vector_bytes, is_whole_lanes(bytes) ? 0 : 1);
}

void add_stage(Demand& demand, Move move, const NetworkTarget& target) {
  demand.operations += operations_per_vector(move);
  if (resource_of(move) != Resource::kAnyPipe) demand.crossing += 1;
  if (resource_of(move) == Resource::kTwoTable) demand.two_table += 1;
  demand.shuffle_port += shuffle_port_cycles(move, target);
  const double lane_cycles = lane_pipe_cycles(move);
  demand.lane_pipe_cycles += lane_cycles;
  if (lane_cycles == 0) demand.within_lanes += 1;
}

/// Cycles of a Zen 4's shuffle of 32 bytes in a mix of those within lanes and others.
constexpr double kZen4Shuffle = 0.37;

double shuffle_cycles(const Demand& demand, const NetworkTarget& target) {
  if (target.is_short_of_shuffles()) return demand.shuffle_port;
  if (target.shuffle_ports == ShufflePorts::kOneForLanes)
    return std::max({demand.within_lanes / 2, demand.lane_pipe_cycles, demand.operations / 4});
  if (target.shuffle_ports == ShufflePorts::kTwoOfHalves)
    return std::max(demand.crossing / 2, demand.operations * kZen4Shuffle) *
           (takes_halves(target.vector_bytes, target) ? 2 : 1);
  return std::max(demand.crossing / 2, (demand.operations + demand.two_table) / 4);
}

double store_cycles(const Demand& demand, const NetworkTarget& target) {
  const bool are_hindered = target.shuffle_ports == ShufflePorts::kSeveral;
  return demand.store_cycles + (are_hindered ? 0.5 * demand.two_table : 0);
}

double cycles(const Demand& demand, const NetworkTarget& target) {
  const double memory = std::max(store_cycles(demand, target), demand.load_cycles);
  return std::max(memory, shuffle_cycles(demand, target));
}

Demand demand_of(const Network& network, std::size_t index, const NetworkTarget& target) {
  const Phase& phase = network.phases[index];
  Demand demand;
  const bool last = index + 1 == network.phases.size();
  add_loads(demand, index == 0 ? &network.source : nullptr, network.vector_bytes, target);
  add_stores(demand, last ? &network.destination : nullptr, network.vector_bytes, target);
  for (int s = phase.first_stage; s < phase.last_stage; ++s)
    add_stage(demand, network.stages[static_cast<std::size_t>(s)].move, target);
  return demand;
}

}  // namespace

double shuffle_port_cycles(Move move, const NetworkTarget& target) {
  return intel_weight(move, target) / 16.0;
}

int weight(Move move, const NetworkTarget& target, Weighting weighting) {
  if (target.is_short_of_shuffles()) return intel_weight(move, target);
  if (target.shuffle_ports == ShufflePorts::kOneForLanes) return zen3_weight(move, weighting);
  if (target.shuffle_ports == ShufflePorts::kTwoOfHalves) return zen4_weight(move, weighting);
  return zen5_weight(move, weighting);
}

double predicted_cycles_per_vector(const Network& network, const NetworkTarget& target) {
  double total = 0;
  for (std::size_t i = 0; i < network.phases.size(); ++i)
    total += cycles(demand_of(network, i, target), target);
  return total;
}

ResourceCycles resource_cycles(const Network& network, const NetworkTarget& target) {
  ResourceCycles total;
  for (std::size_t i = 0; i < network.phases.size(); ++i) {
    const Demand demand = demand_of(network, i, target);
    total.load += demand.load_cycles;
    total.shuffle += shuffle_cycles(demand, target);
    total.store += store_cycles(demand, target);
  }
  return total;
}

double least_cycles_per_vector(const Network& network, const NetworkTarget& target) {
  Demand demand;
  add_loads(demand, &network.source, network.vector_bytes, target);
  add_stores(demand, &network.destination, network.vector_bytes, target);
  return cycles(demand, target);
}

}  // namespace relayout::plan::network
