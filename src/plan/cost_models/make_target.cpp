#include "src/plan/cost_models/make_target.hpp"

#include <array>
#include <string_view>

#include "src/plan/cost_models/cost_models.hpp"

namespace relayout::plan {
namespace {

struct CostModel {
  std::string_view name;  ///< as MachineInfo::cost_model has it; others get what is common
  void (*set)(Target&);
};

constexpr std::array kCostModels = {
    CostModel{"zen3", set_zen3},
    CostModel{"zen4", set_zen4},
    CostModel{"zen5", set_zen5},
    CostModel{"intel", set_cascade_lake},
    CostModel{"golden_cove", set_golden_cove},
};

}  // namespace

Target make_target(Isa isa, const MachineInfo& machine) {
  Target target;
  target.isa = isa;
  target.vector_bytes = isa == Isa::kAvx2 ? 32 : 64;
  target.registers = isa == Isa::kAvx2 ? 16 : 32;
  target.rounds_in_last_cache = target.vector_bytes == 32;
  target.follows_padding = target.vector_bytes == 32;
  // 56 random pairs of 26 to 200 MiB 0.54 where the next block was always fetched, 0.58 along loops of 3
  // trips and more, as of 5; in the caches none won (an early version on a Zen 4, AVX2).
  target.fewest_far_trips_to_fetch_along = target.vector_bytes == 32 ? 3 : 1;
  target.line_bytes = machine.line_bytes;
  target.level1_data_bytes = machine.level1_data_bytes;
  target.level2_bytes = machine.level2_bytes;
  target.level1_data_ways = machine.level1_data_ways;
  target.level2_ways = machine.level2_ways;
  target.streaming_threshold_bytes = machine.streaming_threshold_bytes;
  for (const CostModel& model : kCostModels)
    if (model.name == machine.cost_model) model.set(target);
  return target;
}

}  // namespace relayout::plan
