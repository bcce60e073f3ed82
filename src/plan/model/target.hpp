#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "relayout/isa.hpp"
#include "relayout/machine.hpp"
#include "src/plan/machine/kernel_cycles.hpp"
#include "src/plan/network/network.hpp"

namespace relayout::plan {

/// Of a rounded tile's predicted cycles, what its shorter runs may cost beyond them (a Zen 4 at AVX2, before
/// such runs went on past lines).
inline constexpr double kRoundedMargin = 1.2;

/// Longer runs than lines that tiles have past the last cache (preferred_runs.cpp).
enum class FarRuns : std::uint8_t {
  kByWidth,       ///< by the width of elements and vectors
  kHalfLines,     ///< of elements of 8 and 16 bytes half a line read and two written; else as kByWidth
  kLines,         ///< none where rows fill lines, or vectors do
  kPairsOfLines,  ///< two lines on one side, with vectors of 32 bytes for elements of 4 and 8; else as kLines
};

/// Calls with one contiguous run on a side whose source is fetched ahead all the same (single_run.hpp).
enum class FetchedSingleRuns : std::uint8_t {
  kNone,
  kRead,           ///< those that read one
  kReadOrWritten,  ///< those that write one, too; that read one and write 2 to 23 unless they are streamed
};

/// What plans are made for: a value, filled from the machine or by hand. Costs in cycles. Defaults are what
/// processors without a cost model of their own get (cost_models/cost_models.hpp).
struct Target {
  // The instruction set, the machine and its caches.

  Isa isa = Isa::kAvx2;
  int vector_bytes = 32;
  int registers = 16;
  std::int64_t line_bytes = 64;
  std::int64_t level1_data_bytes = 32 * 1024;
  std::int64_t level2_bytes = 1024 * 1024;
  int level1_data_ways = 8;  ///< lines per set
  int level2_ways = 16;
  std::int64_t streaming_threshold_bytes = 24 * 1024 * 1024;

  // Networks: what executes shuffles, the width of vectors, the order of stores.

  ShufflePorts shuffle_ports = ShufflePorts::kSeveral;
  /// Networks of pairs whose buffers together are at most this large use half of a vector.
  std::int64_t half_vectors_up_to_bytes = 0;
  /// Of pairs whose buffers together are at most this large, vectors are loaded and stored in halves of
  /// different rows where that spares shuffles (SplitVectors), of larger ones only loaded. Not where only
  /// passes are to be saved.
  std::int64_t stored_halves_up_to_bytes = 0;
  /// What networks take to load 16 or 32 bytes into a part of a vector, fitted to which tiles are faster.
  double wide_piece_load_cycles = 1;
  /// Networks store what of their vectors is neighbours in memory one after the other (jit/store_turns.cpp).
  bool stores_by_address = false;
  /// A network's scratch keeps clear of the sets of the first cache to which its lines are streamed
  /// (striped_scratch.hpp).
  bool keeps_scratch_clear = false;
  /// In the last cache, table shuffles of 64 bytes that take few shuffles for each store both halves of
  /// what is not streamed by themselves.
  bool stores_halves_of_shuffles = false;
  /// Halves of lines in vectors of 32 bytes are combined though they are streamed a few stores apart.
  bool combines_streamed_halves = false;

  // Tiles and the runs that they have of rows.

  /// Boxes whose elements follow one another on both sides in groups of up to 16 bytes are planned as boxes
  /// of such elements (wide_elements.hpp).
  bool widens_elements = false;
  /// Past the last cache those of elements of up to so many bytes are anyway.
  std::int64_t widest_far_widened_bytes = 0;
  /// Tiles of 64-byte vectors that write rows that share cache sets read one line of a row at a time, and
  /// those that read such rows read and write several (runs_under_masks.hpp).
  bool reads_single_lines = false;
  /// In the second cache, tiles have longer runs than lines only where many rows to write share cache sets:
  /// what is read comes from near if the first cache has evicted it (near_runs.cpp).
  bool rereads_from_second_cache = false;
  /// Before anything else, tiles of elements of up to 4 bytes between rows of at most 288 bytes on one side
  /// and rows that share sets on the other one have the runs of short_rows.hpp.
  bool finds_runs_of_short_rows = false;
  /// In the last cache, loops and tiles of elements of 16 bytes suit few rows on one side where rows share
  /// sets on both (few_rows.hpp).
  bool follows_few_rows = false;
  /// Next, tiles have runs by how far apart rows lie at either side, or nearly lie, where few sets of the
  /// first cache hold them, and loops the order that goes with these runs (runs_by_row_sets.cpp).
  bool finds_runs_by_row_sets = false;
  /// Where a nearly full last cache is left early, bytes to rows that begin anywhere are moved by tiles of a
  /// line each way or, out of rows next to each other, of runs of which whole lines are streamed, instead of
  /// those that suit the caches (long_tiles_of_bytes.cpp).
  bool lengthens_tiles_of_bytes_early = false;
  /// Past the last cache, rows of 16-byte elements that begin anywhere on both sides are left to be
  /// staged, in vectors of 64 bytes too, instead of streamed by runs of 256 bytes.
  bool stages_wide_rows_off_lines = false;
  /// In the last cache, tiles of elements of 8 and 16 bytes have the runs of vectors of 32 bytes whatever
  /// theirs are (preferred_runs.cpp).
  bool takes_narrow_runs_of_wide_elements = false;
  /// In the last cache, tiles of bytes in vectors of 64 bytes do not read a part of a line of each of more
  /// rows than the sets of the first cache that these share have room for (preferred_runs.cpp).
  bool counts_read_lines_in_sets = false;
  /// In the last cache, tiles of narrow elements write two lines of a row at once where rows begin on lines.
  bool fetches_pairs_of_lines = false;
  /// In the last cache, tiles of 2-byte elements in vectors of 32 bytes read 16 bytes of each row
  /// (preferred_runs.cpp).
  bool reads_halves_of_vectors = false;
  FarRuns far_runs = FarRuns::kByWidth;
  /// Networks write no shorter runs than lines where rows to write share cache sets, however much tiles
  /// overlap.
  bool writes_whole_lines_of_shared_sets = false;
  /// Where rows of up to 4 bytes an element share cache sets, tiles of longer runs compete by what they
  /// overlap themselves, and none of shorter runs than lines does whose rows fill a set with their lines
  /// (tile_candidates.cpp).
  bool keeps_runs_of_shared_sets = false;
  /// The rule of keeps_runs_of_shared_sets counts rows that are a few bytes more or less than such strides
  /// apart, too: no tile of shorter runs than lines competes whose rows nearly fill sets (row_sets.cpp), and
  /// longer runs may overlap by a fifth more than tiles of whole lines that do.
  bool counts_nearly_full_sets = false;
  /// In the second cache networks of elements of up to so many bytes write so few rows that the first cache
  /// keeps pace with the stores, however far apart rows are (fewer_rows.hpp); 0: none do.
  std::int64_t widest_stored_at_pace_bytes = 0;
  /// Tiles read shorter runs where they overlap less then (less_overlap.hpp).
  bool reads_less_twice = false;
  /// Boxes in the caches are cut before the last tile where that overlaps the one before it (last_tile.hpp).
  bool cuts_last_tiles = false;
  /// In the caches, boxes of longer rows are cut where a row's last line begins, which is written with the
  /// padding behind it (padded_end.hpp).
  bool cuts_before_padding = false;
  /// Whether writing a few narrow elements to each of many rows that share cache sets is slower than one by
  /// one (tile_cycles.cpp).
  bool scatters_few_bytes_slowly = false;

  // Rounded tiles.

  /// In the caches, rows with padding behind them are moved by rounded tiles with all of it, however many
  /// places that makes (rounded_padded_candidate).
  bool rounds_rows_with_padding = false;

  /// A rounded tile's cycles (rounded_cost.cpp) are taken so many times when others are compared with it.
  double rounded_margin = kRoundedMargin;
  /// The same of tiles whose rows to write lie in few sets of the first cache.
  double rounded_margin_of_few_sets = kRoundedMargin;
  /// In the caches, and by blocks that are staged, stores of a quarter of a vector and less are taken so many
  /// times what tile_cycles.cpp counts, in tiles of powers of two: the quarters are extracted by shuffles.
  double quarter_store_factor = 1;
  /// What rounded_cost.cpp counts for inserts and extracts of 16 bytes and more is taken so many times.
  double lane_insert_factor = 1;
  /// Besides rounded_margin, a rounded tile's cycles are taken so many times where rows to write share cache
  /// sets, whose lines longer runs fill together: f32 [7,13,256,8] took 0.21 cycles a byte rounded, 0.16
  /// otherwise (a Zen 4 at AVX2).
  double rounded_margin_of_shared_sets = 1.4;
  /// Where rows share cache sets rounded tiles are larger, too, and read shorter runs (rounded_cost.cpp).
  bool rounds_rows_of_shared_sets = false;
  /// In the caches and in staged blocks, runs of rounded tiles may go on past a line, up to here, so that
  /// less of their last vectors is left over (long_rounded_tile.cpp); 0: they end with the line.
  std::int64_t longest_rounded_run_bytes = 0;
  /// After each of these runs one half a line shorter is tried, not one of half of its bytes: of three and a
  /// half lines more rows may lie in spread sets than of four.
  bool tries_runs_half_a_line_shorter = false;
  /// In the second cache, where the shorter tile reads whole lines, such tiles do not read pieces of more
  /// rows that share a set of the first cache than that has ways (long_rounded_tile.cpp).
  bool reads_crowded_lines_once = false;
  /// Such tiles leave over at most so much of what shorter ones, or tiles of powers of two, leave over
  /// (rounded_waste). Zen 3: 0.85 would leave out 232 of 437 pairs, which ran 1.06 times as fast.
  double worthwhile_long_waste = 0.95;

  /// Elements that follow one another on both sides and fill no power of two of bytes, like pixels of three,
  /// are moved as one by rounded tiles up to here (spread_units.hpp). Up to 7 bytes each would be copied by
  /// two or three loads and stores: 55 pairs 0.29 and 0.63, at AVX2 54, 0.29 and 0.55 (Granite Rapids).
  std::int64_t longest_spread_unit_bytes = 7;

  /// In the caches elements of 16 bytes are moved one by one where the overlapping tails of a network make it
  /// move so many times the bytes that there are (kernel_choice.cpp); 0: never.
  double least_overlap_of_scalar_moves = 0;

  // Blocks of loops.

  /// A loop that blocks do not divide, and that takes fewer of them than this, is one block if that moves at
  /// most a quarter of the second cache (LoopGoals).
  std::int64_t fewest_unequal_blocks = 1;
  /// LoopGoals::completes_written_runs in the last cache.
  bool completes_written_runs = false;
  /// Blocks lengthen the source's runs before the destination's (LoopGoals).
  bool source_runs_grow_first = false;
  /// What runs of blocks grow to past the last cache; 0: as loop_goals.cpp has it.
  std::int64_t far_block_run_bytes = 0;
  std::int64_t fewest_runs_of_far_blocks = 1;  ///< read by a call, for far_block_run_bytes to be used
  /// With vectors of 64 bytes and far_block_run_bytes 0, blocks of bytes grow past the last cache like those
  /// of 2 and 4 bytes (loop_goals.cpp).
  bool grows_far_blocks_of_bytes = true;
  /// Past the last cache, and in it where followed_reads_up_to_bytes is exceeded, blocks of transposes follow
  /// rows to read further than those to write (followed_rows.hpp).
  bool follows_rows_to_read = false;

  // The order of loops.

  /// In the second cache, loops walk in the destination's order where they read at most so many bytes before
  /// they come back to the same lines of the source (loop_walks.hpp).
  std::int64_t longest_source_sweep_bytes = 0;
  /// In the second cache, loops over elements so wide at least walk in the destination's order however much
  /// is read, where rows to write share cache sets; 0: none do.
  std::int64_t narrowest_swept_bytes = 0;
  /// As longest_source_sweep_bytes, where the sets of the first cache do not hold what a block touches; 0:
  /// blocks stay.
  std::int64_t longest_sweep_past_first_cache_bytes = 0;
  /// Blocks also stay, whatever longest_sweep_past_first_cache_bytes is, where rows to read share cache sets.
  bool sweeps_spread_rows_only = false;
  /// In the second cache, loops of permutations walk in whichever order fetches far fewer lines into the
  /// first cache, a line of the destination counting as so many of the source (loops_by_lines.hpp); 0: as
  /// other rules have it.
  double first_cache_destination_line = 0;
  /// The source's order is one of those that first_cache_destination_line compares, instead of blocks twice
  /// as long.
  bool counts_lines_in_source_order = false;
  /// In the last cache, loops that would write to few sets of the first one in turn go in the destination's
  /// order (written_sets.hpp).
  bool spreads_written_lines = false;
  /// Loops in both caches go on in rows so soon that the first cache keeps pace with the stores
  /// (loops_by_lines.hpp; in the last cache with spreads_written_lines, loop_rules.cpp).
  bool orders_loops_by_pace = false;
  /// In the last cache a pair's only nest is ordered as the side with most of its lines lies, if half of the
  /// second cache holds the other side's (larger_side.hpp) and that fetches hardly more lines into the first
  /// one.
  bool follows_larger_side = false;
  /// In the last cache, shares of the longest loop go around an outermost loop of fewer trips than this, not
  /// that loop itself (OutermostRule); 0: that loop does.
  std::int64_t fewest_trips_without_shares = 0;
  /// Otherwise, in the caches, the longest loop goes around one of few trips only where that makes the runs
  /// longer that are written (OutermostRule::Outwards::kLongestAroundContinued).
  bool lengthens_written_runs = false;
  /// Past the last cache, and where followed_reads_up_to_bytes is exceeded, loops walk in the destination's
  /// order if that writes one place and reads at most so many in turn; copies of far_copy_run_bytes excepted.
  std::int64_t followed_far_reads = 0;
  /// Past the last cache, permutations of which one call reads or writes one stretch walk in the source's
  /// order.
  bool orders_far_stretches = false;

  // Software fetches of the source.

  /// While the last cache holds both buffers, the source is not prefetched by software where one call of a
  /// kernel reads at most this many runs: the processor's own prefetch follows them.
  std::size_t followed_reads = 0;
  /// Where both buffers together are larger than this, the source is prefetched all the same; 0: than
  /// streaming_threshold_bytes.
  std::int64_t followed_reads_up_to_bytes = 0;
  /// As followed_reads_up_to_bytes, of networks that write pieces of at most 16 bytes, 32 of rounded tiles;
  /// 0: as others.
  std::int64_t followed_reads_of_short_writes_up_to_bytes = 0;
  /// The source is prefetched along loops of so many trips at least (LoopGoals).
  std::int64_t fewest_trips_to_fetch_along = 1;
  /// The same past the last cache, whatever it is in the caches.
  std::int64_t fewest_far_trips_to_fetch_along = 1;
  /// Of pairs past the last cache, or larger than followed_reads_up_to_bytes.
  FetchedSingleRuns fetched_single_runs = FetchedSingleRuns::kNone;
  /// Table shuffles of 16-byte pieces prefetch their source like other kernels (prefetch_choice.cpp).
  bool fetches_for_narrow_shuffles = false;
  /// The source of streamed permutations is fetched between their stores (SourceFetches).
  bool fetches_between_stores = false;

  // Software fetches of the destination, and of both sides.

  /// As followed_reads, of runs written. By default the destination is never prefetched.
  std::size_t followed_writes = std::numeric_limits<std::size_t>::max();
  /// Runs that are written are followed anyway, whatever their number, where the last cache holds both
  /// buffers and together they are at most this large.
  std::int64_t followed_writes_up_to_bytes = 0;
  /// As followed_writes, past the last cache, where the destination is not streamed.
  std::size_t followed_far_writes = std::numeric_limits<std::size_t>::max();
  /// What is written is fetched ahead from the second cache, too: stores do not overlap their waiting for
  /// lines.
  bool stores_wait_for_lines = false;
  /// Among what is fetched so are the runs of long copies and fills, as they go on.
  bool fetches_long_runs_from_second_cache = false;
  /// Permutations between rows fetch the lines of the next block row by row (fetched_block.hpp).
  bool fetches_blocks = false;
  /// In the caches nests that are not staged fetch nothing ahead into sets of the first one of which a call's
  /// own lines have half (fetched_sets.hpp).
  bool keeps_fetches_out_of_full_sets = false;

  // Loads and stores under masks, which the processor's own prefetch does not follow.

  /// Pairs past the first cache whose buffers together are at most this large are moved under masks
  /// (masked_access.hpp); 0: none.
  std::int64_t masked_up_to_bytes = 0;

  // Copies.

  /// Of loop control around a copy of more than 32 bytes where a cache holds both buffers.
  double cached_copy_call_cycles = kCall;
  int widest_copy_bytes = 64;  ///< of vectors of copies past the second cache, staged runs excepted
  /// Copies of runs of two lines and more walk in the destination's order where both buffers together are at
  /// most this large.
  std::int64_t swept_copies_up_to_bytes = 0;
  /// What the contiguous runs of copies' blocks grow to past the last cache; 0: as loop_goals.cpp and
  /// far_copy.cpp have it.
  std::int64_t far_copy_run_bytes = 0;
  /// Past the last cache, copies of at most so many bytes are not blocked: of whole lines they walk in the
  /// source's order, else in the destination's if that reads a few places in turn (loop_walks.hpp); 0: none.
  std::int64_t ordered_far_copy_bytes = 0;
  /// But copies of whole lines that are not streamed, since they begin anywhere, are moved in blocks, unless
  /// the destination's order reads few places in turn.
  bool gathers_lines_written_anywhere = false;
  /// Streamed copies fetch their source so far ahead where it goes on, or where a run has twice as many
  /// bytes; 0: they leave it to the processor.
  std::int64_t far_copy_ahead_bytes = 0;

  // What is staged.

  int widest_staged_copy_bytes = 64;  ///< of vectors of staged runs as they leave the scratch
  /// Destinations are staged (staged_nest.hpp) where a plain nest fetches lines into the first cache so many
  /// times on average.
  double least_fetched_for_staging = 1;
  /// Boxes are staged beside others that write into their lines only where they write so many contiguous
  /// bytes: bf16[36980,376][0,1] into (8,128)(2,1) tiles ran at 0.12 of memcpy staged beside the box of its
  /// last columns, and at 0.47 not; six pairs whose other boxes lie further off at 0.69 and 0.50.
  std::int64_t shortest_staged_beside_bytes = 4096;
  /// Tiles that write half of a vector are staged, too, in vectors of that width.
  bool stages_half_vectors = false;
  /// Networks of powers of two put staged blocks together in vectors of 32 bytes, not of 64, unless rows to
  /// read share cache sets (block_kernel.cpp).
  bool splits_vectors_of_blocks = false;
  /// Blocks are moved by rounded tiles that are predicted to be faster than networks of powers of two
  /// (block_kernel.cpp), not only where no such network fits.
  bool rounds_tiles_of_blocks = false;
  /// Blocks are staged, too, whose rows to read share sets of the second cache that do not hold a line of
  /// each.
  bool stages_rows_of_shared_sets = false;
  /// Blocks are also staged whose rows lie along two axes, and whose tiles write 16 bytes and more at once;
  /// axes that fit whole into a block are not cut at lines. So are short copies, what no network moves
  /// cheaply, by the kernels of block_kernel.cpp, and boxes beside others whose rows fill whole lines.
  bool stages_more_blocks = false;
  /// Past the last cache destinations are staged that are larger than half of it, of elements of up to 2
  /// bytes those that are larger than this; 0: than half.
  std::int64_t narrow_destinations_staged_from_bytes = 0;
  /// What writes and reads few places in turn (staged_nest.cpp), through the caches, is not staged where both
  /// buffers together are at most so large: the processor fetches the lines ahead.
  std::int64_t few_places_followed_up_to_bytes = 0;
  /// The same of what writes one place after the other where the block's kernel would be slow.
  std::int64_t one_place_followed_beside_slow_blocks_up_to_bytes = 0;
  /// Rows to write are staged together with the padding behind them (padded_rows.hpp), also of boxes beside
  /// others whose lines are then theirs alone.
  bool stages_padded_rows = false;
  /// So are rows of which a tile would take padding along, where with all of it they have at least so many
  /// times the places that the tile has; 0: never.
  double least_places_left_to_stage = 0;
  /// Rows to write that a tile's end trims are staged whole, instead of box by box through the caches.
  bool stages_trimmed_rows = false;
  /// Nests that stream the whole lines of their runs, whose ends go through the caches, are staged where
  /// blocks leave in runs of at least so many bytes; 0: not at all.
  std::int64_t shortest_run_staged_instead_bytes = 0;
  /// Where stages_more_blocks is set, copies of at most so many bytes are staged. Most of the lines that
  /// longer ones write are whole as they are.
  std::int64_t longest_staged_copy_bytes = 128;

  // The blocks that are staged.

  /// What blocks of the usual size cannot stage is staged in large ones (BlockRoom) where it fetches lines so
  /// many times; 0: never, but for equal parts.
  double least_fetched_for_large_staging = 0;
  /// What blocks of the usual size stage in shorter runs than this is staged in large ones, too, if these
  /// have longer runs.
  std::int64_t shortest_usual_staged_run_bytes = 0;
  /// Where blocks of a line overlap by at least this fraction of the bytes of rows to read, large blocks read
  /// these rows whole or in equal parts (BlockRoom::equal_parts); 0: nowhere.
  double least_overlap_for_equal_parts = 0;
  /// Staged runs along a row that would meet within lines overlap (Staging::overlap_bytes).
  bool overlaps_staged_runs = false;
  /// Blocks are staged in the source's order where blocks of them would cut the loop along a row, and with it
  /// the runs that overlap.
  bool orders_blocks_to_overlap = false;
  /// Staged blocks read two lines of each row where rows begin on pairs of lines.
  bool stages_pairs_of_lines = false;
  /// Staged blocks fetch what so many of them or more that follow one another will read, in a loop further
  /// out if there are fewer: 24 pairs on a Zen 4 ran at 0.52 of memcpy where the next block was always
  /// fetched, at 0.56 with five (f64[32,1143,20,12][1,3,2,0] to [1,0,2,3] 0.38 and 0.89).
  std::int64_t fewest_blocks_to_fetch_along = 5;
  /// Past the last cache, stretches of the source of at most so many bytes that a few staged blocks read are
  /// fetched line by line (fetched_region.hpp); 0: none.
  std::int64_t longest_fetched_region_bytes = 0;
  /// Where each block reads one stretch and the next goes on there, the source is also fetched while a
  /// block's runs leave (staged_fetch.hpp).
  bool fetches_as_runs_leave = false;

  // What is streamed where the last cache just holds both buffers.

  /// Permutations that write several places in turn are streamed where both buffers together are larger than
  /// this, even if the last cache holds them, and all of a pair of which much is padding; 0: they are not.
  std::int64_t streamed_rows_from_bytes = 0;
  /// From streamed_rows_from_bytes on, permutations that write more places in turn than this
  /// (count_written_streams) are streamed. On a Zen 5 101 random pairs of 18 to 24 MiB gained most so; with
  /// more than one place 40 of them lost.
  std::int64_t most_rows_through_last_cache = 8;
  /// The same up to staged_from_bytes, if that is more. A pair of which nothing is streamed then is planned
  /// as if the last cache held it with room to spare (planner.cpp).
  std::int64_t most_rows_before_blocks_are_staged = 0;
  /// Where both are larger than this, too, what may be staged is, and copies are streamed if
  /// longest_run_copied_early_bytes says so.
  std::int64_t staged_from_bytes = 0;
  /// Copies of runs of up to so many bytes are streamed so, also where their sources are mostly padding.
  std::int64_t longest_run_copied_early_bytes = 0;
  /// Where both buffers together are larger than this, nests that jump from row to row of the destination,
  /// whose lines crowd a few sets of the second cache (crowded_rows.hpp), are streamed; 0: they are not.
  std::int64_t streamed_crowded_rows_from_bytes = 0;

  // What is streamed past the last cache.

  /// Past the last cache, nests that write at most this many places in turn (count_written_streams) are not
  /// streamed: the processor fetches their lines ahead.
  std::int64_t followed_written_streams = 0;
  /// Where followed_written_streams is not 0, nests that fill stretches of at most this length one after the
  /// other (fills_stretches) are not streamed past the last cache either.
  std::int64_t followed_stretch_bytes = 0;
  /// Past the last cache, permutations that write at most so many places, all of them on one channel of the
  /// memory (walks_congruent_stretches), are not streamed.
  std::int64_t followed_congruent_streams = 0;
  /// Of the permutations that followed_congruent_streams keeps from being streamed, those are streamed
  /// nevertheless that write one or two places a call, or 256 bytes at each, and some of those that write up
  /// to four places where both buffers together are larger than this (one_channel.cpp); 0: none.
  std::int64_t streamed_places_from_bytes = 0;
  /// Past the last cache, table shuffles of whole lines that take at most so many cycles a byte, as
  /// predicted, are preferred to what cannot be streamed.
  double most_streamed_shuffle_cycles = 0;
  /// Tiles whose lines are streamed read runs short enough for the registers, without a scratch, whose stores
  /// hold the streamed ones up (streamed_tiles.hpp).
  bool streams_without_scratch = false;
  /// Lines are streamed in vectors of 32 bytes, not of 64, where long rows of elements of up to 4 bytes go to
  /// long rows, with the runs of such vectors (streamed_tiles.hpp), and where those of 64 take a scratch
  /// (complete_network.cpp).
  bool splits_vectors_to_stream = false;
  /// Where rows fill lines, tiles of streams_without_scratch are not of bytes, nor of rows to write a
  /// multiple of 512 bytes apart; those of four bytes, from where stores are streamed on.
  bool streams_spread_rows_only = false;

  // Padding, and nests that take turns.

  /// Boxes are moved with the padding behind their runs also where it is a part of a piece, whose rest lies
  /// behind others (padded_box.cpp).
  bool splits_padding = false;
  /// Groups of elements with gaps behind them at the source are read with these (gapped_box.hpp).
  bool reads_gaps = false;
  /// Data in padding that is most of the destination are written in its order (planner.cpp).
  bool follows_padding = false;
  /// In the last cache they are, too, where that fetches hardly more lines into the first one.
  bool follows_padding_if_near = false;
  /// Nests that write parts of the same lines take turns from the second cache on (rounds.cpp), not only past
  /// the last one.
  bool rounds_in_last_cache = false;
  /// Nests take no such turns where these would be scattered over many places (rounds.cpp), unless the
  /// first cache holds what they write in each.
  bool avoids_scattered_rounds = false;
  /// Rounds of nests that write parts of the same lines are so short in the last cache that the first cache
  /// holds what they write; padding goes first where it is most of that.
  bool rounds_in_first_cache = false;
  /// In the last cache data and padding are written in the destination's order where they can take turns so,
  /// if the destination is at least so many times the source's bytes (0: never), and the source at most
  /// turns_up_to_second_caches times the second cache's (may_turns_pay).
  double turns_from_source_sizes = 0;
  std::int64_t turns_up_to_second_caches = 0;
  /// But not where that fetches more lines of the source into the first cache than otherwise, by this share
  /// of all lines; 0: however many (rounds.cpp).
  double most_source_lines_added_by_turns = 0;
  /// Where an outermost loop has fewer trips than that takes, shares of one further in are what nests take
  /// turns by, so that each round writes in several places (turns.hpp); at most so many. 0: they do not.
  std::int64_t most_places_of_turns = 0;
  /// Pieces of padding take turns where data do not take part in them.
  bool padding_takes_turns = false;

  bool is_short_of_shuffles() const { return plan::is_short_of_shuffles(shuffle_ports); }
  NetworkTarget network_target(int bytes) const { return {isa, bytes, registers, shuffle_ports}; }
};

}  // namespace relayout::plan
