#include "src/plan/target.hpp"

namespace relayout::plan {

Target make_target(Isa isa, const MachineInfo& machine) {
  Target target;
  target.isa = isa;
  target.vector_bytes = isa == Isa::kAvx2 ? 32 : 64;
  target.registers = isa == Isa::kAvx2 ? 16 : 32;
  target.line_bytes = machine.line_bytes;
  target.level1_data_bytes = machine.level1_data_bytes;
  target.level2_bytes = machine.level2_bytes;
  target.streaming_threshold_bytes = machine.streaming_threshold_bytes;
  const bool intel = machine.cost_model == "intel";
  // Zen 4 and 5: a gathered element costs 0.7 cycles or more, a scalar load with insert 0.5 (measured on Zen
  // 5).
  target.fast_gather = intel;
  target.slow_crossing = intel;
  return target;
}

}  // namespace relayout::plan
