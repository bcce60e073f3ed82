#include <cstddef>
#include <limits>

#include "src/plan/cost_models/cost_models.hpp"

namespace relayout::plan {
namespace {

/// Rounded tiles (rounded_cost.cpp).
void set_zen3_and_zen4_rounded_tiles(Target& target) {
  // Zen 3: ten pairs 0.58 and, by rounded tiles, 0.66. Zen 4: 100 pairs 0.68 and 0.74, 45 faster and 12
  // slower.
  target.rounded_margin = 1;
  // To rows that share sets. Zen 3: of 3068 random pairs 67 change, 0.60 and 0.68, 38 faster and eight
  // slower. Zen 4: 73, 0.49 and 0.55, 38 and nine.
  target.rounded_margin_of_shared_sets = 0.7;
  // Zen 3: of 16000 random pairs 1414 change, 0.73 and 0.82, 900 faster and 112 slower
  // (long_rounded_tile.cpp). Zen 4: 100, 0.74 and 0.85, 53 and ten.
  target.longest_rounded_run_bytes = 256;
}

/// Tiles and their runs.
void set_zen3_and_zen4_tiles(Target& target) {
  // Zen 3: of 24000 random pairs 346 change, 339 of them 0.61 and 0.71, 172 faster and two slower. Zen 4: 60,
  // 0.62 and 0.66, 20 and none.
  target.stores_by_address = true;
  // Zen 3: of 8000 random pairs 266 change, 0.45 and 0.49, 147 faster and 44 slower (last_tile.cpp). Zen 4:
  // 46, 0.40 and 0.44, 30 and four.
  target.cuts_last_tiles = true;
  // Zen 3: 239 transposes 0.30 and 0.42, 220 faster and 14 slower (tile_candidates.cpp). On a Zen 4 only with
  // the others.
  target.counts_nearly_full_sets = true;
}

/// The order of loops and their blocks.
void set_zen3_and_zen4_loops(Target& target) {
  // Zen 3: of 8000 random pairs 269 change, 0.63 and 0.70, 159 faster and 21 slower. Zen 4: 93, 0.72 and
  // 0.77, 42 and nine; counted as two of the source it loses.
  target.first_cache_destination_line = 1;
  // Zen 3: 111 pairs 1.088 times as fast by lines of the first cache, without the source's order 1.077 times.
  // On a Zen 4 that order gains, too.
  target.counts_lines_in_source_order = true;
  // Zen 3: 109 random pairs 0.86 and 0.89, 38 faster and 17 slower. Zen 4: 100, 0.80 and 0.83, 33 and seven.
  target.fewest_unequal_blocks = 4;
}

/// Large staged blocks, equal parts of rows, and what is fetched meanwhile.
void set_zen3_and_zen4_staging(Target& target) {
  // Instead of from 1.2 times on. Zen 3: of 4000 random pairs 69 change, 0.54 and 0.74, 49 faster and three
  // slower. Zen 4: 60, 0.65 and 0.70, 28 and 24.
  target.least_fetched_for_large_staging = 1;
  // Zen 3: of 8000 random pairs 178 change, 0.65 and 0.74, 112 faster and 28 slower. Zen 4: 60, 0.60 and
  // 0.68, 37 and 15, but from 3% on 0.83 and 0.80.
  target.least_overlap_for_equal_parts = 0.08;
  // Zen 3: of 8000 random pairs 263 change, 136 of them 0.93 and 0.99, 75 faster and three slower
  // (staged_fetch.cpp). Zen 4: 60, 0.96 and 1.05, 34 and none.
  target.fetches_as_runs_leave = true;
}

/// Streaming stores.
void set_zen3_and_zen4_streaming(Target& target) {
  // Zen 3: 160 random pairs 0.89 and 1.10, 116 faster and 15 slower. Zen 4: 80 of 20 to 24 MiB, copies among
  // them, 0.52 and 0.89, 73 and three.
  target.most_rows_through_last_cache = 1;
  // Zen 3: of 90 unseen transposes 67 change, 0.54 and 0.70, 63 faster and one slower, with
  // fetches_between_stores. Zen 4, by itself: 60, 0.88 and 0.90, 15 and three.
  target.keeps_scratch_clear = true;
}

}  // namespace

void set_whole_lines(Target& target) {
  // Staging, past the last cache.

  // Golden Cove: of 790 random pairs 47 change, 0.79 and 0.86, 25 faster and seven slower. Zen 3: 60, 0.83
  // and 0.89, 29 and 11. Zen 4: 60, 0.83 and 0.84, 25 and 18.
  target.stages_pairs_of_lines = true;
  // Golden Cove: 60 transposes 0.79 and 0.94, 54 faster and five slower. Zen 3: 37 pairs 0.68 and 0.82, 19
  // and four. Zen 4: 60, 0.65 and 0.81, 43 and ten.
  target.stages_rows_of_shared_sets = true;
  // Golden Cove: of 8220 random pairs 24 change, 12 faster and five slower. Zen 3: six, 0.67 and 0.82, four
  // and none. Zen 4: 20, 0.81 and 0.88, 11 and six.
  target.shortest_staged_beside_bytes = 2048;
  // Golden Cove: of 1000 random pairs 54 change, 0.66 and 0.81, 40 faster and three slower. Zen 3: of 4000
  // 333, 0.68 and 0.85, 229 and 35. Zen 4: 60, 0.73 and 0.95, 40 and 12.
  target.stages_more_blocks = true;
  // Golden Cove: of 1220 random pairs 26 change, 0.85 and 1.00, 12 faster and three slower. Zen 3: of 8000
  // 302, 0.73 and 0.86, 131 and 24. Zen 4: 60, 0.83 and 1.17, 43 and seven.
  target.stages_padded_rows = true;
  // Golden Cove: of 1220 random pairs 13 change, 0.70 and 1.04, 11 faster and none slower. Zen 3: 13, 0.63
  // and 0.69, eight and three. Zen 4: 60, 0.60 and 0.87, 55 and two.
  target.stages_trimmed_rows = true;

  // Kernels and tiles.

  // Golden Cove: of 1220 random pairs three change, 0.90 and 1.21; of bytes 0.39 cycles, 0.76 and 0.70. Zen
  // 3: of 4000 nine, 1.13 and 2.01, all faster. On a Zen 4 only with the others.
  target.most_streamed_shuffle_cycles = 0.35;
  // Golden Cove: 110 pairs past the last cache 0.78 and 0.92, 50 faster and four slower (less_overlap.cpp).
  // Zen 3: 56, 0.72 and 0.78, 25 and seven. Zen 4, up to 22 MiB: 100, 0.76 and 0.81, 40 and 19.
  target.reads_less_twice = true;
  // Golden Cove: of 15000 random pairs in the caches 149 change, 0.86 and 0.90, 63 faster and 19 slower. Zen
  // 3: 330, 0.54 and 0.62, 191 and 61 (tile_candidates.cpp). Zen 4: 20, 0.63 and 0.70, 13 and four.
  target.keeps_runs_of_shared_sets = true;

  // Padding. Golden Cove: of 9000 random pairs past the last cache 97 change, 0.95 and 1.20, 49 faster and
  // none slower; of 6000 in the caches 64, 0.90 and 1.09, 31 and two. Zen 3: of 30000 351, 209 of them 0.87
  // and 1.09, 127 and 12 (padded_box.cpp). Zen 4: 56, 0.84 and 1.04, 34 and one.
  target.splits_padding = true;
}

void set_zen4_and_zen5(Target& target) {
  // Past the last cache, half lines. Zen 4: 60 pairs 1.29 and 1.36, 20 faster and 15 slower. Zen 5: streamed
  // transposes, 8 of 8 bytes 0.88 and 1.10, 8 of 16 bytes 1.26 and 1.37 (preferred_runs.cpp).
  target.far_runs = FarRuns::kHalfLines;

  // Copies, and stretches that are walked like them.

  // Zen 4, up to 22 MiB: 13 pairs 0.75 and 0.85, eight faster and none slower. Zen 5: of 290 random pairs in
  // the second cache 14 run as copies so, 1.1 to 1.9 times as fast; of 450 in the last one 12, none slower.
  // Past it eight were faster and 28 slower.
  target.cached_copy_call_cycles = 1;
  // Zen 4: 60 pairs 1.33 and 1.44, 24 faster and 13 slower. Zen 5: parts of lines 70 random pairs 0.57 and
  // 0.62, 25 and one; lines and pairs of lines that are streamed 57 of 150, 0.89 and 1.12, 45 faster.
  target.ordered_far_copy_bytes = 128;
  // Zen 4: 90 pairs 1.25 and 1.36, 43 faster and 17 slower; at AVX2 60, 1.14 and 1.26, 27 and 13. Zen 5: 25,
  // 0.93 and 1.04, 13 and three; at AVX2 0.88 and 1.00, 11 and four.
  target.orders_far_stretches = true;

  // Turns of nests that write the same lines in the last cache. Zen 4, all three rules: 86 pairs 0.44 and
  // 0.46, 33 faster and 15 slower.

  // Zen 5: of 160 pairs ten faster and none slower.
  target.rounds_in_last_cache = true;
  // Zen 5, both: 33 of 120 random pairs with 0.3 to 0.9 of padding 0.57 and 0.62 (rounds.cpp).
  target.turns_from_source_sizes = 1.5;
  target.turns_up_to_second_caches = 8;
}

void set_zen3_and_zen4(Target& target) {
  set_zen3_and_zen4_rounded_tiles(target);
  set_zen3_and_zen4_tiles(target);
  set_zen3_and_zen4_loops(target);
  set_zen3_and_zen4_staging(target);
  set_zen3_and_zen4_streaming(target);
  set_whole_lines(target);
}

/// The figures are a Cascade Lake's.
void set_intel_common(Target& target) {
  // Tiles.

  // 25 random pairs whose plans differ 0.77 and 0.83; at AVX2 0.74 and 0.75.
  target.rounded_margin = target.vector_bytes == 64 ? 0.85 : 1;

  // Loops.

  // In the second cache 60 and 70 random pairs 0.73 and 0.80 in blocks of 256 bytes a side, so 0.75 and 0.83.
  target.longest_source_sweep_bytes = target.level1_data_bytes / 2;

  // Software fetches: the core has few lines under way to a far and slow last cache.

  // 60 random pairs in the last cache 0.87 with the source fetched ahead, 0.89 without.
  target.followed_reads = std::numeric_limits<std::size_t>::max();
  // Along loops of two trips half of that is in vain: u8[352,24637]{1,0:T(8,128)} to columns 0.42, without
  // 0.77; 89 of 90 pairs no slower.
  target.fewest_trips_to_fetch_along = 3;
  target.fewest_far_trips_to_fetch_along = 3;
  // The same 60 pairs 0.95 with the destination fetched instead of the source.
  target.followed_writes = 0;
  // Past the second cache 24 pairs with copies of short runs 0.98 and 1.03 without fetching what they write,
  // 1.05 and 1.12 with (prefetch_choice.cpp).
  target.followed_far_writes = 0;
  // From the second cache: 60 and 70 random pairs 0.73 and 0.75, so 0.79 and 0.81 (prefetch_choice.cpp).
  target.stores_wait_for_lines = true;

  // Copies past the second cache: 0.87 in vectors of 64 bytes, 0.95 in halves of them.
  target.widest_copy_bytes = 32;
  target.widest_staged_copy_bytes = 32;

  // Turns: with vectors of 64 bytes 57 pairs in the last cache 0.79 and 0.83 (rounds.cpp).
  target.rounds_in_last_cache = true;
}

}  // namespace relayout::plan
