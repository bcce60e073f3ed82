// Rows that share cache sets. Lines 4 KiB apart share one set of the first cache, lines 2 KiB apart two: rows
// of one line each evict each other, and a line that was fetched to be written may be gone before its store's
// turn. Lines that are next to each other lie in different sets, and are fetched together.
//
// Measured on a Zen 5 (12 ways, 2 MiB pages). Stores alone, 16 rows 4 KiB apart, 4 MiB: 26 GB/s one line a
// row at a time, 41 with two, 62 with four; loads 30, 49, 59. Transposes of 1 to 8 MiB, rows to write 4 or 8
// KiB apart, as ratios to memcpy with runs of a line and with what preferred_runs gives: bytes 0.15 and 0.39,
// 2-byte elements 0.27 and 0.47, 4 bytes 0.31 and 0.53, 8 bytes 0.32 and 0.56, 16 bytes 0.31 and 0.61. Rows 2
// KiB apart gain less (bytes 0.27 and 0.48, 2 bytes 0.43 and 0.55, 4 bytes 0.55 and 0.64), nothing from 8
// bytes on. In the second cache the gains are as large.
// Rows a few bytes more or less apart are as bad: f32 1023x1025 0.20 and 0.45.
//
// Past the last cache longer runs lost for narrow elements (2 bytes, 64 MiB: 0.94 and 0.58), but runs of 256
// bytes to write won for wide ones, whose tiles are small (8 bytes 0.59 and 0.65, 3000x4000, which is
// streamed, 1.25 and 1.48; 16 bytes 0.87 and 1.05).
//
// Bytes. In the last cache 64 x 16, in one pass, against 64 x 64 in two: nine transposes 0.42 and 0.55, 21
// random pairs 1.06 times as fast. A line to read serves four calls, and no prefetch was needed.
//
// Elements of 2 bytes. A tile of 32 x 32 needs a pass through scratch anyway, so in the second cache twice as
// many rows cost nothing, and two lines a row are written together: 18 transposes 0.51 and 0.58. In the last
// one half as many rows, in one pass, are few enough for the processor's own prefetch: nine transposes 0.53
// and 0.64, 27 random pairs 0.57 and 0.58; with AVX2 0.48 and 0.56.

#include "src/plan/preferred_runs.hpp"

#include <algorithm>
#include <cstdlib>

#include "src/plan/line.hpp"

namespace relayout::plan {
namespace {

/// Bytes after which the sets of a first cache repeat: its size over its ways, of all x86 processors one
/// page.
constexpr std::int64_t kSetSpanBytes = 4096;
constexpr std::int64_t kNearBytes = 16;
constexpr std::int64_t kFewRows = 4;

/// How the rows of a tile lie in the sets of the first cache.
enum class RowSets : std::uint8_t {
  kSpread,
  kNearlyOne,  ///< each a few bytes further in the set of the row before
  kOne,
};

RowSets row_sets(const Box& box, const MicroTile& tile, std::int64_t Axis::*stride, std::int64_t span_bytes) {
  RowSets found = RowSets::kSpread;
  for (std::size_t i = 0; i < box.axes.size(); ++i) {
    const std::int64_t apart = std::abs(box.axes[i].*stride);
    if (tile.extents[i] < kFewRows || apart < span_bytes - kNearBytes) continue;
    const std::int64_t beyond = apart % span_bytes;
    if (beyond == 0) return RowSets::kOne;
    if (std::min(beyond, span_bytes - beyond) <= kNearBytes) found = RowSets::kNearlyOne;
  }
  return found;
}

/// Half as many rows share a set when they are half the span apart: too few from 8 bytes on.
std::int64_t written_span_bytes(std::int64_t element_bytes) {
  return element_bytes <= 4 ? kSetSpanBytes / 2 : kSetSpanBytes;
}

/// Rows that do not begin on lines take a line more each.
std::optional<TileRunLimits> runs_of_near_rows(std::int64_t element_bytes, RowSets read) {
  const bool both = read != RowSets::kSpread;
  if (element_bytes == 1) return TileRunLimits{64, 128};
  if (both && (element_bytes == 4 || element_bytes == 8)) return TileRunLimits{128, 256};
  if (element_bytes == 8) return std::nullopt;
  return TileRunLimits{32, 256};
}

std::optional<TileRunLimits> runs_of_wide_vectors(const Box& box, const MicroTile& tile,
                                                  std::int64_t element_bytes) {
  const RowSets written = row_sets(box, tile, &Axis::destination_stride, written_span_bytes(element_bytes));
  const RowSets read = row_sets(box, tile, &Axis::source_stride, kSetSpanBytes);
  if (written == RowSets::kOne) return TileRunLimits{std::min<std::int64_t>(128, 32 * element_bytes), 256};
  if (written == RowSets::kNearlyOne) return runs_of_near_rows(element_bytes, read);
  if (read != RowSets::kOne) return std::nullopt;
  if (element_bytes <= 2) return TileRunLimits{128, 64};
  if (element_bytes == 4) return TileRunLimits{128, 256};
  if (element_bytes == 8) return TileRunLimits{256, 256};
  return std::nullopt;
}

/// Vectors of 32 bytes, on a Zen 4 (8 ways); rows that nearly share sets alike. 44 transposes of 1 to 16 MiB,
/// over memcpy with a line a row and this: bytes 0.38 and 0.42, 2-byte elements 0.37 and 0.44, 4 bytes 0.35
/// and 0.47, 8 bytes 0.41 and 0.59, 16 bytes 0.53 and 0.73. Written rows that share sets want few of them to
/// be open, rows read that do want all of several lines to be used at once.
std::optional<TileRunLimits> runs_of_narrow_vectors(const Box& box, const MicroTile& tile,
                                                    std::int64_t element_bytes) {
  const std::int64_t written_span = element_bytes <= 4 ? kSetSpanBytes / 2 : kSetSpanBytes;
  const std::int64_t read_span = element_bytes <= 2 ? kSetSpanBytes / 2 : kSetSpanBytes;
  const bool written = row_sets(box, tile, &Axis::destination_stride, written_span) != RowSets::kSpread;
  const bool read = row_sets(box, tile, &Axis::source_stride, read_span) != RowSets::kSpread;
  if (!written && !read) return std::nullopt;
  const bool wide_elements = element_bytes >= 8;
  if (!written && element_bytes > 1) return wide_elements ? TileRunLimits{32, 64} : TileRunLimits{128, 64};
  if (wide_elements) return TileRunLimits{64, 256};
  if (element_bytes == 1) return read ? std::nullopt : std::optional(TileRunLimits{16, 256});
  return read ? TileRunLimits{128, 128} : TileRunLimits{32, 256};
}

/// Past the last cache, rows that begin on lines. On a Zen 4 rows of powers of two, over memcpy with a line
/// and with two: f32 0.83 and 0.86, 0.72 and 0.77, f32 [64,64,64,64] reversed 0.49 and 0.62, 2-byte elements
/// 0.48 and 0.52, 0.58 and 0.63; other rows gained nothing, and bytes, 8- and 16-byte elements lost.
std::optional<PreferredRuns> streamed_lines(const Box& box, const MicroTile& tile,
                                            std::int64_t element_bytes) {
  if (element_bytes != 2 && element_bytes != 4) return std::nullopt;
  if (row_sets(box, tile, &Axis::destination_stride, kSetSpanBytes) != RowSets::kOne) return std::nullopt;
  return PreferredRuns{{64, 128}, "lines next to each other are written together"};
}

/// Past the last cache, rows that do not, whose runs are put together in a scratch before whole lines of them
/// are streamed (StorePolicy::kStreamingRuns). 17 transposes on a Zen 4, over memcpy with a line stored
/// plainly and this: bytes 0.29 and 0.42, 2-byte elements 0.32 and 0.50, f32 0.46 and 0.73, 8 bytes 0.53 and
/// 0.78, 16 bytes 0.52 and 0.80. Fewer rows to write win, but where the rows to read share cache sets.
std::optional<PreferredRuns> streamed_runs(const Box& box, const MicroTile& tile,
                                           std::int64_t element_bytes) {
  const bool near = row_sets(box, tile, &Axis::source_stride, kSetSpanBytes) != RowSets::kSpread;
  TileRunLimits limits{near ? 64 : 32, 512};
  if (element_bytes == 1) {
    // 512 rows 1 KiB apart share 16 sets: u8[128,24,41,858]{0,1,3,2} to {3,0,1,2} ran at 0.6 of the rate.
    if (row_sets(box, tile, &Axis::source_stride, kSetSpanBytes / 4) != RowSets::kSpread) return std::nullopt;
    limits = {16, 512};
  }
  if (element_bytes == 2) limits = near ? TileRunLimits{64, 256} : TileRunLimits{16, 512};
  if (element_bytes == 16) limits = {64, 512};
  return PreferredRuns{limits, "rows begin anywhere in a line, and whole lines of longer ones are streamed"};
}

std::optional<PreferredRuns> runs_of_two_bytes(Residence residence, bool wide) {
  if (residence == Residence::kLastCache)
    return PreferredRuns{{64, 32},
                         "so few rows are moved in one pass and followed by the processor's prefetch"};
  if (!wide) return std::nullopt;
  return PreferredRuns{{64, 128}, "lines next to each other are written together"};
}

}  // namespace

bool written_rows_share_sets(const Box& box, const MicroTile& tile) {
  return row_sets(box, tile, &Axis::destination_stride, kSetSpanBytes / 2) == RowSets::kOne;
}

bool read_rows_share_sets(const Box& box, const MicroTile& tile) {
  return row_sets(box, tile, &Axis::source_stride, kSetSpanBytes) == RowSets::kOne;
}

std::optional<PreferredRuns> preferred_runs(const Box& box, const MicroTile& tile, const PairSizes& sizes,
                                            const Target& target) {
  const std::int64_t element_bytes = sizes.element_bytes;
  const bool wide = target.vector_bytes == 64;
  if (sizes.residence == Residence::kMemory) {
    if (!wide && destination_rows_fill_lines(box)) return streamed_lines(box, tile, element_bytes);
    if (!wide) return streamed_runs(box, tile, element_bytes);
    if (element_bytes < 8) return std::nullopt;
    const bool streams =
        element_bytes == 8 && tile.destination_run_bytes >= kLineBytes && destination_rows_fill_lines(box);
    return PreferredRuns{{streams ? 64 : 32, 256}, "lines next to each other are written together"};
  }
  const auto limits = wide ? runs_of_wide_vectors(box, tile, element_bytes)
                           : runs_of_narrow_vectors(box, tile, element_bytes);
  if (limits) return PreferredRuns{*limits, "rows this far apart share few sets of the first cache"};
  if (element_bytes == 2) return runs_of_two_bytes(sizes.residence, wide);
  if (element_bytes == 1 && wide && sizes.residence == Residence::kLastCache)
    return PreferredRuns{{16, 64}, "tiles of 16 rows to write are moved in one pass"};
  return std::nullopt;
}

}  // namespace relayout::plan
