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
  target.level1_data_ways = machine.level1_data_ways;
  target.level2_ways = machine.level2_ways;
  target.streaming_threshold_bytes = machine.streaming_threshold_bytes;
  target.slow_crossing = machine.cost_model == "intel";
  // In a Zen 5's last cache f32 1000x1001, tiles of 16 rows, ran at 0.92 of memcpy without prefetch, at 0.77
  // with; bytes 2880x2880, tiles of 64 rows, at 0.16 without, at 0.27 to 0.36 with, and at 0.51 with one of
  // the destination as well. 16-bit 2000x2016, 32 rows, lost by that of the destination: 0.45 to 0.25.
  // Past it, where rows off the lines rule out streaming, a prefetch of the destination made 38 random pairs
  // 1.05 times as fast, 7 of them more than 1.1 times and none slower.
  if (machine.cost_model == "zen5") {
    target.followed_reads = 16;
    target.followed_writes = 32;
    target.followed_far_writes = 8;
  }
  // A Zen 4 executes 64-byte operations as two halves, and shuffles of 64 bytes at half the rate: f32 64x64
  // ran at 0.87 of memcpy with 32-byte vectors, at 0.69 with 64. Past the second-level cache whole lines win
  // (f32 1024x1024: 0.31 and 0.43).
  if (machine.cost_model == "zen4" && target.vector_bytes == 64)
    target.half_vectors_up_to_bytes = machine.level2_bytes;
  return target;
}

}  // namespace relayout::plan
