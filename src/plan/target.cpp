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
  // A Zen 5's own prefetch does better in its last cache: NHWC to NCHW of 12 MiB ran at 0.88 of memcpy
  // without, at 0.69 with software's, f32 1000x1001 at 0.92 and 0.77; in DRAM f32 4096x4096 at 0.69 without,
  // 0.86 with.
  target.no_prefetch_up_to_bytes =
      machine.cost_model == "zen5" ? machine.streaming_threshold_bytes : machine.level2_bytes;
  // A Zen 4 executes 64-byte operations as two halves, and shuffles of 64 bytes at half the rate: f32 64x64
  // ran at 0.87 of memcpy with 32-byte vectors, at 0.69 with 64. Past the second-level cache whole lines win
  // (f32 1024x1024: 0.31 and 0.43).
  if (machine.cost_model == "zen4" && target.vector_bytes == 64)
    target.half_vectors_up_to_bytes = machine.level2_bytes;
  return target;
}

}  // namespace relayout::plan
