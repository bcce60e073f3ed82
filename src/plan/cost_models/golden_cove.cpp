#include "src/plan/cost_models/cost_models.hpp"

namespace relayout::plan {
namespace {

/// Networks.
void set_golden_cove_networks(Target& target) {
  // A second port executes shuffles within lanes of vectors of up to 32 bytes (network_cost.cpp).
  target.shuffle_ports = ShufflePorts::kOneForWide;
  // 19 transposes that fill more than half of the first cache 0.36 and 0.39, 30 of rows that share sets 0.38
  // and 0.42; where both buffers fill all of it, f64[8,24,16] 0.50 and 0.39.
  target.stored_halves_up_to_bytes = target.level1_data_bytes / 5 * 4;
  // In the caches 33 of 3700 random pairs 0.83 and 0.86, nine faster by a twentieth and one slower; at AVX2
  // 64, 0.84 and 0.88, 17 and one.
  target.stores_by_address = true;
}

/// Tiles and their runs.
void set_golden_cove_tiles(Target& target) {
  // Both together: of 3150 random pairs 38 change, 0.85 and 0.96, three slower; at AVX2 51, 0.88 and 0.97.
  target.rounds_rows_of_shared_sets = true;
  target.rounded_margin_of_shared_sets = 0.7;
  // 13 pairs 0.71 and 0.77.
  target.writes_whole_lines_of_shared_sets = true;
  // In the second cache 224 of 3000 transposes of rows nearly a page or a part of it apart 0.30 and 0.49, 197
  // faster and nine slower, 623 of 60000 random pairs 0.75 and 0.80, 193 and 78 (fewer_rows.cpp).
  target.widest_stored_at_pace_bytes = 16;
  target.orders_loops_by_pace = true;
  // In the caches 135 of 3700 random pairs 0.79 and 0.85, 60 faster and 22 slower; at AVX2 237, 0.85 and
  // 0.88, 88 and 47. 256 bytes and 0.95 of the waste would change twice as many, hardly faster together.
  target.longest_rounded_run_bytes = 192;
  target.worthwhile_long_waste = target.vector_bytes == 32 ? 0.92 : 0.87;
  // Of 18423 convolutions' weights in the second cache, between filters and pixels, 114 change, 0.43 and
  // 0.47, 68 faster and 19 slower; at AVX2 110, 0.37 and 0.41, 56 and 40 (bf16[512,64,3,3]{0,1,3,2} to
  // {3,2,1,0} 0.31 and 0.48). Of 20000 random pairs four change, two faster.
  target.reads_crowded_lines_once = true;
  // Of 260 pairs with units of 3 to 15 bytes 182 change, 0.61 and 0.70, 130 faster and 13 slower; at AVX2 89,
  // 0.54 and 0.58, 54 and 15. Without byte permutes, in vectors of 64 bytes, 90 would be slower and 52
  // faster.
  if (target.isa != Isa::kAvx512) target.longest_spread_unit_bytes = 15;
  // Of 4000 random pairs in the caches 74 change, 1.07 times as fast, 33 faster and six slower
  // (u8[14,4,50,32] 0.37 and 0.61, f32[18,1000] out of tiles of 8 0.62 and 0.93); 1.25 has half of that, 3 as
  // much.
  if (target.vector_bytes == 64) target.quarter_store_factor = 2;
  // At AVX2, where loads and stores of half a vector hardly use the ports of shuffles: of 6000 random pairs
  // in the caches 178 change, 0.71 and 0.78, 107 faster and 20 slower; a quarter changes 287, 146 and 41. In
  // vectors of 64 bytes, 0.7: of 20900 pairs 341 change, 1.01 times as fast, 94 and 46 (0.5: 247 of 6900, 63
  // and 38).
  target.lane_insert_factor = target.vector_bytes == 32 ? 0.5 : 0.7;
  // 18 of 5000 random pairs 1.03 times as fast, three and one.
  target.rounded_margin_of_few_sets = 1;
  // In the second cache: 20 transposes of rows 4 KiB apart 0.73 and 0.82, 150 random pairs of 2 bytes 0.85
  // and 0.89 (near_runs.cpp).
  target.rereads_from_second_cache = true;
  // In the last cache: 14 transposes of bytes 0.67 and 0.78, 49 of 2 bytes 0.69 and 0.76
  // (preferred_runs.cpp).
  target.fetches_pairs_of_lines = true;
  // At AVX2 425 of 60000 random pairs in the caches 0.83 and 0.88, 167 faster and 33 slower.
  target.reads_halves_of_vectors = true;
  // Past it: 11 random pairs of 2 bytes 1.07 and 1.15, 16 of 4 bytes 1.06 and 1.13 (preferred_runs.cpp).
  target.far_runs = FarRuns::kPairsOfLines;
  // Of 5000 random pairs in the caches 42 change, 1.10 and 1.22, 18 faster and none slower; at AVX2 26, 0.91
  // and 0.97, 13 and one (gapped_box.cpp).
  target.reads_gaps = true;
  // Of 60000 random pairs in the caches 285 change, 0.75 and 0.88, 179 faster and 19 slower; at AVX2 281,
  // 0.73 and 0.86, 164 and 16.
  target.rounds_rows_with_padding = true;
  // Of the same 93 (padded_end.cpp).
  target.cuts_before_padding = true;
  // Of 2800 random pairs past the last cache 81 change, 1.18 and 1.26, 30 faster and six slower; at AVX2 72,
  // 1.15 and 1.23, 34 and six. Of 4 bytes as many lose; in the caches pairs gain and lose alike.
  target.widest_far_widened_bytes = 2;
}

/// Loops in the second cache.
void set_golden_cove_sweeps(Target& target) {
  // Of 8 and 16 bytes 19 pairs 0.56 and 0.72; of 4 bytes as many faster as slower, bytes slower.
  target.narrowest_swept_bytes = 8;
  // 70 pairs 1.10 times as fast, 29 faster and 11 slower; 56 others 0.66 and 0.69.
  target.longest_sweep_past_first_cache_bytes = target.level2_bytes / 8;
  // 76 pairs 0.91 and 0.94, 26 faster and three slower; larger ones gain and lose alike.
  target.swept_copies_up_to_bytes = target.level2_bytes / 4 * 5;
  // Of 4200 random pairs 103 change, 0.64 and 0.72, 80 faster and 18 slower; 3 and 6 chose as well, 2 and 8
  // worse.
  target.first_cache_destination_line = 4;
}

/// Other loops and their blocks.
void set_golden_cove_loops(Target& target) {
  // Instead of 256: of 1150 random pairs 403 change, 1.11 and 1.13, 92 faster and 37 slower; of 850 at AVX2
  // 294, 1.05 and 1.07, 55 and 29. 192 gain little, 512 nothing.
  target.far_block_run_bytes = 128;
  // 77 pairs in the last cache 0.974 and 0.986, 21 in the second one 0.99 and 1.00.
  target.source_runs_grow_first = true;
  // In the last cache 8 of 51 pairs more than 1.1 times as fast, one slower.
  target.fewest_trips_without_shares = 24;
  // In the second cache: of 5000 random pairs 48 change, 0.90 and 0.93, 15 faster and six slower; at AVX2 46,
  // 0.86 and 0.88, 14 and three.
  target.lengthens_written_runs = true;
  // Of 22000 random pairs 68 change, 25 faster and nine slower (written_sets.hpp).
  target.spreads_written_lines = true;
  // Of 5000 random pairs in the caches 256 change, 1.02 and 1.03, 53 faster and 24 slower, of 2800 past them
  // 79, 1.21 and 1.22, 15 and five; at AVX2 1.03 and 1.05, 46 and 15, 1.11 and 1.13, 16 and six. With 4
  // blocks 128 gain and 95 lose where with 2 92 and 47 do.
  target.fewest_unequal_blocks = 2;
}

/// Software fetches. A virtual machine's whole share of the last cache is followed: 61 pairs of 24 to 64 MiB
/// 0.93 with the source fetched from 24 MiB on, 0.99 without.
void set_golden_cove_fetches(Target& target) {
  // 199 copies in the second cache 0.93 and 1.02, 165 faster and none slower; at AVX2 0.95 and 1.01, 128 and
  // four.
  target.fetches_long_runs_from_second_cache = true;
  // 24 MiB: 28 pairs 1.12 times as fast, two slower.
  target.followed_reads_of_short_writes_up_to_bytes = target.streaming_threshold_bytes / 8 * 3;
  // 94 transposes that the last cache holds 0.69 and 0.79, 131 at AVX2 0.68 and 0.81 (fetched_block.cpp).
  target.fetches_blocks = true;
  // Instead of 3: of 2800 random pairs past the last cache 256 change, 1.19 and 1.23, 75 faster and 19
  // slower; at AVX2 of 2000 172, 1.16 and 1.18, 44 and 18. 5 gains half of that; in the caches they lose.
  target.fewest_far_trips_to_fetch_along = 12;
  // Of 2800 random pairs past the last cache 191 change, 1.26 and 1.29, 37 faster and nine slower; at AVX2
  // 163, 1.23 and 1.26, 32 and five. Of calls that write one run 475 pairs are as fast, 37 and 46.
  target.fetched_single_runs = FetchedSingleRuns::kRead;
}

/// Copies and staging past the last cache, where what can be is streamed: 60 pairs 0.92 by a Cascade Lake's
/// rules, 1.31 so.
void set_golden_cove_stores(Target& target) {
  // Up to 1.3 times as fast (f64[3949,19,256] into (8,128) tiles 1.35 and 1.81).
  target.far_copy_run_bytes = 4096;
  // 32 copies 1.40 and 1.42, four of them slower where the source does not go on there.
  target.far_copy_ahead_bytes = 2048;
  // Instead of from 1.2 times on: of 1150 random pairs 22 change, 0.64 and 0.82, 16 faster and one slower;
  // of 850 at AVX2 24, 0.82 and 1.01, 15 and two.
  target.least_fetched_for_large_staging = 1;
  // Instead of 0.1: of 2800 random pairs 62 change, 0.93 and 1.00, 40 faster and ten slower; at AVX2 64, 0.93
  // and 0.96, 33 and 15. Without, 70 others are as fast as with 0.1, 29 and 26.
  target.least_overlap_for_equal_parts = 0.3;
  // Of 2800 random pairs 133 change, 0.96 and 1.04, 71 faster and 16 slower; at AVX2 197, 0.95 and 0.99, 79
  // and 21.
  target.rounds_tiles_of_blocks = true;
  // Of the same ten change, 0.71 and 0.86, eight faster and one slower, at AVX2 eleven, 0.72 and 0.85, eight
  // and one; transposes of 2-byte elements out of rows of 384 to 1024 bytes 0.86 and 1.26.
  target.orders_blocks_to_overlap = true;
  // Of the same 64 change, 1.18 and 1.33, 22 faster and two slower; at AVX2 61, 1.13 and 1.27, 24 and four.
  target.least_places_left_to_stage = 2;
  // Of 850 random pairs 11 change, 0.73 and 0.83, eight faster and two slower; at AVX2 five, 0.64 and 0.80,
  // four and none. 1 KiB gains and loses.
  target.shortest_usual_staged_run_bytes = 512;
  // Of the same 850 289 change, 1.11 and 1.12, 24 faster and nine slower; 86 copies that are not staged would
  // lose in whole vectors.
  target.widest_staged_copy_bytes = 64;
  // Of 850 random pairs 97 change, 1.05 and 1.13, 49 faster and six slower; at AVX2 69, 1.00 and 1.09, 38 and
  // none.
  target.overlaps_staged_runs = true;
  // Both together: of 1350 random pairs 36 change, 1.15 and 1.43, 28 faster and two slower; at AVX2 107, 1.00
  // and 1.22, 83 and eleven.
  target.shortest_run_staged_instead_bytes = 1;
  // By copies alone 35 of 1550 others, 1.20 times as fast, 29 and three; up to 4 KiB 15 more, four and four.
  target.longest_staged_copy_bytes = 1024;
  // Instead of 5: of 1550 random pairs 32 change, 1.03 times as fast, 11 faster and four slower; with 12 47,
  // 12 and ten.
  target.fewest_blocks_to_fetch_along = 8;
  // 31 of 850 random pairs 1.21 and 1.26, 16 faster and two slower (fetched_region.cpp). Of any
  // number of blocks 88 of 1550 others would change, 31 faster and 16 slower; half as long 67, 22 and eight,
  // twice as long 116, 32 and 34.
  target.longest_fetched_region_bytes = target.level2_bytes / 4;
  // 8 MiB. Of 1200 random pairs of 8 to 64 MiB 28 change, 0.74 and 0.95, 23 faster and three slower; at AVX2
  // 29, 0.69 and 0.90, 23 and five.
  target.streamed_crowded_rows_from_bytes = target.streaming_threshold_bytes / 8;
}

/// Turns.
void set_golden_cove_turns(Target& target) {
  // 260 random pairs in the last cache 0.94 and 0.98, 362 at AVX2 0.96 and 0.99 (rounds.cpp).
  target.rounds_in_first_cache = true;
  // Instead of 3, 2 and however many lines (60 random pairs 0.83 and 0.87 by those): of 24000 random pairs of
  // 1.5 to 100 MiB 269 change, 0.81 and 0.85, 84 faster and 44 slower. From 1.25 on 399 change, 123 and 69;
  // 0.2 of the lines chooses as well, without a limit fewer gain.
  target.turns_from_source_sizes = 1.5;
  target.turns_up_to_second_caches = 8;
  target.most_source_lines_added_by_turns = 0.5;
  // Of the same without it 64 would change, 0.83 and 0.70, four faster and 50 slower (f64[4,146,5,4]{3,0,1,2}
  // into (8,128) tiles 0.68 and, with it, 1.00). 16 adds 33, whose stretches are short: two are slower.
  target.most_places_of_turns = 8;
  // Of the same without it 226 would change, 0.84 and 0.82, four faster and 65 slower (u8[7,1000,10,5] packed
  // by 4 into (8,128)(2,1) tiles 0.47 and, with it, 0.85). All of this section's new rules together: 471,
  // 0.81 and 0.86, 172 and 32, at AVX2 496, 0.81 and 0.85, 164 and 44.
  target.padding_takes_turns = true;
  // Of 2800 random pairs past the last cache 22 change, 0.78 and 1.08, 20 faster and none slower; at AVX2 61,
  // 0.85 and 1.20, 54 and two. In the last cache, where rounds are short, 26 pairs 0.92 and, without them,
  // 0.85.
  target.avoids_scattered_rounds = true;
}

}  // namespace

/// Measured on a Granite Rapids: AVX-512 VBMI; 48 KiB, 2 MiB and 480 MiB of cache, of which a virtual machine
/// had some 80 MiB to itself, at 30 GB/s; memcpy past it 14 GB/s, streamed 21. Staging and lines of the first
/// cache on an Emerald Rapids of 48 KiB, 2 MiB and 260 MiB.
void set_golden_cove(Target& target) {
  set_intel_common(target);
  set_whole_lines(target);
  set_golden_cove_networks(target);
  set_golden_cove_tiles(target);
  set_golden_cove_sweeps(target);
  set_golden_cove_loops(target);
  set_golden_cove_fetches(target);
  set_golden_cove_stores(target);
  set_golden_cove_turns(target);
}

}  // namespace relayout::plan
