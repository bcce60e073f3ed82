#include "src/plan/cost_models/cost_models.hpp"

namespace relayout::plan {

/// Measured on a Cascade Lake of 1 MiB and 36 MiB of cache, AVX-512, whose core has few lines under way to a
/// far and slow last cache. While its other cores are at work memcpy runs more and more as from memory from
/// 10 MiB on.
void set_cascade_lake(Target& target) {
  set_intel_common(target);

  // Networks.

  // One port executes all shuffles (network_cost.cpp).
  target.shuffle_ports = ShufflePorts::kOne;
  // f32 32x32 0.47, with halves loaded only 0.41, without 0.35; past the first cache f32 128x128 0.61, 0.73
  // and 0.73.
  target.stored_halves_up_to_bytes = target.level1_data_bytes / 2;

  // Tiles: 57 pairs 0.84 with several lines a row, 0.86 with one.
  target.far_runs = FarRuns::kLines;

  // Loops.

  // 26 pairs 0.81 with runs of 256 bytes, 0.87 with 64 (f32 4096x4096 0.54 and 0.93).
  target.far_block_run_bytes = 64;
  // 29 random pairs of 10 MiB and more 1.08 in blocks, 1.19 in the destination's order; 7 more with 41 to 64
  // places 0.72 and 0.67.
  target.followed_far_reads = 40;

  // Software fetches: from 10 of the 36 MiB on 84 pairs 1.05 times as fast with the source fetched too.
  target.followed_reads_up_to_bytes = target.streaming_threshold_bytes / 8 * 3;

  // Copies: in vectors of 32 bytes 0.95, with runs of 1 KiB 1.00 (8 pairs).
  target.far_copy_run_bytes = 1024;

  // Staging: of 50 random pairs the 20 that fetch lines less often 0.71 as they are, 0.64 staged; the others
  // 0.56 and 0.61.
  target.least_fetched_for_staging = 1.2;

  // Streaming stores.

  // Ten conversions to 1 to 8 places 0.94 to 1.10 streamed, 1.12 to 1.40 not; ten to 48 to 75 places 0.54 to
  // 1.0 and 0.52 to 0.82.
  target.followed_written_streams = 32;
  // Stretches of at most 150 KiB: 24 conversions 0.86 streamed, 1.01 not.
  target.followed_stretch_bytes = target.level2_bytes / 4;
}

}  // namespace relayout::plan
