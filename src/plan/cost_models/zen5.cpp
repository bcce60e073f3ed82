#include "src/plan/cost_models/cost_models.hpp"

namespace relayout::plan {
namespace {

/// Tiles and their runs.
void set_zen5_tiles(Target& target) {
  // Of 320 pairs in the caches nine faster and two slower; at AVX2 two are slower.
  if (target.vector_bytes == 64) target.rounded_margin = 1;
  // Larger rounded tiles in the last cache, both rules together: of 160 pairs 12 faster and two slower.
  target.rounds_rows_of_shared_sets = true;
  target.rounded_margin_of_shared_sets = 0.7;
  // Under masks, rows 4 KiB apart: 30 transposes of 2 to 16 MiB, 8 bytes 0.58 and 0.71, 4 bytes 0.42 and 0.50
  // (runs_under_masks.cpp).
  target.reads_single_lines = true;
  // u8[35,12,4,64] into (8,128) tiles 0.25 and 0.61 (tile_cycles.cpp).
  target.scatters_few_bytes_slowly = true;
}

/// The order of loops.
void set_zen5_loops(Target& target) {
  // In the second cache, under masks: of 160 random pairs 23 faster and none slower ...
  target.longest_sweep_past_first_cache_bytes = target.level2_bytes / 8;
  // ... but where the rows that are read share sets 13 of 30 transposes slower (c128 128x128 0.68 and 0.46).
  target.sweeps_spread_rows_only = true;
  // In the last cache: of 160 pairs 13 faster and four slower.
  target.fewest_trips_without_shares = 24;
}

/// Software fetches, and what the processor's own are kept from.
void set_zen5_fetches(Target& target) {
  // f32 1000x1001, tiles of 16 rows, 0.92 without, 0.77 with; bytes 2880x2880, tiles of 64 rows, 0.16
  // without, 0.27 to 0.36 with.
  target.followed_reads = 16;
  // The same bytes 0.51 with the destination fetched as well; 16-bit 2000x2016, 32 rows, 0.45 and 0.25.
  target.followed_writes = 32;
  // 38 random pairs 1.05 times as fast, 7 of them more than 1.1 times and none slower.
  target.followed_far_writes = 8;
  // 80 random pairs in the second cache 0.52 and 0.64, 80 in the last one 0.75 and 0.79; from 20 MiB on as
  // many lose as win (masked_access.cpp).
  target.masked_up_to_bytes =
      target.vector_bytes == 64 ? target.streaming_threshold_bytes / 6 * 5 : target.level2_bytes;
}

/// Streaming stores and staging.
void set_zen5_stores(Target& target) {
  // 18 MiB: 119 random pairs of 20 to 24 MiB 0.57 and 0.65, 42 faster and 11 slower; 37 of 18 to 20 MiB 0.46
  // and 0.58.
  target.streamed_rows_from_bytes = target.streaming_threshold_bytes / 4 * 3;
  // Of 64 unseen transposes 37 change, 0.81 and 1.06, 31 faster and two slower (streamed_tiles.cpp).
  target.streams_without_scratch = true;
  // At AVX2: 50 streamed transposes 0.85 and 0.95, 30 faster and five slower.
  target.combines_streamed_halves = true;
  // Five pairs past the last cache 0.61 and 0.86, none slower.
  target.stages_half_vectors = target.vector_bytes == 64;
}

/// Padding.
void set_zen5_padding(Target& target) {
  // 44 pairs 0.82 and 0.84, 11 faster and six slower (planner.cpp).
  target.follows_padding = true;
}

}  // namespace

/// Measured on an EPYC of 48 KiB, 1 MiB and 32 MiB of cache, which others share; AVX-512 VBMI.
void set_zen5(Target& target) {
  set_zen4_and_zen5(target);
  set_zen5_tiles(target);
  set_zen5_loops(target);
  set_zen5_fetches(target);
  set_zen5_stores(target);
  set_zen5_padding(target);
}

}  // namespace relayout::plan
