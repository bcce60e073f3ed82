// Transposes of 16-byte elements whose rows lie multiples of 4 KiB apart on both sides. Blocks of several
// rows a side touch lines of one set there, which evict each other. Where one side has few rows, all of them
// go along: few rows to read in the destination's order, whose lines wait in the cache for the next row to
// write; few rows to write by tiles that take 128 bytes of as many of them as divide all. Shapes on a Zen 4
// of 1 to 14 MiB with up to 14 rows on one side and more on the other, over memcpy:
//
//   few rows to read                 91   0.46 and 0.73   81 faster by a twentieth, seven slower
//   to write, four of them a tile    39   0.63 and 0.79   32 and four
//   two of them                      24   0.60 and 0.71   16 and seven
//   one of them                      10   0.34 and 0.61   nine and one
//
// Of 400 drawn anew 132 change, 0.50 and 0.69, 112 and 12, at AVX2 118, 0.50 and 0.68, 95 and 14. Eight of 18
// to 24 MiB with few rows to read 0.76 and 0.59, 18 with rows multiples of 1 and 2 KiB apart 0.80 and 0.68;
// of 8-byte elements as many gain as lose.

#include "src/plan/tiles/few_rows.hpp"

#include <algorithm>

#include "src/plan/machine/line.hpp"
#include "src/plan/tiles/row_sets.hpp"
#include "src/plan/tiles/transposed_rows.hpp"

namespace relayout::plan {
namespace {

constexpr std::int64_t kFollowedElementBytes = 16;
constexpr std::int64_t kMostRows = 14;
constexpr std::int64_t kWrittenBytes = 128;

/// How many rows a side has.
struct RowCounts {
  std::int64_t read = 0;
  std::int64_t written = 0;
};

/// Of rows that share sets on both sides, where the last cache holds them with room to spare.
std::optional<RowCounts> rows_of_shared_sets(const Box& box, const MicroTile& tile, const PairSizes& sizes,
                                             const Target& target) {
  if (!target.follows_few_rows || sizes.element_bytes != kFollowedElementBytes || sizes.of_staged_block ||
      sizes.residence != Residence::kLastCache || sizes.leaves_last_cache_early())
    return std::nullopt;
  const auto rows = transposed_rows(box, tile, sizes.element_bytes);
  if (!rows || rows->strides.source_bytes % kSetSpanBytes != 0 ||
      rows->strides.destination_bytes % kSetSpanBytes != 0)
    return std::nullopt;
  return RowCounts{rows->destination_bytes / kFollowedElementBytes,
                   rows->source_bytes / kFollowedElementBytes};
}

}  // namespace

bool reads_few_rows(const Box& box, const MicroTile& tile, const PairSizes& sizes, const Target& target) {
  const auto rows = rows_of_shared_sets(box, tile, sizes, target);
  return rows && rows->read <= kMostRows && rows->written > kMostRows;
}

std::optional<TileRunLimits> runs_to_few_rows(const Box& box, const MicroTile& tile, const PairSizes& sizes,
                                              const Target& target) {
  const auto rows = rows_of_shared_sets(box, tile, sizes, target);
  if (!rows || rows->written > kMostRows || rows->read <= kMostRows) return std::nullopt;
  // As many of the rows as divide all of them, so that no tile overlaps the one before it.
  const std::int64_t source_bytes = rows->written * kFollowedElementBytes;
  return TileRunLimits{std::min(source_bytes & -source_bytes, kLineBytes), kWrittenBytes};
}

}  // namespace relayout::plan
