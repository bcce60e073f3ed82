#include "src/plan/network/live_registers.hpp"

#include <algorithm>
#include <cstddef>

namespace relayout::plan {
namespace {

/// Registers of which something exists on a side.
RegisterFlags with_pieces(const Network& network, const Side& side) {
  RegisterFlags registers(std::size_t{1} << network.slots, 0);
  const std::size_t per_register = side.pieces.size() >> network.slots;
  for (std::size_t i = 0; i < side.pieces.size(); ++i)
    if (side.pieces[i].bytes > 0) registers[i / per_register] = 1;
  return registers;
}

/// A stage's results depend on both registers of a pair, and both registers have results.
RegisterFlags across(const Stage& stage, const RegisterFlags& registers) {
  if (stage.slot < 0) return registers;
  RegisterFlags result = registers;
  const std::size_t partner = std::size_t{1} << stage.slot;
  for (std::size_t i = 0; i < registers.size(); ++i) result[i] |= registers[i ^ partner];
  return result;
}

}  // namespace

LiveRegisters live_registers(const Network& network) {
  const std::size_t stages = network.stages.size();
  LiveRegisters live;
  live.held.reserve(stages + 1);
  live.held.push_back(with_pieces(network, network.source));
  if (network.fills_padding) std::ranges::fill(live.held.back(), 1);  // zeros, if nothing else
  for (const Stage& stage : network.stages) live.held.push_back(across(stage, live.held.back()));
  live.wanted.resize(stages + 1);
  live.wanted[stages] = with_pieces(network, network.destination);
  for (std::size_t s = stages; s-- > 0;) live.wanted[s] = across(network.stages[s], live.wanted[s + 1]);
  return live;
}

}  // namespace relayout::plan
