#include <cstdint>
#include <limits>

#include "src/plan/cost_models/cost_models.hpp"

namespace relayout::plan {
namespace {

/// Networks: their ports, and halves of vectors.
void set_zen3_networks(Target& target) {
  // Its own pipes (network_cost.cpp), and halves loaded where that saves a pass: of 11600 random pairs of 1,
  // 2 and 4 bytes 695 change, 0.64 and 0.75, 513 faster and 31 slower.
  target.shuffle_ports = ShufflePorts::kOneForLanes;
  // Halves are inserted from memory at no more than the whole loads' cost: of 250 transposes of short rows 68
  // change, 0.48 and 0.58, 56 faster and three slower.
  target.wide_piece_load_cycles = 0.25;
}

/// Tiles and their runs.
void set_zen3_tiles(Target& target) {
  // Of 3068 random pairs in the caches 67 change, 0.60 and 0.68, 38 faster and eight slower, together with
  // rounded_margin_of_shared_sets.
  target.rounds_rows_of_shared_sets = true;
  // Tiles of 8 x 16 elements: 92 random pairs 1.12 times as fast, 63 faster and three slower
  // (preferred_runs.cpp).
  target.reads_halves_of_vectors = true;
}

/// The order of loops and their blocks.
void set_zen3_loops(Target& target) {
  // 32 random pairs in the second cache 0.70 in blocks, 0.72 in the destination's order.
  target.longest_source_sweep_bytes = target.level1_data_bytes / 2;
  // 80 transposes in the shared part of the last cache 0.47 and 0.61 (followed_rows.cpp).
  target.follows_rows_to_read = true;
  // 144 random pairs 1.04 times as fast as with runs of 256 bytes (f64[3429,600] transposed 1.46 times) ...
  target.far_block_run_bytes = 512;
  // ... but 66 of elements of 16 bytes, 4 runs a call, 0.94 times.
  target.fewest_runs_of_far_blocks = 8;
}

/// Software fetches. Of a last cache of 32 MiB a processor has some 9 MiB to itself.
void set_zen3_fetches(Target& target) {
  // 192 pairs of more rows 0.41 with the source fetched, 0.43 without, but f32 1024x1024, 32 rows 4 KiB
  // apart, 0.26 and 0.18.
  target.followed_reads = 16;
  // 9 MiB: 65 pairs of at most that size 0.68 with the source always fetched, 0.70 where it is followed.
  target.followed_reads_up_to_bytes = target.streaming_threshold_bytes / 8 * 3;
  // 105 larger pairs 0.63 with the source fetched, 0.67 with the destination as well.
  target.followed_writes = 0;
  target.followed_writes_up_to_bytes = target.followed_reads_up_to_bytes;
  // As on a Zen 5: 38 random pairs there 1.05 times as fast, none slower.
  target.followed_far_writes = 8;
  // Past 9 MiB 369 random pairs whose calls write one run 1.21 and 1.32, 190 faster and 23 slower; 49 that
  // read one 0.66 and 0.78, 39 and one (single_run.cpp).
  target.fetched_single_runs = FetchedSingleRuns::kReadOrWritten;
  // 236 random pairs 0.68 and 0.77, 165 faster and 15 slower (fetched_sets.cpp).
  target.keeps_fetches_out_of_full_sets = true;
  // 132 random pairs 0.93 and 1.02, 64 faster and 14 slower (prefetch_choice.cpp).
  target.fetches_for_narrow_shuffles = true;
  // Of 90 unseen transposes 67 change, 0.54 and 0.70, 63 faster and one slower, together with
  // keeps_scratch_clear.
  target.fetches_between_stores = true;
}

/// Staging and streaming stores.
void set_zen3_stores(Target& target) {
  // 480 random pairs 1.10 times as fast in large blocks, 323 faster and 48 slower; of 2 KiB and more 56 pairs
  // 1.03 times, 22 and 20.
  target.shortest_usual_staged_run_bytes = 2048;
  // 22 MiB: of 1300 random pairs of 13.5 to 25 MiB 722 are planned otherwise than with 14 MiB; 200 of them
  // 0.56 and 0.73, 150 faster and 29 slower.
  target.streamed_rows_from_bytes = target.streaming_threshold_bytes / 12 * 11;
  // 13 copies past 22 MiB 0.96 streamed, 0.84 not.
  target.longest_run_copied_early_bytes = std::numeric_limits<std::int64_t>::max();
  // Fifteen conversions to 3 to 8 places on one channel of the memory 0.68 streamed, 1.01 not; of 16 places
  // and more as many lost as won.
  target.followed_congruent_streams = 8;
  // 80 MiB: 97 unseen random pairs 1.02 and 1.25, 73 faster and six slower (one_channel.cpp).
  target.streamed_places_from_bytes = target.streaming_threshold_bytes / 3 * 10;
}

}  // namespace

/// Measured on an EPYC of 512 KiB and 32 MiB of cache, of which a virtual machine had some 9 MiB to itself;
/// AVX2.
void set_zen3(Target& target) {
  set_zen3_and_zen4(target);
  set_zen3_networks(target);
  set_zen3_tiles(target);
  set_zen3_loops(target);
  set_zen3_fetches(target);
  set_zen3_stores(target);
}

}  // namespace relayout::plan
