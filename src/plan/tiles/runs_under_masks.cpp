#include "src/plan/tiles/runs_under_masks.hpp"

#include "src/plan/machine/line.hpp"
#include "src/plan/tiles/row_sets.hpp"
#include "src/plan/tiles/runs_by_width.hpp"

namespace relayout::plan {
namespace {

/// Rows to write 4 KiB apart: one line of a row that is read, so that few of those written are open. 30
/// transposes of 2 to 16 MiB, 8 bytes 0.58 and 0.71, 4 bytes 0.42 and 0.50, of which those whose rows to read
/// share no sets 0.43 and 0.60 with twice the runs. Without masks 0.57 and 0.65, 0.42 and 0.48.
constexpr LimitsByWidth kSingleLinesRead = {
    {std::nullopt, std::nullopt, TileRunLimits{64, 256}, TileRunLimits{64, 256}, std::nullopt}};
constexpr TileRunLimits kSingleSpreadLinesRead = {64, 512};

/// Narrow elements, whose tiles have many rows, between rows on lines. In the second cache 22 transposes of 2
/// bytes whose rows to read are multiples of 512 bytes apart 0.53 and 0.63, in the last one 10 of them 0.48
/// and 0.70; of bytes 6 whose rows to write are 0.44 and 0.59 (in the last cache 6 0.49 and 0.60), 6 of which
/// only rows to read are 0.52 and 0.62 (one 0.58 and 0.71).
std::optional<TileRunLimits> runs_of_narrow(const Box& box, const MicroTile& tile, const PairSizes& sizes) {
  constexpr std::int64_t kSpanBytes = kSetSpanBytes / 8;
  if (!has_long_rows_on_lines(box, sizes.element_bytes)) return std::nullopt;
  const bool reads = read_rows_share_sets(box, tile, kSpanBytes);
  if (sizes.element_bytes == 2) {
    if (!reads) return std::nullopt;
    return sizes.residence == Residence::kSecondCache ? TileRunLimits{128, 128} : TileRunLimits{64, 64};
  }
  if (row_sets(box, tile, &Axis::destination_stride, kSpanBytes) == RowSets::kOne)
    return TileRunLimits{64, 128};
  return reads ? std::optional(TileRunLimits{128, 64}) : std::nullopt;
}

/// In the second cache, rows to read 1 or 2 KiB apart, to rows that begin on lines: 22 transposes of 4 to 16
/// bytes ran at 0.64 a line at a time, so at 0.70 (f32 256x256 0.62 and 0.67, c128 128x128 0.68 and 0.75).
/// Rows to read 4 KiB apart of up to 8 bytes lose a tenth.
std::optional<TileRunLimits> runs_of_near_reads(const Box& box, const MicroTile& tile,
                                                std::int64_t element_bytes) {
  if (!destination_rows_begin_on_lines(box)) return std::nullopt;
  if (!read_rows_share_sets(box, tile, kSetSpanBytes / 4)) return std::nullopt;
  if (element_bytes == 16) return TileRunLimits{128, 256};
  if (read_rows_share_sets(box, tile)) return std::nullopt;
  return TileRunLimits{128, written_rows_share_sets(box, tile) ? 256 : 128};
}

}  // namespace

bool has_long_rows_on_lines(const Box& box, std::int64_t element_bytes) {
  return has_row(box, &Axis::source_stride, 2 * kLineBytes, element_bytes) &&
         has_row(box, &Axis::destination_stride, 2 * kLineBytes, element_bytes) &&
         source_rows_begin_on_lines(box) && destination_rows_begin_on_lines(box);
}

std::optional<TileRunLimits> runs_of_single_lines(const Box& box, const MicroTile& tile,
                                                  std::int64_t element_bytes) {
  if (row_sets(box, tile, &Axis::destination_stride, kSetSpanBytes) != RowSets::kOne) return std::nullopt;
  const RowSets read = row_sets(box, tile, &Axis::source_stride, kSetSpanBytes / 2);
  if (element_bytes == 4 && read != RowSets::kOne) return kSingleSpreadLinesRead;
  return limits_of(kSingleLinesRead, element_bytes);
}

std::optional<TileRunLimits> runs_of_near_sets(const Box& box, const MicroTile& tile,
                                               const PairSizes& sizes) {
  if (sizes.element_bytes <= 2) return runs_of_narrow(box, tile, sizes);
  if (sizes.residence != Residence::kSecondCache) return std::nullopt;
  return runs_of_near_reads(box, tile, sizes.element_bytes);
}

}  // namespace relayout::plan
