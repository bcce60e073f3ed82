// Of a Granite Rapids. A line to read that the first cache has evicted is near, and longer runs would take a
// second pass: 20 transposes of rows to read 4 KiB apart ran at 0.73 of memcpy with the runs of a Zen 5, as
// here at 0.82 (AVX2 0.65 and 0.76).

#include "src/plan/tiles/near_runs.hpp"

#include <cstdint>
#include <limits>

#include "src/plan/machine/line.hpp"
#include "src/plan/tiles/row_sets.hpp"

namespace relayout::plan {
namespace {

/// Rows of 2-byte elements, and of bytes in 64-byte vectors, that are read from anywhere within lines: runs
/// of 16 bytes lie on one line mostly, those of the usual tiles on two. Transposes and random pairs of 2
/// bytes, 26 of them, 0.47 and 0.57 of memcpy, 19 faster by a twentieth and one slower (bf16[34,4096] 0.44
/// and 0.53); 24 at AVX2 0.47 and 0.54, 18 and four; 23 of bytes 0.45 and 0.49, 17 and two, but no better at
/// AVX2. Rows that begin on lines lose (bf16[1024,64] 0.57 and 0.36), as do 4 bytes (27 pairs 0.74 and 0.54).
std::optional<TileRunLimits> runs_off_lines(const Box& box, std::int64_t element_bytes, bool wide) {
  if (source_rows_begin_on_lines(box) || element_bytes > 2) return std::nullopt;
  if (wide) return TileRunLimits{16, 128};
  return element_bytes == 2 ? std::optional(TileRunLimits{16, 256}) : std::nullopt;
}

/// Whether the rows that a tile of lines writes crowd the sets of the first cache that they share; where they
/// do not, they count as spread. Tiles whose elements go in groups have fewer rows, and those of rows 16
/// bytes more or less than half a page apart lie in many sets: of 1650 transposes of such rows and random
/// pairs of powers of two, mostly, 101 change, 0.72 and 0.84 of memcpy, 67 faster by a twentieth and six
/// slower (bf16[1016,128] 0.42 and 0.67); at AVX2 96, 0.65 and 0.80, 75 and nine. With half of a set's ways
/// instead of two thirds 38 of them would lose again, with all of them 29.
bool crowd_sets(const Box& box, const MicroTile& tile, const Target& target) {
  return 3 * most_written_lines_in_a_set(box, tile) > 2 * target.level1_data_ways;
}

/// Rows to write in few sets. Elements of 8 and 16 bytes need none of it: 33 such transposes 0.68 and 0.87 of
/// memcpy (AVX2 0.73 and 0.87); narrow ones, whose tiles have many rows, do: 22 of 2 bytes 0.29 without (AVX2
/// 0.24), 0.54 with. In between, 22 of 4 bytes ran at 0.53 with the runs of a Zen 5, with these at 0.64, with
/// none 2 KiB apart at 0.80.
std::optional<TileRunLimits> near_runs_of_shared_sets(const Box& box, const MicroTile& tile,
                                                      std::int64_t element_bytes, const UsualRuns& usual) {
  const bool only_half_apart =
      row_sets(box, tile, &Axis::destination_stride, kSetSpanBytes) == RowSets::kSpread;
  if (element_bytes == 4 && only_half_apart) return std::nullopt;
  if (element_bytes == 4 && usual.wide) return TileRunLimits{32, 128};
  const auto off_lines = runs_off_lines(box, element_bytes, usual.wide);
  return off_lines ? off_lines : usual.of_shared_sets;
}

/// Bytes whose rows to write share no sets. A tile of half a line each way, loaded and stored in halves of
/// vectors, takes four shuffles a vector and one pass, a tile of lines five and two passes. Of 1000
/// transposes and random pairs 154 change, 0.63 and 0.70 of memcpy, 104 faster by a twentieth and nine slower
/// (u8[454,5,54] to [1, 2, 0] 0.44 and 0.62); at AVX2 142, 0.54 and 0.59, 84 and seven.
///
/// Each line of the source is read twice so. Rows that begin on lines and outgrow half the ways of their sets
/// are read line by line (u8[368,256] transposed 0.59, by half lines 0.40, so 0.65), with the tile of lines
/// where the rows to write lie in few sets as well (u8[1024,128] 0.56 and 0.52).
constexpr TileRunLimits kHalfLinesBothWays{32, 32};
constexpr TileRunLimits kLinesToHalfLines{64, 32};

std::optional<PreferredRuns> runs_of_bytes(const Box& box, const MicroTile& tile, const PairSizes& sizes,
                                           const Target& target) {
  if (sizes.wants_whole_lines ||
      tile.elements() <= kHalfLinesBothWays.source_bytes * kHalfLinesBothWays.destination_bytes)
    return std::nullopt;
  constexpr std::int64_t kAnyNumber = std::numeric_limits<std::int64_t>::max() / kSetSpanBytes;
  if (!rows_outgrow_sets(box, tile, &Axis::source_stride, kLineBytes, kAnyNumber,
                         target.level1_data_bytes / 2))
    return PreferredRuns{kHalfLinesBothWays, "tiles of half lines are moved in one pass"};
  if (row_sets(box, tile, &Axis::destination_stride, kFewSetsBytes) == RowSets::kOne) return std::nullopt;
  return PreferredRuns{kLinesToHalfLines, "tiles that write half lines are moved in one pass"};
}

/// 150 random pairs ran at 0.85 of memcpy by tiles of lines, at 0.89 so (63 at AVX2 0.71 and 0.76), of which
/// 37 that move their elements in groups are better off without halves: 0.92 and 0.96.
std::optional<PreferredRuns> runs_of_2_bytes(const MicroTile& tile, const PairSizes& sizes) {
  constexpr std::int64_t kFewRowsElements = 512;  // of tiles of lines; smaller ones move elements in groups
  if (sizes.wants_whole_lines || tile.elements() <= kFewRowsElements) return std::nullopt;
  return PreferredRuns{{64, 32}, "so few rows are moved in one pass"};
}

}  // namespace

std::optional<PreferredRuns> near_runs(const Box& box, const MicroTile& tile, const PairSizes& sizes,
                                       const Target& target, const UsualRuns& usual) {
  const std::int64_t element_bytes = sizes.element_bytes;
  if (element_bytes > 4) return std::nullopt;
  if (row_sets(box, tile, &Axis::destination_stride, kSetSpanBytes / 2) != RowSets::kSpread &&
      crowd_sets(box, tile, target)) {
    const auto limits = near_runs_of_shared_sets(box, tile, element_bytes, usual);
    return limits ? std::optional(of_few_sets(*limits)) : std::nullopt;
  }
  if (element_bytes == 1) return runs_of_bytes(box, tile, sizes, target);
  return element_bytes == 2 ? runs_of_2_bytes(tile, sizes) : std::nullopt;
}

}  // namespace relayout::plan
