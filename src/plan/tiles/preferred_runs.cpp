// Rows that share cache sets. Lines 4 KiB apart share one set of the first cache, lines 2 KiB apart two: rows
// of one line each evict each other, and a line that was fetched to be written may be gone before its store's
// turn. Lines that are next to each other lie in different sets, and are fetched together. Stores alone, 16
// rows 4 KiB apart, 4 MiB, on a Zen 5 (12 ways, 2 MiB pages): 26 GB/s one line a row at a time, 41 with two,
// 62 with four; loads 30, 49, 59.
//
// Figures in the tables are ratios to memcpy: with a line a row, and with the runs given. Those of 64-byte
// vectors are of a Zen 5, those of 32-byte vectors of a Zen 4 (8 ways).

#include "src/plan/tiles/preferred_runs.hpp"

#include <algorithm>

#include "src/plan/machine/line.hpp"
#include "src/plan/tiles/fetched_block.hpp"
#include "src/plan/tiles/few_rows.hpp"
#include "src/plan/tiles/long_tiles_of_bytes.hpp"
#include "src/plan/tiles/near_runs.hpp"
#include "src/plan/tiles/one_channel.hpp"
#include "src/plan/tiles/row_sets.hpp"
#include "src/plan/tiles/runs_by_row_sets.hpp"
#include "src/plan/tiles/runs_by_width.hpp"
#include "src/plan/tiles/runs_under_masks.hpp"
#include "src/plan/tiles/short_rows.hpp"
#include "src/plan/tiles/streamed_tiles.hpp"

namespace relayout::plan {
namespace {

/// Half as many rows share a set when they are half the span apart: too few where elements are wide. Rows to
/// write 2 KiB apart with 64-byte vectors: bytes 0.27 and 0.48, 2-byte elements 0.43 and 0.55, 4 bytes 0.55
/// and 0.64, nothing from 8 bytes on.
std::int64_t span_bytes_up_to(std::int64_t widest_bytes, std::int64_t element_bytes) {
  return element_bytes <= widest_bytes ? kSetSpanBytes / 2 : kSetSpanBytes;
}

/// In the caches, 64-byte vectors, rows to write in one set. Transposes of 1 to 8 MiB, 4 or 8 KiB apart; in
/// the second cache the gains are as large.
constexpr LimitsByWidth kWideWrittenInOneSet = {{
    TileRunLimits{32, 256},   // 0.15 and 0.39
    TileRunLimits{64, 256},   // 0.27 and 0.47
    TileRunLimits{128, 256},  // 0.31 and 0.53
    TileRunLimits{128, 256},  // 0.32 and 0.56
    TileRunLimits{128, 256},  // 0.31 and 0.61
}};

/// Rows to write nearly in one set; they do not begin on lines, and take a line more each.
constexpr LimitsByWidth kWideWrittenNearly = {{TileRunLimits{64, 128}, TileRunLimits{32, 256},
                                               TileRunLimits{32, 256}, std::nullopt, TileRunLimits{32, 256}}};

/// Those where the rows to read share sets as well, nearly or not.
constexpr LimitsByWidth kWideBothNearly = {{TileRunLimits{64, 128}, TileRunLimits{32, 256},
                                            TileRunLimits{128, 256}, TileRunLimits{128, 256},
                                            TileRunLimits{32, 256}}};

/// Only rows to read in one set.
constexpr LimitsByWidth kWideReadInOneSet = {{TileRunLimits{128, 64}, TileRunLimits{128, 64},
                                              TileRunLimits{128, 256}, TileRunLimits{256, 256},
                                              std::nullopt}};

std::optional<TileRunLimits> runs_of_wide_vectors(const Box& box, const MicroTile& tile,
                                                  std::int64_t element_bytes) {
  const std::int64_t written_span = span_bytes_up_to(4, element_bytes);
  const RowSets written = row_sets(box, tile, &Axis::destination_stride, written_span);
  const RowSets read = row_sets(box, tile, &Axis::source_stride, kSetSpanBytes);
  if (written == RowSets::kOne) return limits_of(kWideWrittenInOneSet, element_bytes);
  if (written == RowSets::kNearlyOne)
    return limits_of(read == RowSets::kSpread ? kWideWrittenNearly : kWideBothNearly, element_bytes);
  return read == RowSets::kOne ? limits_of(kWideReadInOneSet, element_bytes) : std::nullopt;
}

// In the caches, 32-byte vectors; rows that nearly share sets alike. 44 transposes of 1 to 16 MiB, of all
// three kinds: bytes 0.38 and 0.42, 2-byte elements 0.37 and 0.44, 4 bytes 0.35 and 0.47, 8 bytes 0.41 and
// 0.59, 16 bytes 0.53 and 0.73.

/// Written rows that share sets want few of them to be open.
constexpr LimitsByWidth kNarrowWritten = {{TileRunLimits{16, 256}, TileRunLimits{32, 256},
                                           TileRunLimits{32, 256}, TileRunLimits{64, 256},
                                           TileRunLimits{64, 256}}};

/// Rows read that do want all of several lines to be used at once.
constexpr LimitsByWidth kNarrowRead = {{std::nullopt, TileRunLimits{128, 64}, TileRunLimits{128, 64},
                                        TileRunLimits{32, 64}, TileRunLimits{32, 64}}};

constexpr LimitsByWidth kNarrowBoth = {{std::nullopt, TileRunLimits{128, 128}, TileRunLimits{128, 128},
                                        TileRunLimits{64, 256}, TileRunLimits{64, 256}}};

std::optional<TileRunLimits> runs_of_narrow_vectors(const Box& box, const MicroTile& tile,
                                                    std::int64_t element_bytes, const Target& target) {
  const std::int64_t written_span = span_bytes_up_to(4, element_bytes);
  const std::int64_t read_span = span_bytes_up_to(2, element_bytes);
  const bool written = row_sets(box, tile, &Axis::destination_stride, written_span) != RowSets::kSpread;
  const bool read = row_sets(box, tile, &Axis::source_stride, read_span) != RowSets::kSpread;
  if (!written && !read) return std::nullopt;
  // Where 32 registers hold such tiles, rows of bytes to read 4 KiB apart want two lines, too: six
  // transposes 0.35 and 0.44 (Zen 4, AVX-512 VBMI, in the second cache).
  if (element_bytes == 1 && !written && target.registers == 32 && read_rows_share_sets(box, tile))
    return limits_of(kWideReadInOneSet, element_bytes);
  const LimitsByWidth& limits = written && read ? kNarrowBoth : written ? kNarrowWritten : kNarrowRead;
  return limits_of(limits, element_bytes);
}

std::optional<TileRunLimits> runs_of_shared_sets(const Box& box, const MicroTile& tile,
                                                 std::int64_t element_bytes, const Target& target,
                                                 bool wide) {
  return wide ? runs_of_wide_vectors(box, tile, element_bytes)
              : runs_of_narrow_vectors(box, tile, element_bytes, target);
}

constexpr std::int64_t kOnePassBytes = 256;

/// Tiles of 8 x 16 elements of 2 bytes, where halves of vectors are loaded at little cost: 92 random pairs on
/// a Zen 3 1.12 times as fast as by tiles of 32 x 16, 63 faster by a twentieth and three slower
/// (bf16[36854,90] 0.30 and 0.39). Of 26 whose rows to write are a multiple of 512 bytes apart nine gain and
/// seven lose, of 69 whose runs are shorter 16 and 24; tiles of 8 x 32 gain 1.02 times, of bytes and of 4 and
/// 8 bytes such tiles lose.
constexpr TileRunLimits kHalfVectors{16, 32};

bool suits_half_vectors(const Box& box, const MicroTile& tile, const Target& target) {
  if (target.vector_bytes != 32 || !target.reads_halves_of_vectors) return false;
  constexpr std::int64_t kElementBytes = 2;
  const auto half = power_of_two_tile(box, kElementBytes, target, kHalfVectors);
  const std::int64_t elements =
      kHalfVectors.source_bytes / kElementBytes * kHalfVectors.destination_bytes / kElementBytes;
  return half && half->elements() == elements &&
         row_sets(box, tile, &Axis::destination_stride, kSetSpanBytes / 8) != RowSets::kOne;
}

/// Whether lines of which a call with these runs of bytes reads a part are gone before the next calls come
/// for the rest.
bool loses_lines_to_read(const Box& box, const TileRunLimits& limits, const Target& target) {
  constexpr std::int64_t kElementBytes = 1;
  const auto tile = power_of_two_tile(box, kElementBytes, target, limits);
  return tile && outgrows_a_set(box, *tile, &Axis::source_stride, target);
}

/// In the caches, rows that share no sets.
std::optional<PreferredRuns> runs_of_spread_rows(const Box& box, const MicroTile& tile,
                                                 const PairSizes& sizes, const Target& target, bool wide) {
  const std::int64_t element_bytes = sizes.element_bytes;
  const bool last = sizes.residence == Residence::kLastCache;
  if (element_bytes == 1 && wide && last) {
    if (suits_long_tiles_of_bytes(box, sizes, target)) return runs_of_long_tiles_of_bytes(box);
    // 64 x 16 in one pass against 64 x 64 in two: nine transposes 0.42 and 0.55, 21 random pairs 1.06 times
    // as fast. A line to read serves four calls, and no prefetch was needed.
    const PreferredRuns one_pass{{16, 64}, "tiles of 16 rows to write are moved in one pass"};
    if (target.counts_read_lines_in_sets && loses_lines_to_read(box, one_pass.limits, target))
      return of_few_sets(*limits_of(kWideReadInOneSet, element_bytes));
    return one_pass;
  }
  if (element_bytes != 2) return std::nullopt;
  // Nine transposes 0.53 and 0.64, 27 random pairs 0.57 and 0.58; with 32-byte vectors 0.48 and 0.56. Tiles
  // that one pass moves anyway only lose: bf16[8,100,64,10][1,2,3,0] into {3,0,2,1:T(4,1)} 0.47 and 0.97
  // (AVX2).
  if (last && tile.elements() * element_bytes <= kOnePassBytes) return std::nullopt;
  if (sizes.leaves_last_cache_early()) return std::nullopt;
  // On a Zen 5 under masks 5 transposes 0.75 and 0.88; rows that begin anywhere lose as often as they gain.
  if (last && wide && target.reads_single_lines && has_long_rows_on_lines(box, element_bytes))
    return PreferredRuns{{32, 32}, "so few rows are moved in one pass"};
  if (last && suits_half_vectors(box, tile, target))
    return PreferredRuns{kHalfVectors, "halves of vectors are loaded at little cost"};
  if (last)
    return PreferredRuns{{64, 32},
                         "so few rows are moved in one pass and followed by the processor's prefetch"};
  // A tile of 32 x 32 needs a pass through scratch anyway, so twice as many rows cost nothing: 18 transposes
  // 0.51 and 0.58. Halves of vectors have registers for all of one, but where rows to write are 1 KiB apart
  // seven pairs ran at 0.72 so, at 0.57 without (Zen 4).
  const bool few_sets = target.registers == 32 &&
                        row_sets(box, tile, &Axis::destination_stride, kFewSetsBytes) == RowSets::kOne;
  if (wide || few_sets) return PreferredRuns{{64, 128}, "lines next to each other are written together"};
  return std::nullopt;
}

/// In the last cache of a Granite Rapids, whose second cache fetches lines in pairs: rows that begin on lines
/// on both sides, whether they share sets or not. 14 transposes of bytes 0.67 and 0.78 of memcpy with runs
/// of two lines written (AVX2 0.63 and 0.71), 49 of 2 bytes 0.69 and 0.76 with two lines read as well (43 at
/// AVX2 0.62 and 0.74; 4096x4096 0.49 and 0.56). Rows that begin anywhere lost: 18 of bytes 0.83 and 0.70, 14
/// of 2 bytes 0.79 and 0.71.
std::optional<PreferredRuns> pairs_of_lines_in_last_cache(const Box& box, const PairSizes& sizes,
                                                          const Target& target) {
  const bool narrow = sizes.element_bytes <= 2;
  if (!target.fetches_pairs_of_lines || !narrow || sizes.residence != Residence::kLastCache)
    return std::nullopt;
  if (!source_rows_begin_on_lines(box) || !destination_rows_begin_on_lines(box)) return std::nullopt;
  return PreferredRuns{{sizes.element_bytes * kLineBytes, 2 * kLineBytes},
                       "lines next to each other are fetched together"};
}

/// Past the last cache, 64-byte vectors. Longer runs lost for narrow elements (2 bytes, 64 MiB: 0.94 and
/// 0.58). Wide ones, whose tiles are small: 8 bytes 0.59 and 0.65, 3000x4000, which is streamed, 1.25 and
/// 1.48; 16 bytes 0.87 and 1.05.
std::optional<PreferredRuns> far_runs_of_wide_vectors(const Box& box, const MicroTile& tile,
                                                      std::int64_t element_bytes, const Target& target) {
  if (element_bytes < 8) return std::nullopt;
  // Blocks suit them better: c128[1057,1227] 0.75 and 1.40 of memcpy.
  if (element_bytes == 16 && target.stages_wide_rows_off_lines && !source_rows_begin_on_lines(box) &&
      !destination_rows_begin_on_lines(box))
    return std::nullopt;
  const bool streams =
      element_bytes == 8 && tile.destination_run_bytes >= kLineBytes && destination_rows_fill_lines(box);
  return PreferredRuns{{streams ? 64 : 32, 256}, "lines next to each other are written together"};
}

bool elements_follow_on_both_sides(const Box& box, std::int64_t element_bytes) {
  return std::ranges::any_of(box.axes, [element_bytes](const Axis& axis) {
    return axis.extent > 1 && axis.follows_on_both_sides(element_bytes);
  });
}

/// With vectors of 32 bytes half lines are for rows of 16 bytes that are written by more than the two lines,
/// and for those of 8 bytes to read that share cache sets: f64[1000,4,1040] to {0,2,1} 1.32 and 0.86 of
/// memcpy, c128[5,55,31,128] out of (4,1) tiles to packs of 4 1.11 and 0.57.
bool suits_narrow_half_lines(const Box& box, const MicroTile& tile, std::int64_t element_bytes) {
  if (element_bytes == 8) return read_rows_share_sets(box, tile);
  return has_row(box, &Axis::destination_stride, 2 * kLineBytes + element_bytes, element_bytes);
}

/// The same on a Zen 5. Streamed transposes with the runs above: 8 of 8 bytes 0.88 of memcpy, 1.10 so (f64
/// 4096x4096 0.90 and 0.99), 8 of 16 bytes 1.26 and 1.37; at AVX2, a line each way before, three of 8 bytes
/// 0.79 and 1.0, 8 of 16 bytes 1.0 and 1.33. Of 16 bytes to rows that begin anywhere one 0.86 and 0.79. Where
/// elements follow one another on both sides half lines are no more than these: f64[5568,1203] out of (4,1)
/// tiles 1.39 and 0.93.
std::optional<PreferredRuns> far_half_lines(const Box& box, const MicroTile& tile, std::int64_t element_bytes,
                                            bool wide) {
  if (element_bytes < 8 || elements_follow_on_both_sides(box, element_bytes)) return std::nullopt;
  if (!destination_rows_fill_lines(box) && (element_bytes == 16 || !wide)) return std::nullopt;
  if (!wide && !suits_narrow_half_lines(box, tile, element_bytes)) return std::nullopt;
  return PreferredRuns{{kLineBytes / 2, 2 * kLineBytes}, "lines next to each other are written together"};
}

/// The same on a Granite Rapids: 15 random pairs of bytes with a line of each row 0.79 and with two lines
/// read 0.89 of memcpy (one in two lines written 0.79), 11 of 2 bytes with two lines written 1.07 and 1.15,
/// 16 of 4 bytes 1.06 and 1.13, 10 of 8 bytes 1.19 and 1.22, 13 of 16 bytes 1.54 and 1.51. Of 2 bytes to rows
/// that begin anywhere, whose blocks are fetched anyway, 27 transposes 0.60 and with a line each way 0.72, 24
/// of them faster by a twentieth and none slower (Emerald Rapids).
std::optional<PreferredRuns> far_pairs_of_lines(const Box& box, std::int64_t element_bytes, bool fetched) {
  if (element_bytes > 8) return std::nullopt;
  if (element_bytes == 2 && fetched && !destination_rows_begin_on_lines(box)) return std::nullopt;
  if (element_bytes == 1)
    return PreferredRuns{{2 * kLineBytes, kLineBytes}, "lines next to each other are read together"};
  return PreferredRuns{{kLineBytes, 2 * kLineBytes}, "lines next to each other are written together"};
}

/// With vectors of 32 bytes, where rows begin on lines: 12 random pairs of 4 bytes 1.17 times as fast, 23 of
/// 8 bytes 1.06 times (f32 4096x4096 1.23 and 1.41 of memcpy, 8192x8192 0.66 and 0.76, [64,64,64,64] reversed
/// 1.22 and 1.44), 17 of 2 bytes even, 10 of bytes 0.84 times.
bool suits_narrow_pairs(std::int64_t element_bytes) {
  return element_bytes == 4 || element_bytes == 8;
}

/// Of transposes of bytes past the last cache, 32-byte vectors, a scratch that keeps clear of streamed lines:
/// on a Zen 3, of 108 transposes 43 change, 0.70 and 0.83 of memcpy, 36 faster by a twentieth and two slower
/// (u8[67,512,512] to [0, 2, 1] 0.55 and 0.79, u8[512,256,256] to [2, 0, 1] 0.72 and 0.64). Not where the 32
/// rows that are written are 1 KiB apart, too few for stripes and too many for four sets (u8[1024,26112] 0.89
/// and 0.70), nor where they are no multiple of 512 (u8[2496,52,384] 1.5 and 1.3), nor where the 128 rows
/// that are read share sets (4096x4096 0.81 and 0.72).
bool suits_two_lines_of_bytes(const Box& box, const MicroTile& tile) {
  const auto writes_rows_apart = [&](std::int64_t bytes) {
    return row_sets(box, tile, &Axis::destination_stride, bytes) == RowSets::kOne;
  };
  return writes_rows_apart(512) && (writes_rows_apart(2048) || !writes_rows_apart(1024)) &&
         !read_rows_share_sets(box, tile, kSetSpanBytes / 2);
}

/// Past the last cache, 32-byte vectors, rows that begin on lines. Rows of powers of two: f32 0.83 and 0.86,
/// 0.72 and 0.77, f32 [64,64,64,64] reversed 0.49 and 0.62, 2-byte elements 0.48 and 0.52, 0.58 and 0.63;
/// other rows gained nothing, and bytes, 8- and 16-byte elements lost.
std::optional<PreferredRuns> streamed_lines(const Box& box, const MicroTile& tile, std::int64_t element_bytes,
                                            const Target& target) {
  if (element_bytes == 1 && target.keeps_scratch_clear && suits_two_lines_of_bytes(box, tile))
    return PreferredRuns{{32, 128}, "lines next to each other are written together"};
  if (element_bytes != 2 && element_bytes != 4) return std::nullopt;
  if (row_sets(box, tile, &Axis::destination_stride, kSetSpanBytes) != RowSets::kOne) return std::nullopt;
  return PreferredRuns{{64, 128}, "lines next to each other are written together"};
}

/// Past the last cache, 32-byte vectors, rows that do not, whose runs are put together in a scratch before
/// whole lines of them are streamed (StorePolicy::kStreamingRuns). 17 transposes; fewer rows to write win.
constexpr LimitsByWidth kStreamedRuns = {{
    TileRunLimits{16, 512},  // 0.29 and 0.42
    TileRunLimits{16, 512},  // 0.32 and 0.50
    TileRunLimits{32, 512},  // 0.46 and 0.73
    TileRunLimits{32, 512},  // 0.53 and 0.78
    TileRunLimits{64, 512},  // 0.52 and 0.80
}};

/// Those whose rows to read share cache sets. 512 rows of bytes 1 KiB apart share 16 of them:
/// u8[128,24,41,858]{0,1,3,2} to {3,0,1,2} ran at 0.6 of the rate with the runs above.
constexpr LimitsByWidth kStreamedRunsOfSharedSets = {{std::nullopt, TileRunLimits{64, 256},
                                                      TileRunLimits{64, 512}, TileRunLimits{64, 512},
                                                      TileRunLimits{64, 512}}};

std::optional<PreferredRuns> streamed_runs(const Box& box, const MicroTile& tile,
                                           std::int64_t element_bytes) {
  const std::int64_t span_bytes = element_bytes == 1 ? kSetSpanBytes / 4 : kSetSpanBytes;
  const bool spread = row_sets(box, tile, &Axis::source_stride, span_bytes) == RowSets::kSpread;
  const auto limits = limits_of(spread ? kStreamedRuns : kStreamedRunsOfSharedSets, element_bytes);
  if (!limits) return std::nullopt;
  return PreferredRuns{*limits, "rows begin anywhere in a line, and whole lines of longer ones are streamed"};
}

/// Networks in halves of vectors get the runs of vectors of 32 bytes: of 505 transposes in the second cache
/// 115 change, 0.61 and 0.75 of memcpy, 93 faster by a twentieth and 12 slower, of 3000 random pairs 203,
/// 0.82 and 0.88, 83 and 25. So do elements of 8 and 16 bytes in the last cache, whole vectors or not: 89
/// transposes 0.55 and 0.62, 64 and 21, 125 random pairs 1.19 and 1.29, 52 and 26; not those of 8 bytes whose
/// rows share sets on both sides (f64[1024,1024], which has runs of its own today, 0.26 and 0.23), and with
/// narrower ones as many win as lose (Zen 4).
bool uses_wide_vectors(const Box& box, const MicroTile& tile, const PairSizes& sizes, const Target& target) {
  const std::int64_t half_vectors = target.half_vectors_up_to_bytes;
  if (target.vector_bytes != 64 || (half_vectors > 0 && sizes.footprint_bytes() <= half_vectors))
    return false;
  if (streams_rows_in_split_vectors(box, tile, sizes, target)) return false;
  if (!target.takes_narrow_runs_of_wide_elements || sizes.residence != Residence::kLastCache) return true;
  if (sizes.element_bytes != 8) return sizes.element_bytes < 8;
  return written_rows_share_sets(box, tile) && read_rows_share_sets(box, tile);
}

}  // namespace

PreferredRuns of_few_sets(TileRunLimits limits) {
  return {limits, "rows this far apart share few sets of the first cache", true};
}

std::optional<PreferredRuns> preferred_runs(const Box& box, const MicroTile& tile, const PairSizes& sizes,
                                            const Target& target) {
  const std::int64_t element_bytes = sizes.element_bytes;
  const bool wide = uses_wide_vectors(box, tile, sizes, target);
  if (const auto limits = runs_to_one_channel(box, sizes, target))
    return PreferredRuns{*limits, "the few rows that are written lie on one channel of the memory"};
  if (const auto limits = runs_to_few_rows(box, tile, sizes, target)) return of_few_sets(*limits);
  if (target.finds_runs_of_short_rows) {
    if (auto runs = runs_of_short_rows(box, tile, sizes, target)) return runs;
  }
  if (target.finds_runs_by_row_sets) {
    if (auto runs = runs_by_row_sets(box, tile, sizes, target)) return runs;
  }
  const auto block = fetched_block(box, tile, sizes, target);
  if (sizes.residence == Residence::kMemory) {
    if (block && block->tile_runs)
      return PreferredRuns{*block->tile_runs, "pairs of lines are fetched by blocks"};
    if (target.far_runs == FarRuns::kPairsOfLines &&
        (wide || (suits_narrow_pairs(element_bytes) && destination_rows_fill_lines(box))))
      return far_pairs_of_lines(box, element_bytes, block.has_value());
    const bool by_width = target.far_runs == FarRuns::kByWidth || target.far_runs == FarRuns::kHalfLines;
    if (!by_width && (wide || destination_rows_fill_lines(box))) return std::nullopt;
    if (target.far_runs == FarRuns::kHalfLines) {
      if (auto runs = far_half_lines(box, tile, element_bytes, wide)) return runs;
    }
    if (auto runs = runs_of_streamed_tiles(box, tile, sizes, target))
      return PreferredRuns{*runs, "registers hold the tile until it is streamed"};
    if (wide) return far_runs_of_wide_vectors(box, tile, element_bytes, target);
    if (!destination_rows_fill_lines(box)) return streamed_runs(box, tile, element_bytes);
    // Tiles of two lines would take a scratch.
    return target.combines_streamed_halves ? std::nullopt : streamed_lines(box, tile, element_bytes, target);
  }
  if (sizes.residence == Residence::kSecondCache && target.rereads_from_second_cache)
    return near_runs(box, tile, sizes, target,
                     {wide, runs_of_shared_sets(box, tile, element_bytes, target, wide)});
  if (sizes.residence == Residence::kLastCache && block)
    return std::nullopt;  // lines are fetched in pairs whatever the tile
  if (const auto pairs = pairs_of_lines_in_last_cache(box, sizes, target)) return pairs;
  if (wide && target.reads_single_lines) {
    if (const auto limits = runs_of_single_lines(box, tile, element_bytes)) return of_few_sets(*limits);
  }
  if (const auto limits = runs_of_shared_sets(box, tile, element_bytes, target, wide))
    return of_few_sets(*limits);
  if (wide && target.reads_single_lines) {
    if (const auto limits = runs_of_near_sets(box, tile, sizes)) return of_few_sets(*limits);
  }
  return runs_of_spread_rows(box, tile, sizes, target, wide);
}

}  // namespace relayout::plan
