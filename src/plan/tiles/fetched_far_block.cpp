#include "src/plan/tiles/fetched_far_block.hpp"

#include "src/plan/machine/line.hpp"
#include "src/plan/tiles/row_sets.hpp"

namespace relayout::plan {
namespace {

/// Only the source is fetched, and the destination streamed. 8 transposes of up to 4 bytes 0.97 of memcpy,
/// with a block of four lines to read and one to write 1.37 (f32 8192x8192 0.62 and 0.84, u16 8192x8192 0.55
/// and 1.60), at AVX2 1.01 and 1.28; 24 of 2 and 4 bytes so 1.09, with pairs on both sides 1.10 (Emerald
/// Rapids, 170 to 600 MiB, where a streaming copy runs at 0.9 to 1.6), at AVX2 eight of 2 bytes 0.69 and
/// 0.88.
constexpr FetchedBlock kFarBlock = {.runs = {2 * kLineBytes, 2 * kLineBytes, false},
                                    .tile_runs = TileRunLimits{kLineBytes, 2 * kLineBytes}};
/// With half lines to read by a tile where rows to write lie in many sets, on an Emerald Rapids: 10 of bytes
/// 0.65 and 0.87 (by whole lines 0.82, with a line to write 0.72), at AVX2 0.69 and 0.81, 10 of 2 and 4 bytes
/// there 0.95 and 1.09; of 2 and 4 bytes with vectors of 64 bytes no more than two percent. To rows that are
/// multiples of 1 KiB apart 8 of bytes 0.63, by half lines 0.69, by lines 0.75 (AVX2 0.68, 0.66 and 0.70),
/// eight of 2 bytes at AVX2 0.69, 0.81 and 0.88, eight of 4 bytes 0.91, 0.89 and 0.92.
constexpr FetchedBlock kFarBlockOfHalfLines = {.runs = {2 * kLineBytes, 2 * kLineBytes, false},
                                               .tile_runs = TileRunLimits{kLineBytes / 2, 2 * kLineBytes}};
/// Of bytes to rows an odd number of lines apart. Where that is less than 4 KiB five 0.86 of memcpy, by half
/// lines 0.74 (AVX2 0.94 and 0.70; u8[5,1984,27264] to [0, 2, 1] 0.89 and 0.76); out of rows that are
/// multiples of 1 KiB apart six 0.67 and 0.66 (AVX2 0.72 and 0.65).
constexpr FetchedBlock kFarBlockOfOddRows = {{4 * kLineBytes, kLineBytes, false}};
constexpr std::int64_t kNearRowsBytes = 4096;
/// Three of 8 and 16 bytes 1.40 of memcpy without a fetch, so 1.45, at AVX2 1.33 and 1.43. Twice the runs
/// lose a tenth.
constexpr FetchedBlock kFarBlockOfWide = {{4 * kLineBytes, 4 * kLineBytes, false}};

/// Where rows to write begin anywhere, and nothing is streamed.
constexpr FetchedBlock kUnstreamedBlock = {{2 * kLineBytes, 2 * kLineBytes, true}};
constexpr FetchedBlock kUnstreamedBlockUnlessStaged = {{4 * kLineBytes, 4 * kLineBytes, true}, false, true};

/// Shorter rows are not fetched.
constexpr std::int64_t kShortestFarRowToRead = 1024;
constexpr std::int64_t kShortestFarRowToWrite = 512;
/// The nearest rows to read out of which rows anywhere are written, of elements of up to 4 and of 8 bytes.
constexpr std::int64_t kShortestFarStride = 2048;
constexpr std::int64_t kShortestFarStrideOfWide = 4096;

/// Rows to write that begin anywhere, and rows to read that begin on lines, an even number of them apart, of
/// bytes any number. 37 transposes of 1 and 2 bytes ran at 0.59 of memcpy staged, so at 0.70; 58 of 4 and 8
/// bytes that can be staged at 0.94 then, so at 0.77 (Emerald Rapids). Where neither side begins on lines
/// nothing is gained.
std::optional<FetchedBlock> far_block_of_rows_anywhere(const Box& box, const RowStrides& strides,
                                                       std::int64_t element_bytes) {
  if (element_bytes > 8 || !source_rows_begin_on_lines(box)) return std::nullopt;
  const std::int64_t granule_bytes = element_bytes == 1 ? kLineBytes : 2 * kLineBytes;
  const std::int64_t shortest = element_bytes == 8 ? kShortestFarStrideOfWide : kShortestFarStride;
  if (strides.source_bytes % granule_bytes != 0 || strides.source_bytes < shortest) return std::nullopt;
  return element_bytes <= 2 ? kUnstreamedBlock : kUnstreamedBlockUnlessStaged;
}

FetchedBlock streamed_block(const RowStrides& strides, std::int64_t element_bytes, bool wide) {
  if (element_bytes >= 8) return kFarBlockOfWide;
  const auto [source, destination] = strides;
  const bool odd = destination % (2 * kLineBytes) != 0;
  if (element_bytes == 1 && odd && (destination < kNearRowsBytes || source % kFewSetsBytes == 0))
    return kFarBlockOfOddRows;
  const bool by_half_lines = (element_bytes == 1 || !wide) && destination % kFewSetsBytes != 0;
  return by_half_lines ? kFarBlockOfHalfLines : kFarBlock;
}

}  // namespace

std::optional<FetchedBlock> fetched_far_block(const Box& box, const TransposedRows& rows,
                                              const PairSizes& sizes, bool wide) {
  if (rows.source_bytes < kShortestFarRowToRead || rows.destination_bytes < kShortestFarRowToWrite)
    return std::nullopt;
  if (destination_rows_begin_on_lines(box) && rows.destination_bytes % kLineBytes == 0)
    return streamed_block(rows.strides, sizes.element_bytes, wide);
  if (sizes.wants_whole_lines) return std::nullopt;
  return far_block_of_rows_anywhere(box, rows.strides, sizes.element_bytes);
}

}  // namespace relayout::plan
