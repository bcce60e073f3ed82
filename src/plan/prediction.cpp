// Cycles of a Zen 5 (64-byte loads: two a cycle; stores: one; wide shuffles: two). A kernel's own cycles are
// the maximum over what its instructions compete for; what the caches miss is partly hidden behind them.

#include "src/plan/prediction.hpp"

#include <algorithm>
#include <cmath>

#include "src/plan/kernels/shuffle.hpp"
#include "src/plan/machine/kernel_cycles.hpp"
#include "src/plan/model/kernel_access.hpp"
#include "src/plan/network/network_cost.hpp"

namespace relayout::plan {
namespace {

/// Of a kernel, per call.
struct CallCost {
  double loads = 0;
  double stores = 0;
  double shuffles = 0;  ///< vector instructions that are neither
  double load_cycles = 0;
  double shuffle_cycles = 0;
  double store_cycles = 0;
};

constexpr double kWideStoreCycles = 1;      // 64 bytes
constexpr double kNarrowStoreCycles = 0.5;  // up to 32 bytes
/// A scalar load with an insert into a vector (measured on a Zen 5).
constexpr double kInsertCycles = 0.5;
/// An element of a gather instruction (Zen 5; 1.6 to 3.5 on a Cascade Lake).
constexpr double kGatherCycles = 0.7;
constexpr double kInstructionsPerLoop = 4;
constexpr double kInstructionsPerCycle = 5;

/// Cycles a line from the second cache, the last one and memory: where lines follow each other, and where
/// they don't. Fitted to what candidates of tests/data/slow_pairs.jsonl took on a Zen 5.
struct LineCost {
  double in_a_row = 0;
  double alone = 0;
};
constexpr std::array<LineCost, 3> kReadCosts = {{{1, 1.5}, {3, 26}, {8, 70}}};
/// Read before, and written back later.
constexpr std::array<LineCost, 3> kWriteCosts = {{{1, 2}, {6, 22}, {14, 14}}};
constexpr LineCost kStreamCost = {4, 16};
/// How much of the cost of a line from beyond the second cache is left where an instruction fetches it there
/// ahead; fitted with them.
constexpr double kPrefetched = 0.95;
/// Share of the smaller of kernel's and memory's cycles that is not hidden behind the other; fitted with
/// them.
constexpr double kUnhidden = 0.3;

double vectors_of(std::int64_t bytes, int vector_bytes) {
  return std::ceil(static_cast<double>(bytes) / vector_bytes);
}

double store_cycles(std::int64_t bytes, int vector_bytes) {
  const double whole = static_cast<double>(bytes / vector_bytes);
  const double rest = bytes % vector_bytes == 0 ? 0 : kNarrowStoreCycles;
  return whole * (vector_bytes == 64 ? kWideStoreCycles : kNarrowStoreCycles) + rest;
}

struct CostOf {
  const Nest& nest;
  const Target& target;

  CallCost operator()(const CopyKernel&) const {
    const std::int64_t bytes = kernel_access(nest).source.front().bytes;
    const double vectors = vectors_of(bytes, target.vector_bytes);
    return {vectors, vectors, 0, vectors * kLoad, 0, store_cycles(bytes, target.vector_bytes)};
  }

  CallCost operator()(const PermuteKernel& kernel) const {
    const Network& network = kernel.network;
    const double vectors = std::exp2(network.slots);
    const auto cycles = network::resource_cycles(network, target.network_target(network.vector_bytes));
    double operations = 0;
    for (const Stage& stage : network.stages) operations += network::operations_per_vector(stage.move);
    const double passes = static_cast<double>(network.phases.size()) - 1;
    const double source_pieces = pieces(network.source, network.vector_bytes);
    const double destination_pieces = pieces(network.destination, network.vector_bytes);
    return {vectors * (source_pieces + passes),
            vectors * (destination_pieces + passes),
            vectors * (operations + source_pieces - 1 + destination_pieces - 1),
            vectors * cycles.load,
            vectors * cycles.shuffle,
            vectors * cycles.store};
  }

  CallCost operator()(const GatherKernel& kernel) const {
    const auto count = static_cast<double>(count_of_elements());
    const bool joined = kernel.destination_stride_bytes == kernel.element_bytes && kernel.element_bytes <= 8;
    const double stores = joined ? std::ceil(count * static_cast<double>(kernel.element_bytes) / 64) : count;
    const double inserts = joined && !kernel.hardware ? count : 0;
    const double gather_cycles = kernel.hardware ? kGatherCycles * count : 0;
    return {count,
            stores,
            inserts,
            count * kLoad,
            std::max(gather_cycles, inserts * 2 * kInsertCycles),
            stores * kWideStoreCycles};
  }

  CallCost operator()(const ShuffleKernel& kernel) const {
    const auto terms = static_cast<double>(term_count(kernel));
    const auto loads = static_cast<double>(kernel.sources.size());
    const auto stores = static_cast<double>(kernel.destinations.size());
    const bool wide = kernel.piece_bytes == 64;
    const double joins = wide ? 0 : terms - stores;
    return {loads,
            stores,
            terms + joins,
            loads * kLoad,
            std::max(terms / 2, (terms + joins) / 4),
            stores * (wide ? kWideStoreCycles : kNarrowStoreCycles)};
  }

  CallCost operator()(const FillKernel& kernel) const {
    return {0, vectors_of(kernel.bytes, target.vector_bytes),  0, 0,
            0, store_cycles(kernel.bytes, target.vector_bytes)};
  }

 private:
  static double pieces(const Side& side, int vector_bytes) {
    return static_cast<double>(vector_bytes) / std::min(side.piece_bytes(), vector_bytes);
  }
  std::int64_t count_of_elements() const {
    const auto& kernel = std::get<GatherKernel>(nest.kernel);
    return total_bytes(kernel_access(nest).source) / kernel.element_bytes;
  }
};

double line_cycles(const LineCost& cost, const SideTraffic& traffic) {
  const double pattern = 1 - std::pow(traffic.lines_in_a_row, -4);
  return traffic.lines * (cost.alone + (cost.in_a_row - cost.alone) * pattern);
}

double memory_cycles(const Nest& nest, const Traffic& traffic) {
  const double prefetched = nest.prefetch_source_bytes != 0 ? kPrefetched : 1;
  const bool streamed = nest.store != StorePolicy::kTemporal;
  double cycles = streamed ? line_cycles(kStreamCost, traffic.destination[0]) : 0;
  for (std::size_t border = 1; border < kBorders; ++border) {
    const double ahead = border > 1 ? prefetched : 1;
    cycles += ahead * line_cycles(kReadCosts[border - 1], traffic.source[border]);
    if (!streamed) cycles += line_cycles(kWriteCosts[border - 1], traffic.destination[border]);
  }
  return cycles;
}

double far_lines(const Nest& nest, const Traffic& traffic) {
  const bool streamed = nest.store != StorePolicy::kTemporal;
  const double written = streamed ? traffic.destination[0].lines : 2 * traffic.destination.back().lines;
  return traffic.source.back().lines + written;
}

std::int64_t call_bytes(const KernelAccess& access) {
  return total_bytes(access.source) + total_bytes(access.destination);
}

}  // namespace

Work predict(const Nest& nest, const Target& target) {
  double calls = 1;
  for (const double trips : mean_trips(nest)) calls *= trips;
  const CallCost call = std::visit(CostOf{nest, target}, nest.kernel);
  const Traffic traffic = predict_traffic(nest, target);
  Work work;
  work.moved_bytes = calls * static_cast<double>(call_bytes(kernel_access(nest)));
  work.lines = traffic.source[0].lines + traffic.destination[0].lines;
  work.far_lines = far_lines(nest, traffic);
  const double per_call = call.loads + call.stores + call.shuffles + kInstructionsPerLoop;
  work.instructions = calls * per_call;
  if (nest.prefetch_source_bytes != 0) work.instructions += traffic.source[0].lines;
  work.load_cycles = calls * call.load_cycles;
  work.shuffle_cycles = calls * call.shuffle_cycles;
  work.store_cycles = calls * call.store_cycles;
  work.memory_cycles = memory_cycles(nest, traffic);
  const double kernel = std::max({work.load_cycles, work.shuffle_cycles, work.store_cycles,
                                  work.instructions / kInstructionsPerCycle}) +
                        calls * kCall;
  work.cycles = std::max(kernel, work.memory_cycles) + kUnhidden * std::min(kernel, work.memory_cycles);
  return work;
}

Work predict(const Plan& plan, const Target& target) {
  Work total;
  for (const Nest& nest : plan.nests) {
    const Work work = predict(nest, target);
    total.moved_bytes += work.moved_bytes;
    total.lines += work.lines;
    total.far_lines += work.far_lines;
    total.instructions += work.instructions;
    total.load_cycles += work.load_cycles;
    total.shuffle_cycles += work.shuffle_cycles;
    total.store_cycles += work.store_cycles;
    total.memory_cycles += work.memory_cycles;
    total.cycles += work.cycles;
  }
  return total;
}

}  // namespace relayout::plan
