#include "jit/stage_tables.hpp"

namespace relayout::jit {
namespace {

constexpr int kNoRegister = -1;

}  // namespace

// From the top down. If tables are too many, two registers are kept for loading the others.
StageTables::StageTables(const plan::Network& network, int registers, int first_free)
    : network_(network), on_demand_{first_free, first_free + 1} {
  int tables = 0;
  for (const plan::Stage& stage : network.stages) tables += static_cast<int>(stage.tables.size());
  int room = registers - first_free;
  if (tables > room) room -= 2;
  int next = registers - 1;
  for (const plan::Stage& stage : network.stages) {
    std::array<int, 2> chosen = {kNoRegister, kNoRegister};
    for (std::size_t t = 0; t < stage.tables.size() && room > 0; ++t, --room) chosen[t] = next--;
    kept_.push_back(chosen);
  }
}

void StageTables::prepare(Emitter& emitter) const {
  for (std::size_t s = 0; s < kept_.size(); ++s)
    for (std::size_t t = 0; t < network_.stages[s].tables.size(); ++t)
      if (kept_[s][t] != kNoRegister) load(emitter, s, t, kept_[s][t]);
}

std::array<int, 2> StageTables::of_stage(Emitter& emitter, std::size_t index) const {
  std::array<int, 2> numbers = kept_[index];
  for (std::size_t t = 0; t < network_.stages[index].tables.size(); ++t) {
    if (numbers[t] != kNoRegister) continue;
    numbers[t] = on_demand_[t];
    load(emitter, index, t, numbers[t]);
  }
  return numbers;
}

void StageTables::load(Emitter& emitter, std::size_t index, std::size_t table, int number) const {
  emitter.load(Emitter::vector(number, network_.vector_bytes),
               emitter.constant(network_.stages[index].tables[table]));
}

}  // namespace relayout::jit
