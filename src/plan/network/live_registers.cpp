#include "src/plan/network/live_registers.hpp"

#include <cstddef>
#include <utility>

namespace relayout::plan {
namespace {

/// A stage's results depend on both registers of a pair, and both registers have results.
RegisterFlags across(const Stage& stage, const RegisterFlags& registers) {
  if (stage.slot < 0) return registers;
  RegisterFlags result = registers;
  const std::size_t partner = std::size_t{1} << stage.slot;
  for (std::size_t i = 0; i < registers.size(); ++i) result[i] |= registers[i ^ partner];
  return result;
}

}  // namespace

LiveRegisters live_registers(const Network& network, RegisterFlags loaded, RegisterFlags stored) {
  const std::size_t stages = network.stages.size();
  LiveRegisters live;
  live.held.reserve(stages + 1);
  live.held.push_back(std::move(loaded));
  for (const Stage& stage : network.stages) live.held.push_back(across(stage, live.held.back()));
  live.wanted.resize(stages + 1);
  live.wanted[stages] = std::move(stored);
  for (std::size_t s = stages; s-- > 0;) live.wanted[s] = across(network.stages[s], live.wanted[s + 1]);
  return live;
}

}  // namespace relayout::plan
