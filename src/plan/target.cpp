#include "src/plan/target.hpp"

namespace relayout::plan {
namespace {

/// In a Zen 5's last cache f32 1000x1001, tiles of 16 rows, ran at 0.92 of memcpy without prefetch, at 0.77
/// with; bytes 2880x2880, tiles of 64 rows, at 0.16 without, at 0.27 to 0.36 with, and at 0.51 with one of
/// the destination as well. 16-bit 2000x2016, 32 rows, lost by that of the destination: 0.45 to 0.25. Past
/// it, where rows off the lines rule out streaming, a prefetch of the destination made 38 random pairs 1.05
/// times as fast, 7 of them more than 1.1 times and none slower.
///
/// The following with loads and stores under masks. In the second cache the destination's order instead of
/// blocks that the first one's sets do not hold: 23 of 160 random pairs more than a twentieth faster, none as
/// much slower (c128[2,7,16,18]{1,3,2,0:T(16,1)} to {2,0,3,1:T(16,1)} 0.19 and 0.56 of memcpy), but where the
/// rows that are read share sets 13 of 30 transposes slower (c128 128x128 0.68 and 0.46). Rounded tiles
/// without a margin: of 320 pairs in the caches nine faster, two slower (bf16[48,2,6,16,3] into (16,1) tiles
/// 0.33 and 0.60, f64[1000,3,2] 0.60 and 0.47), at AVX2 two slower (bytes [1024,39,78] 0.47 and 0.33). In the
/// last cache, of 160 pairs, shares of the longest loop
/// around others of less than 24 trips: 13 faster, four slower (bf16[20,16,13,64] out of (8,128) tiles 1.9
/// and 3.6); larger rounded tiles where rows share sets: 12 and two (bf16[6,16,94,256] 0.27 and 0.61); turns
/// of nests that write the same lines: ten and none (bf16[6927,49,2] into (16,1) tiles 0.54 and 0.63).
///
/// Copies of runs of 33 to 63 bytes, at AVX2, too, take 2.5 cycles and less, not the 4 that the common cost
/// of a call makes of them: of 290 random pairs in the second cache 14 ran as copies instead of by table
/// shuffles, 1.1 to 1.9 times as fast (f32[144,6,8,12] to [2, 1, 0, 3] 0.50 and 0.80 of memcpy), of 450 in
/// the last one 12, none slower (u8[34,216,1184] reversed to {0,2,1} 0.43 and 0.64). Past it, where lines
/// that two runs share are waited for, eight pairs were faster so and 28 slower.
///
/// Lines of many rows that are written in turn leave a last cache that is shared before both buffers fill
/// three quarters of it. Streamed or staged, 119 random pairs of 20 to 24 MiB ran at 0.57 of memcpy through
/// the cache, at 0.65 so, 42 faster and 11 slower by a twentieth (f32[3,422,256,9]{1,2,3,0} to row-major 0.17
/// and 0.51, bf16[2016,3008] transposed 0.41 and 1.0, bf16[30926,85,2] out of (8) tiles 0.98 and 0.68), 37 of
/// 18 to 20 MiB at 0.46 and 0.58, 14 of 17 at 0.63 and 0.64, 35 of less at 0.79 and 0.73. Copies, and where
/// few places are written, are faster through it (f64[519,2537] 0.95 and 0.75).
///
/// Blocks of tiles that write half of a line are staged in vectors of 32 bytes, which write it whole: five
/// pairs past the last cache 0.61 and 0.86 of memcpy, none slower (f32[12,370,884][2, 0, 1, 2 p(4)] to
/// [1, 2, 0] 0.46 and 0.98).
///
/// Past the last cache copies of less than 128 bytes gain by order, not by blocks: 70 random pairs 0.57 and
/// 0.62 of memcpy, 25 of them faster by a twentieth and one slower (bf16[31,15,26,68,21] to [0, 3, 2, 1, 4]
/// 0.38 and 0.31); at AVX2 0.58 and 0.61, 23 and two. Streamed lines and pairs of lines gain more: of 150
/// conversions of the kind 57 at 0.89 and 1.12, 45 faster and none slower by as much but c128[7,2048,80] to
/// [0, 2, 1, 2 p(4)] (1.04 and 0.95); at AVX2 12 of 60 at 0.93 and 1.27. Three lines and more gain nothing.
/// Permutations of what lies in one stretch on a side, as between packs, are best read in order, too: 25
/// pairs 0.93 and 1.04, 13 faster and three slower by a twentieth (f64[256,47111]{1,0:T(32,128)(4,1)} to
/// {0,1:T(32,128)(4,1)} 0.84 and 1.37, f64[6,1153,512]{2,1,0:T(32,128)(4,1)} to {1,0,2:T(4,1)}, to places 64
/// bytes off multiples of 4 KiB, 0.44 and 0.31); at AVX2 0.88 and 1.00, 11 and four.
///
/// Halves of streamed lines are combined eight stores apart, too: 50 streamed transposes at AVX2 0.85 and
/// 0.95 of memcpy with tiles of one line that take no scratch, 30 of them faster by a twentieth and five
/// slower (f32[256,64,512] to [2, 0, 1] 0.62 and 0.94, f32 320x256x384 0.77 and 0.96, bf16 4096x4096 0.70 and
/// 0.86, bf16[128,256,512] 0.77 and 0.65); with the tiles as they were 0.88.
void set_zen5(Target& target) {
  target.streams_without_scratch = true;
  target.combines_streamed_halves = true;
  target.stages_half_vectors = target.vector_bytes == 64;
  target.streamed_rows_from_bytes = target.streaming_threshold_bytes / 4 * 3;
  target.cached_copy_call_cycles = 1;
  target.scatters_few_bytes_slowly = true;
  target.ordered_far_copy_bytes = 128;
  target.orders_far_stretches = true;
  target.far_runs = FarRuns::kHalfLines;
  target.longest_sweep_past_first_cache_bytes = target.level2_bytes / 8;
  target.sweeps_spread_rows_only = true;
  if (target.vector_bytes == 64) target.rounded_margin = 1;
  target.rounds_rows_of_shared_sets = true;
  target.rounded_margin_of_shared_sets = 0.7;
  target.fewest_trips_without_shares = 24;
  target.rounds_in_last_cache = true;
  target.turns_from_source_sizes = 1.5;
  target.turns_up_to_second_caches = 8;
  target.reads_single_lines = true;
  target.follows_padding = true;
  target.followed_reads = 16;
  target.followed_writes = 32;
  target.followed_far_writes = 8;
  target.masked_up_to_bytes =
      target.vector_bytes == 64 ? target.streaming_threshold_bytes / 6 * 5 : target.level2_bytes;
}

/// How a Golden Cove, a Zen 3 and a Zen 4 write whole lines past the last cache, mostly by staging, and move
/// less twice in the second one; figures with both.
void set_whole_lines(Target& target) {
  target.stages_pairs_of_lines = true;
  target.stages_rows_of_shared_sets = true;
  target.shortest_staged_beside_bytes = 2048;
  target.stages_more_blocks = true;
  target.most_streamed_shuffle_cycles = 0.35;
  target.stages_padded_rows = true;
  target.stages_trimmed_rows = true;
  target.reads_less_twice = true;
}

/// What serves both of the processors below, measured on each; figures with them.
void set_zen3_and_zen4(Target& target) {
  target.rounded_margin = 1;
  target.rounded_margin_of_shared_sets = 0.7;
  target.longest_rounded_run_bytes = 256;
  target.stores_by_address = true;
  target.first_cache_destination_line = 1;
  target.counts_lines_in_source_order = true;
  target.fewest_unequal_blocks = 4;
  target.cuts_last_tiles = true;
  target.keeps_runs_of_shared_sets = true;
  target.counts_nearly_full_sets = true;
  target.splits_padding = true;
  target.least_fetched_for_large_staging = 1;
  target.most_rows_through_last_cache = 1;
  target.streams_copies_early = true;
  target.keeps_scratch_clear = true;
  target.fetches_as_runs_leave = true;
  target.least_overlap_for_equal_parts = 0.08;
  set_whole_lines(target);
}

/// Measured on a Zen 3 (an EPYC of 512 KiB and 32 MiB of cache, of which a virtual machine had some 9 MiB to
/// itself), AVX2. In the second cache 32 random pairs ran at 0.70 of memcpy in blocks, at 0.72 in the
/// destination's order where half of the first cache is read meanwhile. In the last one 65 pairs of at most 9
/// MiB ran at 0.68 with the source always fetched, at 0.70 where the processor follows it (f64[4096,33][1, 0]
/// to [0, 1, 0 p(4)] 0.58 and 0.71), 192 of more than 16 rows at 0.41 and 0.43, but f32 1024x1024, 32 rows 4
/// KiB apart, at 0.26 and 0.18; 105 larger ones at 0.63, with the destination fetched as well at 0.67
/// (u8[100,16,45,24,4] 0.47 and 0.70). 10 rounded tiles ran at 0.66, the tiles that they replace at 0.58.
///
/// Streaming stores to places at multiples of 2 KiB from one another go to one memory channel: 8 such places,
/// a line at a time from 8 rows, were written at 6 GB/s, at 36 where they are 64 bytes further apart, and at
/// 19 through the caches in either case. Runs of 512 bytes at each place, as copies have, do not suffer.
/// Fifteen conversions of 3 to 8 places ran at 0.68 of memcpy streamed, at 1.01 not (f64[32,8,395,64] to
/// [1, 3, 2, 0, 3 p(8)] 0.36 and 1.29); of 16 and more as many lost as won. Longer runs than lines in one
/// call (FarRuns::kByWidth) win and lose: f32 4096x4096 ran 1.12 times as fast a line at a time,
/// f32[64,64,64,64] reversed 0.75 to 0.9 times, 15 random pairs 1.04 times.
///
/// Past the last cache blocks whose runs grow to 512 bytes move 144 random pairs of calls that read 8 runs
/// and more 1.04 times as fast as with 256 (f64[3429,600] transposed 1.46 times), 66 of elements of 16 bytes,
/// 4 runs a call, 0.94 times.
///
/// A scratch that keeps clear of the sets of the first cache through which lines are streamed, and fetches
/// between their stores (striped_scratch.cpp, store_policy.cpp): of 90 unseen transposes past the last cache
/// of 1, 2 and 4 bytes 67 change, 0.54 and 0.70 of memcpy, 63 faster by a twentieth and one slower; 28 of
/// them as it is now 0.61 and 0.85.
///
/// Where a processor has a part of the last cache to itself (followed_rows.cpp) 80 transposes ran at 0.47 of
/// memcpy, at 0.61 with rows to read that are followed.
///
/// Staging as a Golden Cove has it (set_golden_cove): of 2500 random pairs past the last cache 627 change,
/// 0.64 and 0.80 of memcpy, 424 faster by a twentieth and 43 slower. Rule by rule, of 1200 others: more
/// blocks 37 pairs 0.59 and 0.75, 26 and three; of 4000 others 333, 0.68 and 0.85, 229 and 35 (these mostly
/// copies that ran at 1.2 to 1.5: f32[92,13,512,8][0, 2, 3, 1] to [0, 3, 2, 1] 1.47 and 1.00); rows that
/// share sets 37, 0.68 and 0.82, 19 and four, 123 transposes of 4 and 8 bytes 0.48 and 0.80, all faster;
/// pairs of lines 60, 0.83 and 0.89, 29 and 11; trimmed rows 13, 0.63 and 0.69, eight and three; rows with
/// padding 302 of 8000, 0.73 and 0.86, 131 and 24 (u8[4,170,5,64,101] to T(32,128)(4,1) 0.17 and 0.86,
/// f32[256,1024,67]{0,1,2:T(4,1)} to the same 1.20 and 0.66); tiles that read less twice 56, 0.72 and 0.78,
/// 25 and seven, in the caches 41, 0.53 and 0.56, 13 and three; table shuffles of whole lines nine of 4000,
/// 1.13 and 2.01, all faster; boxes beside others from 2 KiB on six, 0.67 and 0.82, four and none.
///
/// Large blocks, however often the plain nest fetches its lines: 69 of 4000 random pairs 0.54 and 0.74, 49
/// faster and three slower, than from 1.2 times on. And in place of usual ones whose runs are shorter than 2
/// KiB: 480 random pairs 1.10 times as fast, 323 of them by a twentieth, 48 slower (runs of less than 320
/// bytes 232 pairs 1.16 times, of 2 KiB and more 56 pairs 1.03 times, 22 and 20).
///
/// Rows to read that blocks of a line would overlap by 8% and more are read whole or in equal parts: of 8000
/// random pairs 178 change, 0.65 and 0.74 of memcpy, 112 faster by a twentieth and 28 slower
/// (u8[7,391,66,90]{2,0,3,1} to {3,0,1,2} 0.37 and 0.71, u8[300,33,100,19][3, 0, 2, 1, 0 p(4)] 0.50 and 0.89;
/// f32[70,15,19,36,18][2, 3, 4, 1, 0] to [1, 4, 3, 0, 2] 1.79 and 0.80). By 3 to 8% 68 of 116 others 0.74 and
/// 0.73, by less 70 of 546 0.84 and 0.77.
///
/// What is fetched while the runs of staged blocks leave: staged_fetch.cpp.
///
/// Rows that share cache sets are written in few lines at a time by tiles that extents of 3, 5 or 24 fill: 67
/// of 3068 random pairs of 1, 2 and 4 bytes in the caches 0.60 and 0.68 of memcpy, 38 faster by a twentieth
/// and eight slower (f32[5,35,8,1024] reversed to [2, 1, 3, 0] 0.14 and 0.27, u8[128,4096,10] out of (4,1)
/// tiles 0.28 and 0.24).
///
/// Halves of vectors are inserted from memory at no more than the whole loads' cost: tiles that read 16 bytes
/// of each row need fewer shuffles, a smaller scratch or none, and overlap less. Of 250 transposes of short
/// rows of 1, 2 and 4 bytes in the second cache 68 change, 0.48 and 0.58 of memcpy, 56 faster by a twentieth
/// and three slower (bf16[1059,52] transposed 0.43 and 0.61); of 200 others, of up to 9 MiB, 40, 0.48 and
/// 0.56, 31 and two; of 500 random pairs of that size 25, 0.56 and 0.63, 15 and two.
///
/// Blocks that end short of the others cost more than longer blocks: 109 random pairs of all sizes with loops
/// of less than four blocks, the last one shorter, ran at 0.86 of memcpy, at 0.89 with these whole where that
/// moves at most a quarter of the second cache: 38 more than a twentieth faster (f32[1024,8,213]{1,0,2} to
/// row-major 0.28 and 0.57, f64[16,8,32,3][3, 1, 2, 0, 1 p(4)] to [0, 2, 1, 3, 0 p(4)] 0.83 and 0.96), 17
/// slower.
///
/// Networks are counted by its own pipes (network_cost.cpp), and vectors are loaded in halves where that
/// saves a pass through the scratch: of 11600 random pairs of 1, 2 and 4 bytes, of up to 120 MiB, 695
/// change, 0.64 and 0.75 of memcpy, 513 faster by a twentieth and 31 slower (bf16[32,9]{0,1} to row-major
/// 0.21 and 0.43, f32[681,24,32,8]{3,2,1,0} to [0, 3, 2, 1, 2 p(16)] 0.67 and 1.17;
/// bf16[128,32,27]{2,1,0:T(8)} to {0,2,1} 0.43 and 0.26); of 2 bytes 443 1.23 times as fast, of 4 bytes 126
/// 1.14 times, of bytes 100 1.07 times, of wider elements none. Among them are 192 rounded tiles, 173
/// faster and three slower, and 90 tiles with padding, 47 and two. Bytes in halves that still take two
/// passes gained nothing in the second cache and little past it (114 pairs 1.02 times, 51 and 27); half by
/// half in one pass (network_phases.hpp) 253 of 1500 random pairs of bytes in the caches 0.45 and 0.52, 203
/// and 16 (u8[32,3,6] into (16,1) tiles 0.19 and 0.38, u8[69,2048] transposed, whose rows to read are 2 KiB
/// apart, 0.33 and 0.15). Rows that share cache sets lost in halves (14 pairs 0.92 times, five and five;
/// rows to read 1 or 2 KiB apart gain). Pieces of 8 bytes that blends put together (loads 2, shuffles 1.5
/// cycles a vector by count) ran bytes no faster than two passes do.
///
/// What fetching ahead gains where a call reads or writes a single run: single_run.cpp.
///
/// Two places and more that are written in turn, and copies, are streamed, or staged, from 22 MiB on. Of 1300
/// random pairs of 13.5 to 25 MiB 722 are planned otherwise than with 14 MiB; 200 of them ran at 0.56 of
/// memcpy then and at 0.73 so, 150 faster by a twentieth and 29 slower (c128[32,27,9,16,4][4, 0, 3, 2, 1] to
/// row-major 0.35 and 0.89); beside another processor that streamed through memory at 0.52 and 0.70, 170 and
/// 21; beside one whose copies took 20 MiB of the last cache for themselves at 0.60 and 0.72, 129 and 60,
/// beside one of 30 MiB at 0.54 and 0.71, 158 and 30. From 20 to 22 MiB lines that are streamed as they are
/// and copies run alike (15 pairs 0.96 times as fast), staged ones 1.23 times (21 pairs). Past that 13 copies
/// are faster streamed, 0.96 and 0.84; from 24 to 34 MiB 67 staged pairs ran alike either way, what is
/// streamed as it is at 0.8 of its speed if left to the caches. (Earlier versions took 14 MiB, from figures
/// in which one run stood between what streams and what is timed: it finds its lines in memory,
/// docs/measuring.md.)
///
/// Lines of the first cache decide on the order of loops in the second one (loops_by_lines.cpp): of 8000
/// random pairs 269 change, 0.63 and 0.70 of memcpy, 159 faster by a twentieth and 21 slower
/// (c128[16,2,8,32][3, 0, 2, 1] to [0, 2, 3, 1, 3 p(16)] 0.28 and 0.92, c128[64,5,32]{1,0,2} into tiles of 8
/// 0.84 and 0.49). A line of the destination that counts as half of one of the source, one or two: 347
/// pairs 1.074, 1.070 and 1.066 times as fast; 111 without the source's order 1.077 instead of 1.088 times.
/// In the last cache 69 of 311 pairs would change, 21 for the better and 23 for the worse.
///
/// Stores in the order of their addresses (jit/store_turns.cpp): of 24000 random pairs in the caches 346
/// change, of which 339 ran at 0.61 of memcpy and at 0.71, 172 faster by a twentieth and two slower
/// (u8[4096,15] to row-major 0.34 and 0.68, bf16[7,24,4,64] to {0,3,2,1} 0.38 and 0.74); of 8000 of 14 to 200
/// MiB 75, of which 69 at 0.93 and 0.97, 21 and one.
void set_zen3(Target& target) {
  set_zen3_and_zen4(target);
  target.shuffle_ports = ShufflePorts::kOneForLanes;
  target.fetches_between_stores = true;
  target.follows_rows_to_read = true;
  target.streamed_rows_from_bytes = target.streaming_threshold_bytes / 12 * 11;
  target.rounds_rows_of_shared_sets = true;
  target.wide_piece_load_cycles = 0.25;
  target.reads_halves_of_vectors = true;
  target.longest_source_sweep_bytes = target.level1_data_bytes / 2;
  target.followed_reads = 16;
  target.followed_reads_up_to_bytes = target.streaming_threshold_bytes / 8 * 3;
  target.followed_writes = 0;
  target.followed_writes_up_to_bytes = target.followed_reads_up_to_bytes;
  target.followed_far_writes = 8;
  target.followed_congruent_streams = 8;
  target.streamed_places_from_bytes = target.streaming_threshold_bytes / 3 * 10;
  target.far_block_run_bytes = 512;
  target.fewest_runs_of_far_blocks = 8;
  target.fetches_single_runs = true;
  target.keeps_fetches_out_of_full_sets = true;
  target.fetches_for_narrow_shuffles = true;
  target.shortest_usual_staged_run_bytes = 2048;
}

/// Measured on a Zen 4 (an EPYC of 1 MiB and 32 MiB of cache, AVX-512 VBMI), which executes 64-byte
/// operations as two halves: f32 64x64 ran at 0.87 of memcpy with 32-byte vectors, at 0.69 with 64. Past the
/// second-level cache whole lines win (f32 1024x1024: 0.31 and 0.43); halves up to 2, 4 or 8 MiB would slow
/// 17 of 100 random pairs each and speed up four.
///
/// What follows, all together: 400 of 660 random pairs of up to 22 MiB change, 0.72 and 0.81 of memcpy, 177
/// faster by a twentieth and 33 slower; past the last cache 200 of 223, 0.96 and 1.14, 116 and 30; at AVX2
/// 300 of 780, 0.67 and 0.77, 183 and 29, and 150 of 250, 0.99 and 1.21, 86 and 19.
///
/// The ports (network_cost.cpp), with halves loaded to save a pass: of 200 random pairs in the second cache
/// 0.84 and 0.88, 47 faster by a twentieth and two slower, past the last one 150 that load halves 0.61 and
/// 0.69, 108 and six. At AVX2 100 pairs 0.61 and 0.71, 76 and four.
///
/// One by one, beside the others, of 4500 random pairs of up to 22 MiB: rounded tiles without a margin 100
/// pairs 0.68 and 0.74, 45 faster and 12 slower, where rows share sets 73, 0.49 and 0.55, 38 and nine; with
/// runs of 256 bytes 100, 0.74 and 0.85, 53 and ten; lines of the first cache decide on the order of loops
/// 93, 0.72 and 0.77, 42 and nine (a line of the destination that counts as two of the source loses, the
/// source's order gains); few unequal blocks 100, 0.80 and 0.83, 33 and seven; runs of rows that share sets
/// 20, 0.63 and 0.70, 13 and four; less read twice 100, 0.76 and 0.81, 40 and 19; turns in the last cache 86,
/// 0.44 and 0.46, 33 and 15; a copy's call 13, 0.75 and 0.85, eight and none; stores by address 60, 0.62 and
/// 0.66, 20 and none; shared padding 56, 0.84 and 1.04, 34 and one; last tiles cut off 46, 0.40 and 0.44, 30
/// and four. Sweeps of half of the first cache in the destination's order lose (100 pairs 1.01 and 0.98), as
/// do masks, fetches of the destination, and rows to read that are followed (60 pairs 0.75 and 0.74, four and
/// 15).
///
/// Past the last cache, of 4400: staging as a Zen 3 has it, rule by rule, boxes that read trimmed rows 60
/// pairs 0.60 and 0.87, 55 faster and two slower; rows with padding 60, 0.83 and 1.17, 43 and seven; rows
/// that share sets 60, 0.65 and 0.81, 43 and ten; more blocks 60, 0.73 and 0.95, 40 and 12; pairs of lines
/// 60, 0.83 and 0.84, 25 and 18; boxes beside others from 2 KiB on 20, 0.81 and 0.88, 11 and six; large
/// blocks however often lines are fetched 60, 0.65 and 0.70, 28 and 24, but not in place of usual ones (0.62
/// and 0.59); equal parts 60, 0.60 and 0.68, 37 and 15, from an overlap of 8% (of 3% 0.83 and 0.80); fetches
/// as runs leave 60, 0.96 and 1.05, 34 and none; a scratch that keeps clear 60, 0.88 and 0.90, 15 and three.
/// As a Zen 5 has it: half lines 60, 1.29 and 1.36, 20 and 15; copies of parts of lines in order 60, 1.33
/// and 1.44, 24 and 13; stretches in order 90, 1.25 and 1.36, 43 and 17, at AVX2 60, 1.14 and 1.26, 27 and
/// 13; no scratch for streamed tiles (streamed_tiles.cpp) 60, 0.78 and 0.88, 36 and ten, but f32
/// 4096x4096 1.35 and 0.72, at AVX2 1.6 and 0.31, since halves of lines are not combined. Copies in vectors
/// of 32 bytes 60, 1.04 and 1.05, six and one; fetched 2 KiB ahead 60, 1.39 and 1.42, 18 and three. The few
/// places of one memory channel that a Zen 3 does not stream are best streamed here: 60 pairs 1.18 and 0.98
/// if not.
///
/// Two places and more that are written in turn, and copies: 80 pairs of 20 to 24 MiB 0.52 and 0.89 of memcpy
/// streamed, or staged, 73 faster and three slower. Of 16 to 17 MiB 13 without copies 0.50 and 0.75, 12 with
/// them 0.57 and 0.66; of 14 to 16 MiB 21 without 0.57 and 0.69, with copies 21 0.66 and 0.63; of less most
/// lose.
void set_zen4(Target& target) {
  set_zen3_and_zen4(target);
  if (target.vector_bytes == 64) target.half_vectors_up_to_bytes = target.level2_bytes;
  target.shuffle_ports = ShufflePorts::kTwoOfHalves;
  target.cached_copy_call_cycles = 1;
  target.far_copy_ahead_bytes = 2048;
  target.widest_copy_bytes = 32;
  target.streamed_rows_from_bytes = target.streaming_threshold_bytes / 3 * 2;
  target.rounds_in_last_cache = true;
  target.turns_from_source_sizes = 1.5;
  target.turns_up_to_second_caches = 8;
  target.takes_narrow_runs_of_wide_elements = true;
  target.streams_without_scratch = target.vector_bytes == 64;
  target.streams_spread_rows_only = true;
  target.far_runs = FarRuns::kHalfLines;
  target.ordered_far_copy_bytes = 128;
  target.orders_far_stretches = true;
}

/// What serves both of the families below; the figures are those of the Cascade Lake.
void set_intel_common(Target& target) {
  target.rounds_in_last_cache = true;
  target.rounded_margin = target.vector_bytes == 64 ? 0.85 : 1;
  target.stores_wait_for_lines = true;
  target.longest_source_sweep_bytes = target.level1_data_bytes / 2;
  target.followed_reads = std::numeric_limits<std::size_t>::max();
  target.fewest_trips_to_fetch_along = 3;
  target.followed_writes = 0;
  target.followed_far_writes = 0;
  target.widest_copy_bytes = 32;
}

/// Measured on a Cascade Lake (AVX-512, 1 MiB and 36 MiB of cache), whose core has few lines under way to a
/// far and slow last cache. There, 60 random pairs ran at 0.87 of memcpy with the source fetched ahead, at
/// 0.89 without, at 0.95 with the destination fetched instead (f32 1000x1001 0.51, 0.66 and 0.98). But a
/// machine whose other cores are at work has a share of that cache only: from 10 of its 36 MiB on memcpy ran
/// more and more as from memory, and 84 pairs there at 1.05 with the source fetched too; to stream them was
/// no faster. Along loops of two trips half of that is in vain: u8[352,24637]{1,0:T(8,128)} to columns ran at
/// 0.42, without at 0.77, 89 of 90 pairs no slower.
///
/// Past it streaming stores keep those lines under way longer than stores through the caches, as long as the
/// processor fetches what is written ahead: ten conversions of 1 to 8 such places ran at 0.94 to 1.10 of
/// memcpy streamed, at 1.12 to 1.40 not, seven of 9 to 16 at 0.58 to 0.95 and 1.02 to 1.67, seven of 24 to 32
/// at 0.47 to 1.10 and 0.45 to 1.32, ten of 48 to 75 at 0.54 to 1.0 and 0.52 to 0.82; transposes, of
/// thousands of places, 0.87 and 0.53. Where whole stretches of at most 150 KiB were filled from as near, 24
/// ran at 0.86 streamed, at 1.01 not. Copies ran at 0.87 in vectors of 64 bytes, at 0.95 in halves of them,
/// with runs of 1 KiB at 1.00 (8 pairs). Blocks there gain nothing: with runs of 256 bytes and 64, f32
/// 4096x4096 0.54 and 0.93, 16-bit elements 0.56 and 0.82, 26 pairs 0.81 and 0.87; nor do tiles of several
/// lines a row: 57 pairs 0.84 and 0.86.
///
/// Where the destination's order writes one place and reads at most 40 in turn, 29 random pairs of 10 MiB and
/// more ran at 1.19 of memcpy in that order, at 1.08 in blocks (u8[21,5926,162]{2,1,0} to {2,0,1} 1.14 and
/// 0.75, none more than a twentieth slower); with 41 to 64 places 7 more at 0.67 and 0.72.
///
/// Of 50 random pairs whose destinations would be staged 20 fetch lines less than 1.2 times into the first
/// cache as they are; those ran at 0.71 of memcpy, staged at 0.64 (u8[77409,185] from tiles of 16 to tiles of
/// 4 1.15 and 0.65); the others at 0.56, staged at 0.61.
///
/// Of buffers that half of the first cache holds vectors are stored in halves, too: f32 32x32 0.47 of memcpy
/// so, 0.41 with halves loaded only, 0.35 without; past the first cache f32 128x128 0.61, 0.73 and 0.73.
///
/// In the second cache, 60 and 70 random pairs in the destination's order where at most half of the first
/// cache is read before the same lines ran at 0.75 and 0.83 of memcpy, in blocks of 256 bytes a side at 0.73
/// and 0.80 (c128[812,25] to tiles of 4 rows 0.97 and 0.76, f64[9,3,4,6,14] 0.78 and 0.57); where more is
/// read, up to a quarter slower (f32[4,9,4,13,9] 0.49 and 0.63; lines count whole: 28 pairs 0.68 and 0.71).
///
/// Rounded tiles waste nothing where others overlap, and their short pieces cost less than such tiles' stores
/// across lines: 25 random pairs whose plans differ ran at 0.83 of memcpy with them, at 0.77 otherwise
/// (u8[19946,24][0, 1] to [1, 0] 0.60 and 0.45, f32[4,4,24,3,23] 0.78 and 0.60); at AVX2 0.75 and 0.74.
void set_intel(Target& target) {
  set_intel_common(target);
  target.shuffle_ports = ShufflePorts::kOne;
  target.stored_halves_up_to_bytes = target.level1_data_bytes / 2;
  target.followed_reads_up_to_bytes = target.streaming_threshold_bytes / 8 * 3;
  target.followed_written_streams = 32;
  target.followed_stretch_bytes = target.level2_bytes / 4;
  target.followed_far_reads = 40;
  target.least_fetched_for_staging = 1.2;
  target.far_block_run_bytes = 64;
  target.far_copy_run_bytes = 1024;
  target.far_runs = FarRuns::kLines;
}

/// Measured on a Granite Rapids (AVX-512 VBMI; 48 KiB, 2 MiB and 480 MiB of cache, of which a virtual machine
/// had some 80 MiB to itself, at 30 GB/s; memcpy past it 14 GB/s, streamed 21). Up to there a Cascade Lake's
/// constants serve: 80 random pairs in the second cache ran at 0.89 of memcpy with them, at 0.74 with those
/// of a Zen 5, and 100 in the last one at 0.99 and 0.91. But all of that share is followed: 61 pairs of 24 to
/// 64 MiB ran at 0.93 of memcpy with the source fetched in software from 24 MiB on, at 0.99 without. Only
/// where short pieces are written it pays: 28 pairs there 1.12 times as fast, two slower
/// (u8[5,154,47,5,51]{1,4,0,3,2:T(8,128)} 0.15 and 0.33).
///
/// There, and in the second cache, blocks that go on along the source first ran 77 pairs at 0.986 of memcpy,
/// the others at 0.974, 21 at 1.00 and 0.99 (f32[8,64,56,56] to NHWC, 64 rows of the source, 0.94 and 0.67;
/// none more than a twentieth slower but one whose figures vary as much anyway).
///
/// There, whole long loops brought outwards walk over many pages, and loops that stay walk over few in turn:
/// with shares of the longest around loops of less than 24 trips 8 of 51 pairs ran more than 1.1 times as
/// fast (c128[10943,128] transposed 0.59 and 0.93, f64[3954,64,5] 0.67 and 0.92), one slower
/// (u8[128,123,16,9,8] 0.62 and 0.51).
///
/// Up to four fifths of the first cache vectors are stored in halves as well, however far apart their rows
/// are: f32 64x64 0.37 and 0.49 of memcpy, 19 transposes that fill more than half of it 0.36 and 0.39, 30 of
/// rows that share sets 0.38 and 0.42 (f32[16,16,2,8] reversed 0.25 and 0.42), 9 at AVX2 0.31 and 0.33; where
/// both buffers fill all of it, f64[8,24,16] 0.50 and 0.39.
///
/// In the second cache rows to write that share sets of the first evict each other, while what is read is
/// fetched again from near: elements of 8 and 16 bytes transposed to such rows ran at 0.56 of memcpy in
/// blocks, at 0.72 in the destination's order (19 pairs; f64[1024,24] 0.69 and 0.99), those of 4 bytes as
/// often faster as slower, bytes slower. Of any width where the first cache's sets do not hold a block, at
/// most an eighth of the second cache is read before the same lines, and at most 1.5 times the lines of
/// blocks are fetched: 70 pairs 1.10 times as fast, 29 of them by more than a twentieth, 11 slower; 56 others
/// 0.66 and 0.69 (bf16[8,16,22,164] 0.53 and 0.85, f32[3,32,2,16,24] 0.50 and 0.92, bytes [16,21,256] 0.72
/// and 0.60). So do copies of two lines and more, up to a little more than the second cache: 76 pairs at 0.91
/// in blocks, at 0.94 so, 26 of them by more than a twentieth, three slower by as much (c128[31,5,7,16,4]
/// reversed 0.55 and 0.93, c128[32,8,4,8]{3,2,1,0} to {3,0,1,2:T(8)} 0.69 and 0.97); larger ones gain and
/// lose alike.
///
/// What these rules choose for permutations there is given up for blocks, longer blocks or the destination's
/// order where that fetches a tenth less into the first cache (loops_by_lines.cpp; an Emerald Rapids of 48
/// KiB and 2 MiB), a line of the destination counting as four of the source, where 3 and 6 chose as well for
/// 2700 random pairs, 2 and 8 worse: of 4200 random pairs 103 change, 0.64 and 0.72 of memcpy, 80 faster by a
/// twentieth and 18 slower (bf16[5,128,78,4][1, 3, 0, 2] to [2, 1, 0, 3] 0.13 and 0.47, f64[149,427]
/// transposed 0.47 and 0.80, c128[32,8,6,5,7]{4,1,2,3,0} to [4, 2, 0, 3, 1] 0.84 and 0.66), at AVX2 0.61 and
/// 0.66, 83 and 18.
///
/// Rows that share cache sets are written in few lines at a time by tiles that extents of 3, 7 or 29 fill: 38
/// of 3150 random pairs get such tiles, 0.85 and 0.96 of memcpy (bf16[7,256,32,85] out of (8,128) tiles to
/// [3, 1, 2, 0], 32 rows 224 KiB apart, 0.16 and 0.76; bytes [8,119,1024,12] 0.36 and 0.65, [32768,29] 0.50
/// and 0.72; three slower, 0.88 to 0.91); 51 at AVX2 0.88 and 0.97. Others write whole lines there even if
/// their tiles overlap: 13 pairs 0.71 and 0.77 (bf16[71,35,17] into (8,128)(2,1) tiles 0.26 and 0.46).
///
/// Past it streaming always wins: 60 pairs at 0.92 of memcpy by a Cascade Lake's rules, at 1.31 as here,
/// where their destinations are never fetched ahead (0.93 of the rate if they are, of f64[8192,863] out of
/// (4,1) tiles half of it); blocks of 256 bytes a side instead of 64 1.04 times as fast (f32[128,49,4096]
/// reversed 1.42 and 2.02); copies in runs of 4 KiB up to 1.3 times (f64[3949,19,256] into (8,128) tiles 1.35
/// and 1.81), and staging also where few lines are fetched again, because it makes whole lines to stream
/// (f64[71,223182] to columns 0.97 and 1.63; bf16[151292,2,93] 1.3 and 0.84). 32 copies ran at 1.34 of memcpy
/// in vectors of 64 bytes, at 1.40 in halves of them, at 1.42 with the source fetched 2 KiB ahead as well
/// (bf16[215,262144] 1.33, 1.60 and 1.85), four of them slower where it does not go on there.
///
/// Blocks of 40 KiB stage what those of 10 KiB cannot hold, as of bytes whole lines to read and runs of 256
/// bytes to write: of 790 random pairs past the last cache of an Emerald Rapids (48 KiB, 2 MiB and 260 MiB)
/// 14 change, 0.40 and 0.53 of memcpy, 12 faster by a twentieth and none slower (bf16[28,463,16,315] out of
/// (4,1) tiles 0.28 and 0.50, u8[2,23,388,54,55] to packs of 4 0.29 and 0.73); at AVX2 nine, 0.50 and 0.54,
/// five and one. Where the plain nest fetches its lines hardly more than once four of six lost
/// (u8[256,245635] transposed into tiles of 8 0.82 and 0.71). What blocks of 10 KiB do hold is slower in
/// larger ones: 50 pairs 0.97 and 0.86.
///
/// Of rows to read that begin on pairs of lines staged blocks of 20 KiB read both: of the same 790 pairs 47
/// change, 0.79 and 0.86 of memcpy, 25 faster by a twentieth and seven slower (f32[100,425,24,29]{2,3,1,0} to
/// [2, 1, 3, 0], whose 96 bytes one line does not hold, 0.42 and 0.68; f32[40238,32,7] to [1, 0, 2, 1 p(4)]
/// 0.95 and 0.75); 97 transposes of 4 and 8 bytes with the next rule 0.72 and 0.92, 95 of them faster, at
/// AVX2 0.70 and 0.90. Rows that begin anywhere lose a tenth so. Rows to read that share the second cache's
/// sets are staged like others (staged_nest.cpp): 60 transposes of 4 and 8 bytes, rows of 16 to 256 KiB, 0.79
/// and 0.94, 54 faster and five slower, at AVX2 0.74 and 0.93.
///
/// Blocks whose rows lie along two axes (16 of a tile's line here, 4 there), whose tiles write 16 bytes and
/// more instead of whole vectors, and whose rows are not cut at a line if they fit: of 1000 random pairs past
/// the last cache of an Emerald Rapids 54 change, 0.66 and 0.81 of memcpy, 40 faster by a twentieth and three
/// slower (bf16[128,18,4,100,59][4, 0, 2, 3, 1, 0 p(4)] to [0, 3, 2, 4, 1] 0.20 and 0.62,
/// u8[22,1171,256,32][2, 0, 1, 3, 2 p(16)] to [1, 2, 3, 0] 0.31 and 0.78, f64[13,83457,21][1, 0, 2] to
/// [1, 2, 0] 0.50 and 0.83; u8[6,68,12,463,29] 0.97 and 0.82), at AVX2 34, 0.62 and 0.72, 20 and six.
///
/// There, too, copies of up to 128 bytes whose lines cannot be streamed, and table shuffles of whole lines
/// and rounded tiles where no network is as cheap: of 1220 random pairs 40 change, 0.61 and 0.72 of memcpy,
/// 27 faster and five slower (f32[117,506,16,15]{3,1,0,2} to [1, 0, 2, 3], copies of 60 bytes, 0.36 and 0.89,
/// f32[19,512,73,9,5][2, 0, 3, 1, 4] to row-major 0.21 and 0.46, u8[3,77,8,536,128] 0.24 and 0.39;
/// f64[52707,463] out of (16,1) tiles 0.63 and 0.53, bf16[7,1151,3746]{0,1,2} to {0,2,1} 0.90 and 0.74), at
/// AVX2 71, 0.61 and 0.74, 52 and seven (bf16[64,82,8192]{0,1,2:T(8,128)} to packs of 16 0.46 and 0.89).
///
/// There, too, boxes beside others whose rows fill whole lines (stages_more_blocks): of 8220 random pairs 55
/// change, 0.78 and 0.80, eight faster and three slower (f32[254,16,141,8,8]{0,1,4,3,2:T(8,128)(2,1)} to [0,
/// 4, 1, 3, 2] 0.35 and 0.60, u8[14014,3,5,512] 0.47 and 0.58; f64[66,128,20,11,3] 0.79 and 0.71), at AVX2
/// 51, 0.76 and 0.79, ten and one.
///
/// Boxes beside others staged from 2 KiB of contiguous bytes on instead of 4 (shortest_staged_beside_bytes):
/// of 8220 random pairs 24 change, 12 faster and five slower (f32[847,36307] out of (8,128)(2,1) tiles 0.51
/// and 0.68, f64[49,43274,7] 0.59 and 0.77, c128[209,29249] 1.40 and 1.72; f64[19209,330] out of
/// (32,128)(4,1) 1.35 and 1.01), at AVX2 ten, 0.73 and 0.80, six and two. From 1 KiB on ten more are faster
/// and six slower, from 512 bytes on three and 19.
///
/// Rows out of tiles that do not divide them, staged whole instead of box by box through the caches: of 1220
/// random pairs there 13 change, 0.70 and 1.04 of memcpy, 11 faster by a twentieth and none slower
/// (f32[16,27951,73] out of (8,128) tiles 0.27 and 0.74, bf16[32,215,16384] out of (32,128)(4,1) 0.28 and
/// 0.77, f32[162,154087] out of (16,1) 0.37 and 0.72).
///
/// Rows and the padding behind them, staged together instead of by a nest each (stages_padded_rows): of 1220
/// random pairs there 26 change, 0.85 and 1.00 of memcpy, 12 faster by a twentieth and three slower
/// (f32[64,256,12,7,19] to T(8) 0.32 and 0.54; bf16[463,826,65] to the same 0.76 and 0.67), at AVX2 31, 0.78
/// and 0.90, 17 and one. Of 3803 that pad their destination 33 single boxes 0.45 and 0.69 (u8[1084140,134][1,
/// 0] to {1,0:T(8)} 0.21 and 0.65), and 179 boxes beside others 0.86 and 0.97, 82 and 11, at AVX2 178, 0.86
/// and 0.95, 81 and ten. Of these, rows that were cut at their last line (suits_whole_padded_rows): u8 53
/// pairs 0.69 and 0.83, 29 faster and one slower, bf16 53, 0.92 and 1.01, 21 and two, f32 in tiles that
/// interleave rows 45, 1.09 and 1.15, 15 and four, in others 18, 1.06 and 0.94, three and six, f64 52, 1.18
/// and 1.12, c128 34, 1.14 and 1.12.
///
/// Boxes share a piece of padding that lies behind several of them, in networks and in staged rows
/// (splits_padding; a Granite Rapids again): of 9000 random pairs past the last cache 97 change, 0.95
/// and 1.20 of memcpy, 49 faster by a twentieth and none slower by as much
/// (f32[40,4,512,16,8]{4,0,3,1,2:T(16,1)} to {2,4,0,3,1:T(16,1)} 0.19 and 1.06, f64[107,17,32,25,7] into T(8)
/// 0.46 and 1.62), of 6000 in the caches 64, 0.90 and 1.09, 31 and two (u8[96,16,67,6] into T(8) 0.19 and
/// 0.71), at AVX2 40 of the former, 0.86 and 1.09, 21 and one, the latter 0.90 and 1.08, 32 and two.
///
/// Longer runs to rows that share cache sets pay for what they overlap themselves, not for what tiles of
/// whole lines do (keeps_runs_of_shared_sets): of 15000 random pairs in the caches 149 change, 0.86 and 0.90
/// of memcpy, 63 faster by a twentieth and 19 slower (f32[2048,153] transposed 0.54 and 0.76, u8[73,32768]
/// 0.49 and 0.69; f32[13,24,20,128] out of (4,1) tiles to packs of 8 0.73 and 0.53), at AVX2 109 of 112, 0.85
/// and 0.89, 43 and 14.
///
/// Table shuffles of whole lines, up to 0.35 cycles a byte (most_streamed_shuffle_cycles), where what is
/// cheaper cannot be streamed: three of the 1220 pairs 0.90 and 1.21 of memcpy (f32[7,4662499] transposed
/// 0.76 and 1.08, f64[115465,16,5] 1.28 and 1.76), bf16[10,10000000] 0.74 and 1.03, at AVX2 two 0.45 and
/// 0.58. Of bytes, 0.39 cycles, u8[12,N] took 0.76 and 0.70 (three lengths, rounded tiles staged).
void set_golden_cove(Target& target) {
  set_intel_common(target);
  target.shuffle_ports = ShufflePorts::kOneForWide;
  target.stored_halves_up_to_bytes = target.level1_data_bytes / 5 * 4;
  target.followed_reads_of_short_writes_up_to_bytes = target.streaming_threshold_bytes / 8 * 3;
  target.source_runs_grow_first = true;
  target.narrowest_swept_bytes = 8;
  target.longest_sweep_past_first_cache_bytes = target.level2_bytes / 8;
  target.first_cache_destination_line = 4;
  target.swept_copies_up_to_bytes = target.level2_bytes / 4 * 5;
  target.fewest_trips_without_shares = 24;
  target.writes_whole_lines_of_shared_sets = true;
  target.rounds_rows_of_shared_sets = true;
  target.rounded_margin_of_shared_sets = 0.7;
  target.rereads_from_second_cache = true;
  target.fetches_pairs_of_lines = true;
  target.fetches_blocks = true;
  target.least_fetched_for_large_staging = 1.2;
  target.keeps_runs_of_shared_sets = true;
  target.splits_padding = true;
  set_whole_lines(target);
  target.rounds_in_first_cache = true;
  target.turns_from_source_sizes = 3;
  target.turns_up_to_second_caches = 2;
  target.far_runs = FarRuns::kPairsOfLines;
  target.far_copy_run_bytes = 4096;
  target.far_copy_ahead_bytes = 2048;
}

}  // namespace

Target make_target(Isa isa, const MachineInfo& machine) {
  Target target;
  target.isa = isa;
  target.vector_bytes = isa == Isa::kAvx2 ? 32 : 64;
  target.registers = isa == Isa::kAvx2 ? 16 : 32;
  target.rounds_in_last_cache = target.vector_bytes == 32;
  target.follows_padding = target.vector_bytes == 32;
  target.line_bytes = machine.line_bytes;
  target.level1_data_bytes = machine.level1_data_bytes;
  target.level2_bytes = machine.level2_bytes;
  target.level1_data_ways = machine.level1_data_ways;
  target.level2_ways = machine.level2_ways;
  target.streaming_threshold_bytes = machine.streaming_threshold_bytes;
  if (machine.cost_model == "zen5") set_zen5(target);
  if (machine.cost_model == "zen3") set_zen3(target);
  if (machine.cost_model == "zen4") set_zen4(target);
  if (machine.cost_model == "intel") set_intel(target);
  if (machine.cost_model == "golden_cove") set_golden_cove(target);
  return target;
}

}  // namespace relayout::plan
