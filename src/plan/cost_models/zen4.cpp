#include "src/plan/cost_models/cost_models.hpp"

namespace relayout::plan {
namespace {

/// Networks: their ports and the width of their vectors.
void set_zen4_networks(Target& target) {
  // Its own ports (network_cost.cpp), and halves loaded where that saves a pass: 200 random pairs in the
  // second cache 0.84 and 0.88, 47 faster and two slower, 150 past the last one 0.61 and 0.69, 108 and six.
  target.shuffle_ports = ShufflePorts::kTwoOfHalves;
  // It executes 64-byte operations as two halves: f32 64x64 0.87 with vectors of 32 bytes, 0.69 with 64; past
  // the second cache f32 1024x1024 0.31 with 32, 0.43 with 64.
  if (target.vector_bytes == 64) target.half_vectors_up_to_bytes = target.level2_bytes;
  // Staged blocks in vectors of 32 bytes: 126 random pairs 0.91 and 0.97, 69 faster and five slower
  // (block_kernel.cpp).
  target.splits_vectors_of_blocks = target.vector_bytes == 64;
  // Past the last cache 80 of 178 transposes 1.00 and 1.19, 57 faster and six slower (streamed_tiles.cpp); of
  // random pairs that take a scratch in vectors of 64 bytes 45, 21 and four (complete_network.cpp).
  target.splits_vectors_to_stream = target.vector_bytes == 64;
  // RGB of bytes 1080x1920 to pixels 0.96 and 1.02, back 0.96 and 1.01; of 42 images of three channels in the
  // last cache 0.92 and 0.94. With five channels and more, of 25 shuffles, 18 pairs 0.90 and 0.84.
  target.stores_halves_of_shuffles = target.vector_bytes == 64;
}

/// Tiles and their runs.
void set_zen4_tiles(Target& target) {
  // Of 400 packs and unpacks of 2 to 24 MiB 297 change, 0.63 and 0.69, 148 faster and 31 slower, of 400 below
  // 1 MiB 130, 0.67 and 0.79, 83 and 14, of 150 past the last cache 97, 0.92 and 1.02, 49 and nine.
  target.widens_elements = true;
  // 89 transposes in the last cache 0.55 and 0.62, 64 faster and 21 slower; 125 random pairs 1.19 and 1.29,
  // 52 and 26 (preferred_runs.cpp).
  target.takes_narrow_runs_of_wide_elements = true;
  // Of 3000 unseen shapes in the last cache 250 change, 0.58 and 0.72, 180 faster and five slower, in the
  // second one 190, 0.69 and 0.85, 124 and five, past both of 1000 84, 1.08 and 1.27, 57 and ten; of 6800
  // random pairs 168, 103 and nine; at AVX2 549 and 188, 402 and 28, 126 and 17.
  target.finds_runs_by_row_sets = true;
  // Images whose channels lie a multiple of 1, 2 or 4 KiB apart: in the last cache and past it 563 change,
  // 0.46 and 0.54, 481 faster and nine slower, in the second one 115 of 200, 0.43 and 0.53, 95 and four.
  target.finds_runs_of_short_rows = true;
  // Of 400 transposes of 16-byte elements 132 change, 0.50 and 0.69, 112 faster and 12 slower (few_rows.cpp).
  target.follows_few_rows = true;
  // Transposes of units of 9 to 15 bytes, 2 to 13 MiB 200, 0.32 and 0.54, all faster, below 1 MiB 200, 0.31
  // and 0.64, 197 faster and one slower, past the last cache 60, 0.36 and 0.73; at AVX2 311 of 540 change,
  // 0.38 and 0.50, 250 and 24.
  target.longest_spread_unit_bytes = 15;
  // Of 1400 permutations of three and four axes of 3 to 256 elements 114 change, 0.55 and 0.62, 68 faster and
  // nine slower, of 8000 unseen shapes and random pairs 96, 47 and ten; at AVX2 146, 0.58 and 0.60, 61 and
  // 13, and 135, 50 and 16 (u8[21,32,1451] reversed 0.32 and 0.47). Plans take 1 to 4 us longer.
  target.tries_runs_half_a_line_shorter = true;
  // Of 400 transposes of bytes, 14 to 24 MiB, 119 change, 0.38 and 0.45, 88 faster and 17 slower, of 2000
  // random pairs of bytes 47, 0.37 and 0.47, 37 and four (long_tiles_of_bytes.cpp).
  target.lengthens_tiles_of_bytes_early = true;
  // Of 15000 random pairs of bytes of 1 to 24 MiB 84 change, 0.30 and 0.52, 78 faster and five slower.
  target.counts_read_lines_in_sets = true;
  // Of 12000 random pairs of 1 and 2 bytes, up to 24 MiB, 350 change, 1.11 and 1.31, 156 faster and 12
  // slower; at AVX2 332, 1.26 and 1.52, 158 and 14.
  target.reads_gaps = true;
  // Of 3000 random pairs of 16-byte elements of up to 24 MiB 108 change, 1.41 and 1.69, 85 faster and ten
  // slower. At 1.3 90 more of 2500, 16 and 13; at AVX2 eight, 0.87 and 0.89, three and one.
  target.least_overlap_of_scalar_moves = 1.4;
  // Of 2300 pairs past the last cache 13 change, 0.81 and 1.04, ten faster and two slower.
  target.stages_wide_rows_off_lines = true;
}

/// What was made for a Golden Cove, of 21200 random pairs of up to 24 MiB: all of it 1124 pairs, 0.77 and
/// 0.80, 413 faster and 194 slower, at AVX2 836, 0.72 and 0.74, 275 and 119; 98 of 3434 past the last cache
/// 0.74 and 0.78, 43 and 15.
void set_zen4_shared_tiles(Target& target) {
  // 117 change, 0.65 and 0.73, 67 faster and 13 slower; at AVX2 122, 0.63 and 0.69, 63 and 19.
  target.rounds_rows_with_padding = true;
  // Ten change, 0.63 and 0.65, one faster; of 31000 others 25, 0.62 and 0.66, 15 and none.
  target.cuts_before_padding = true;
  // Instead of 256: 470 change, 0.81 and 0.82, 143 faster and 84 slower, at AVX2 472, 105 and 76; of 16000
  // others 512 instead of 256 628, 173 and 115.
  target.longest_rounded_run_bytes = 320;
  // At AVX2 192 change, 0.63 and 0.65, 78 faster and 20 slower.
  target.reads_halves_of_vectors = true;
  if (target.vector_bytes == 64) {
    // 556 change, 0.78 and 0.80, 184 faster and 114 slower; of 16000 others 0.6 648, 195 and 112, 0.8 295, 93
    // and 46. At AVX2 as many lose in the second cache (175, 40 and 52).
    target.lane_insert_factor = 0.7;
    // 37 change, 0.54 and 0.57, 19 faster and eight slower; of 3000 transposes to rows nearly a page or a
    // part of it apart 401, 0.34 and 0.38, 268 and 66. Of 4 bytes as many lose (56 others, six and six), at
    // AVX2 more (55, 0.47 and 0.39, five and 31).
    target.widest_stored_at_pace_bytes = 2;
  }
}

/// Blocks of loops, and what is fetched ahead along them.
void set_zen4_loops(Target& target) {
  // What is fetched along loops of fewer trips is mostly not what comes next, or comes too late. Past the
  // last cache 51 random pairs 1.25 and 1.44, 30 faster and one slower, in it 152, 0.72 and 0.74, 36 and 11;
  // at AVX2, instead of three trips, 28 past it 1.15 and 1.46, 17 and one.
  target.fewest_trips_to_fetch_along = 8;
  target.fewest_far_trips_to_fetch_along = 8;
  // Of 2500 unseen shapes of the suite's kinds in the last cache 469 change, 0.77 and 0.81, 151 faster and 38
  // slower, in the second one of 2500 305, 34 and 7; of 2500 random pairs 324, 83 and 28, and 351, 43 and 18.
  target.lengthens_written_runs = true;
  // Of 5000 unseen shapes 72 change, 0.63 and 0.82, 50 faster and six slower, of 5000 random pairs 47, 27 and
  // five; at AVX2 13 and nine, 12 faster and two slower.
  target.spreads_written_lines = true;
  // 13.5 MiB: where a nearly full last cache has lost the lines to be written, those of more rows than the
  // processor's own prefetch follows are fetched as well. Of 4200 pairs of that size and more 114 change,
  // 0.46 and 0.50, 60 faster and 20 slower, at AVX2 167, 0.39 and 0.44, 102 and 23; of 300 transposes 48,
  // 0.52 and 0.56, beside a neighbour that copies 8 MiB in turn 0.43 and 0.49. Smaller pairs lose (2 to 12
  // MiB: 0.63 and 0.62, 29 and 85).
  target.followed_writes = 16;
  target.followed_writes_up_to_bytes = target.streaming_threshold_bytes / 16 * 9;
  // 114 of 2500 pairs out of tiles, mostly padding, of 1 to 24 MiB 3.51 and 3.89, 67 faster and 15 slower, of
  // as many into such tiles 122, 0.75 and 0.76, 17 and five; at AVX2 76 of 1500, 3.30 and 3.88, 46 and 11.
  target.follows_larger_side = true;
  // Of 3000 unseen shapes 46 change, 0.78 and 0.82, 16 faster and none slower, of 3000 random pairs ten,
  // three and none; in the second cache 13 of 2000 are as fast.
  target.completes_written_runs = true;
  // 19 random pairs past the last cache 1.07 and, with blocks of 256 bytes instead of 1024, 1.18, 13 and two.
  target.grows_far_blocks_of_bytes = false;
  // Of 7000 pairs of 8 to 300 MiB 110 change, 1.05 and 1.22, 70 faster and 15 slower; at AVX2 165, 1.14 and
  // 1.34, 112 and 22 (rounds.cpp).
  target.avoids_scattered_rounds = true;
}

/// Padding, and nests that take turns.
void set_zen4_turns(Target& target) {
  // Both: of 3000 pairs into tiles, a quarter and more of them padding, of 1 to 24 MiB 125 change, 0.56 and
  // 0.61, 68 faster and 21 slower; of 9000 random pairs 28, ten and three.
  target.turns_up_to_second_caches = 2;
  target.most_source_lines_added_by_turns = 0.2;
  // Of such pairs 397 of 2500 change, 0.83 and 0.84, 36 faster and eight slower, of 9000 random pairs 133,
  // 0.82 and 0.83, 17 and 11. (With vectors of 32 bytes they follow it anyway.)
  target.follows_padding_if_near = true;
}

/// What is staged.
void set_zen4_staging(Target& target) {
  // 31 of 220 random pairs past the last cache 0.89 and 0.95, 15 faster and four slower; at AVX2 21, 1.07 and
  // 1.13, ten and five.
  target.overlaps_staged_runs = true;
  // Instead of 5: of 3434 random pairs past the last cache 44 change, 0.68 and 0.73, 18 faster and four
  // slower, at AVX2 38, 15 and seven; in it 19, seven and two. With 12, of 1860 others 94, 33 and 20, where
  // with 8 39, 16 and four.
  target.fewest_blocks_to_fetch_along = 8;
  // Of 7000 random pairs 78 change, 0.68 and 0.78, 57 faster and ten slower, at AVX2 70, 0.70 and 0.76, 44
  // and 17.
  target.orders_blocks_to_overlap = true;
  // 69 of 400 pairs past the last cache whose destinations have more than a quarter of padding 1.13 and 1.70,
  // 53 faster and seven slower, at AVX2 61, 1.59 and 1.76, 38 and eight; of 14 to 25 MiB 51 of 300 0.70 and
  // 0.86, 32 and 12.
  target.least_places_left_to_stage = 2;
  // Of 3000 random pairs of 18 to 200 MiB 188 change, 0.80 and 0.86, 105 faster and 27 slower; at AVX2 212,
  // 0.74 and 0.82, 116 and 27.
  target.rounds_tiles_of_blocks = true;
  // 8 MiB: 175 of 1500 pairs out of tiles, destinations of 7 to 12 MiB, 1.10 and 1.16, 90 faster and 45
  // slower, at AVX2 149, 0.90 and 1.01, 88 and 33. Of wider elements 97 pairs 1.69 and 1.76, 47 and 38.
  target.narrow_destinations_staged_from_bytes = target.streaming_threshold_bytes / 3;
  // 20 and 32 MiB: of 5000 pairs of 18 to 32 MiB 115 change, 0.64 and 0.85, 96 faster and ten slower, at AVX2
  // 96, 0.60 and 0.79, 81 and six; beside neighbours that copy 4 and 10 MiB in turn 0.61 and 0.86, 103 and
  // six, 0.66 and 0.85, 91 and 14.
  target.few_places_followed_up_to_bytes = target.streaming_threshold_bytes / 6 * 5;
  target.one_place_followed_beside_slow_blocks_up_to_bytes = target.streaming_threshold_bytes / 3 * 4;
  // Of 7000 random pairs 100 change, 0.89 and 1.02, 59 faster and 23 slower. Shorter runs lose (24 of 26
  // pairs); so do, at AVX2, eight runs of 8-byte elements (34 pairs 0.99 and 0.73).
  if (target.vector_bytes == 64) target.shortest_run_staged_instead_bytes = 1536;
}

/// Copies past the second cache.
void set_zen4_copies(Target& target) {
  // 60 pairs 1.04 and 1.05, six faster and one slower.
  target.widest_copy_bytes = 32;
  target.widest_staged_copy_bytes = 32;
  // 27 of 110 conversions out of tiles of 64 and 128 bytes to rows that begin anywhere 0.53 and 0.64, 19
  // faster and none slower, at AVX2 27, 0.55 and 0.61, 17 and five; of 5000 random pairs six, 1.33 and 1.46.
  target.gathers_lines_written_anywhere = true;
  // 60 pairs 1.39 and 1.42 with 2 KiB, 18 faster and three slower; 72 others 1.62 and 1.73 with 8 instead of
  // 2, 42 and one, at AVX2 64, 1.58 and 1.65, 32 and five. 16 gain as much, 32 less.
  target.far_copy_ahead_bytes = 8192;
}

/// Streaming stores. Unlike a Zen 5 it does not combine halves of lines.
void set_zen4_streaming(Target& target) {
  // 8 MiB. Of 11000 random pairs 25 change, 0.48 and 0.62, 19 faster and four slower, at AVX2 23, 0.45 and
  // 0.60, 19 and two. With 4 MiB, of 7500 others 33, 25 and five, where with 8 21, 18 and two; the next
  // reader pays.
  target.streamed_crowded_rows_from_bytes = target.streaming_threshold_bytes / 3;
  // 14 MiB, beside idle neighbours and busy ones: of 2000 pairs of 13.5 to 17.5 MiB with the next rule 410
  // change, 0.61 and 0.70, 246 faster and 118 slower; 80 of 20 to 24 MiB 0.52 and 0.89, 73 and three.
  target.streamed_rows_from_bytes = target.streaming_threshold_bytes / 12 * 7;
  // 18 MiB: beside idle neighbours, of 1000 pairs of 14 to 24 MiB 141 of 16 to 18 that were staged as well
  // 0.57 and 0.78, 120 faster and nine slower, beside one that copies 4 MiB in turn 72, 0.70 and 0.66, 28 and
  // 32, or 10 MiB 0.58 and 0.74, 59 and nine. With 20 MiB as many lose as gain beside the former.
  target.staged_from_bytes = target.streaming_threshold_bytes / 4 * 3;
  // Of copies of 18 to 24 MiB 34 of whole buffers and long runs were streamed, 0.88, and 1.00 now, 27 faster
  // and three slower, beside a neighbour that copies 4 MiB in turn 1.01 and 0.97, 12 and 11, or 10 MiB 0.87
  // and 0.98, 23 and four. Shorter runs gain by being streamed: 92 of up to 1 KiB 0.72 and 0.85, 67 and 13.
  target.longest_run_copied_early_bytes = 8 * 1024;
  // Of 1500 pairs of 14 to 18 MiB 88 change, 0.66 and 0.77, 56 faster and nine slower, beside neighbours that
  // copy 4, 8 and 10 MiB in turn 0.70 and 0.80, 56 and 14, 61 and six, 62 and nine. More rows gain beside
  // idle neighbours only; from 18 to 24 MiB 96 pairs 0.81 and 0.75, nine and 59.
  target.most_rows_before_blocks_are_staged = 16;
  // Past the last cache 60 pairs 0.78 and 0.88, 36 faster and ten slower; at AVX2 f32 4096x4096 1.6 and 0.31.
  target.streams_without_scratch = target.vector_bytes == 64;
  // With vectors of 64 bytes f32 4096x4096, whose rows are a multiple of 512 bytes apart, 1.35 and 0.72.
  target.streams_spread_rows_only = true;
}

}  // namespace

/// Measured on an EPYC of 1 MiB and 32 MiB of cache; AVX-512 VBMI.
void set_zen4(Target& target) {
  set_zen3_and_zen4(target);
  set_zen4_and_zen5(target);
  set_zen4_networks(target);
  set_zen4_tiles(target);
  set_zen4_shared_tiles(target);
  set_zen4_loops(target);
  set_zen4_turns(target);
  set_zen4_staging(target);
  set_zen4_copies(target);
  set_zen4_streaming(target);
}

}  // namespace relayout::plan
