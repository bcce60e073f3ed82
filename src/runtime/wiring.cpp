#include "src/runtime/wiring.hpp"

#include <algorithm>

#include "src/plan/network/network_moves.hpp"

namespace relayout::runtime {
namespace {

using Origins = std::vector<std::vector<int>>;  // as plan::simulate

/// Where a cell comes from that is whole at its origin, too; else -1.
std::int64_t origin_of(const std::vector<int>& row, std::size_t first_byte, std::int64_t cell_bytes) {
  if (first_byte >= row.size() || row[first_byte] < 0 || row[first_byte] % cell_bytes != 0) return -1;
  for (std::size_t byte = 1; byte < static_cast<std::size_t>(cell_bytes); ++byte)
    if (row[first_byte + byte] != row[first_byte] + static_cast<int>(byte)) return -1;
  return row[first_byte] / cell_bytes;
}

/// Cells that come together whole, from where; by row and column. Of spread units few do.
std::vector<std::int64_t> cells_of(const Origins& origins, std::int64_t cell_bytes, std::int64_t columns) {
  std::vector<std::int64_t> cells;
  for (const std::vector<int>& row : origins) {
    for (std::int64_t column = 0; column < columns; ++column) {
      cells.push_back(origin_of(row, static_cast<std::size_t>(column * cell_bytes), cell_bytes));
    }
  }
  return cells;
}

/// A network's stages one by one: a step is what the simulator makes of that stage alone.
Wiring network_wiring(const plan::Network& network) {
  Wiring wiring;
  wiring.cell_bytes = network.element_bytes;
  wiring.columns = network.vector_bytes / network.element_bytes;
  wiring.source_rows = std::int64_t{1} << network.slots;
  for (const plan::Stage& stage : network.stages) {
    plan::Network alone = network;
    alone.stages = {stage};
    alone.phases = {{{}, 0, 1}};
    if (stage.slot >= 0) alone.phases.front().slots = {stage.slot};
    Wiring::Step step;
    step.instruction = plan::network::move_name(stage.move);
    step.instructions = static_cast<std::int64_t>(plan::network::operations_per_vector(stage.move) *
                                                  static_cast<double>(wiring.source_rows));
    step.rows = wiring.source_rows;
    step.from = cells_of(plan::simulate(alone), wiring.cell_bytes, wiring.columns);
    wiring.steps.push_back(std::move(step));
  }
  return wiring;
}

Wiring shuffle_wiring(const plan::ShuffleKernel& kernel, std::int64_t element_bytes) {
  Wiring wiring;
  wiring.cell_bytes = element_bytes;
  wiring.columns = kernel.piece_bytes / element_bytes;
  wiring.source_rows = static_cast<std::int64_t>(kernel.sources.size());
  Wiring::Step step;
  step.instruction = kernel.piece_bytes == 16 ? "vpshufb, vpor" : "vperm under a mask";
  step.rows = static_cast<std::int64_t>(kernel.destinations.size());
  step.from.assign(static_cast<std::size_t>(step.rows * wiring.columns), -1);
  for (std::size_t row = 0; row < kernel.terms.size(); ++row) {
    for (const auto& term : kernel.terms[row]) {
      ++step.instructions;
      for (std::int64_t column = 0; column < wiring.columns; ++column) {
        const std::uint8_t from = term.index[static_cast<std::size_t>(column * element_bytes)];
        if (from == 0x80) continue;
        step.from[row * static_cast<std::size_t>(wiring.columns) + static_cast<std::size_t>(column)] =
            term.source_piece * wiring.columns + from / element_bytes;
      }
    }
  }
  wiring.steps.push_back(std::move(step));
  return wiring;
}

}  // namespace

Wiring wiring_of(const plan::Kernel& kernel, std::int64_t element_bytes) {
  if (const auto* permute = std::get_if<plan::PermuteKernel>(&kernel))
    return network_wiring(permute->network);
  if (const auto* shuffle = std::get_if<plan::ShuffleKernel>(&kernel))
    return shuffle_wiring(*shuffle, element_bytes);
  return {};
}

}  // namespace relayout::runtime
