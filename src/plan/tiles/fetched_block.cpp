// A tile touches one line of each of many rows, and lines come from the last cache or from memory in pairs of
// neighbours, two for one request: both halves have to be asked for together, on both sides, and before they
// are needed. A fetch in the order of the tile's own loads asks for the halves in turn and gains nothing; one
// in the order of a block's rows does, whatever the tile.
//
// Bytes 4096x4096, 2048x2048, 4224x4224 on a Granite Rapids, loads and stores of tiles of 64 x 64 without a
// shuffle, over memcpy: 0.49, 0.58, 0.64 without a fetch; either side fetched row by row 0.54 to 0.56, 0.63,
// 0.83; both sides in the tile's order 0.54, 0.63, 0.83; both row by row 0.70, 0.86, 0.85.

#include "src/plan/tiles/fetched_block.hpp"

#include <algorithm>

#include "src/plan/machine/line.hpp"
#include "src/plan/tiles/fetched_far_block.hpp"
#include "src/plan/tiles/transposed_rows.hpp"

namespace relayout::plan {
namespace {

/// Two lines of each row on both sides. Blocks follow each other along the destination: along the source 16
/// random transposes of 2 bytes ran at 0.54 of memcpy, so at 0.80.
constexpr FetchedBlock kPairsOfLines = {{2 * kLineBytes, 2 * kLineBytes, true}};
/// Rows to write of bytes that share cache sets lose their lines before their turn; to fetch them again takes
/// less with the right to write at hand: bytes 4096x4096 0.54 and 0.65 of memcpy, 9 such 0.61 and 0.64, 14 at
/// AVX2 0.71 and 0.74. Others of bytes 0.72 and 0.70, past the last cache 25 0.74 and 0.66.
constexpr FetchedBlock kPairsOfLinesToWrite = {{2 * kLineBytes, 2 * kLineBytes, true}, true};
/// Of 4 bytes with 64-byte vectors, rows that are so far apart on both sides: 9 of 10 to 30 MiB 0.82 of
/// memcpy, with pairs 0.83, so 0.92.
constexpr FetchedBlock kFoursOfWrittenLines = {{2 * kLineBytes, 4 * kLineBytes, true}};
constexpr std::int64_t kFarToReadBytes = 6144;
constexpr std::int64_t kFarToWriteBytes = 4096;
/// The shortest rows to read, of elements of 1, of 2 and 4, and of 8 bytes: of shorter ones a good part of
/// what is fetched is no block's, or the processor's own prefetch has them. 23 transposes of 512 to 2047
/// bytes of bytes 0.74 and 0.87 of memcpy (AVX2 0.68 and 0.83), 14 of 1 to 2 KiB of 2 and 4 bytes 0.88 and
/// 0.95 (0.84 and 0.94), of 8 bytes three 0.99 and 0.85 (Emerald Rapids).
constexpr std::int64_t kShortestRowOfBytesToRead = 512;
constexpr std::int64_t kShortestRowToRead = 1024;
constexpr std::int64_t kShortestRowOfWideToRead = 2048;
/// The shortest rows to write, of bytes, and of 2 bytes where those to read begin on lines, and of any
/// others. 21 transposes of 512 to 1023 bytes of bytes 0.64 and 0.70 of memcpy (AVX2 0.60 and 0.68), 8 of 2
/// bytes with such rows to read 0.74 and 0.77 (0.70 and 0.76), 16 with others 0.84 and 0.81 (0.81 and 0.79).
constexpr std::int64_t kShortestNarrowRowToWrite = 512;
constexpr std::int64_t kShortestRowToWrite = 1024;

/// Rows that blocks take whole.
constexpr std::int64_t kShortestWholeRow = 2 * kLineBytes;
constexpr std::int64_t kLongestWholeRow = 1024;
constexpr std::int64_t kLongestWholeRowOffLines = 320;

/// Rows to write of elements of 4 and 8 bytes; nearer ones the processor's own prefetch follows.
constexpr std::int64_t kShortestWideStride = 2560;

/// Rows that begin on lines on both sides. With vectors of 64 bytes 25 transposes of bytes whose rows to read
/// share cache sets 0.54 and 0.67 of memcpy, 21 of 2 bytes 0.75 and 0.80; of 32 bytes 36 of bytes 0.59 and
/// 0.75, 36 of 2 bytes 0.76 and 0.83 (Granite Rapids, 3 to 40 MiB). On an Emerald Rapids, of 4 to 60 MiB, 13
/// of bytes out of any other rows 0.77 and 0.86, 9 of 2 bytes out of multiples of 1 KiB 0.57 and 0.90, which
/// had lost on the other (bf16[5,1216,1024] to [0, 2, 1] 0.50 and 0.92, 4096x4096 0.65 and 0.77); to rows an
/// even number of lines apart 13 of 4 bytes 0.83 and 0.96 (AVX2 0.83 and 0.95), to an odd number 23 0.95 and
/// 0.94; to multiples of 256 bytes five of 8 bytes 0.95 and 0.98, to others 18 0.97 and 0.95.
/// Of 4 bytes to rows that share sets, out of rows shorter than a page, three 0.83 and 0.71 (AVX2, than half
/// a page, one 0.70 and 0.63).
bool suits_rows_on_lines(const TransposedRows& rows, std::int64_t element_bytes, bool wide) {
  if (element_bytes <= 2) return true;
  const std::int64_t apart = rows.strides.destination_bytes;
  if (element_bytes == 4 && apart % 2048 == 0) return rows.source_bytes >= (wide ? 4096 : 2048);
  return apart % (element_bytes == 4 ? 2 * kLineBytes : 4 * kLineBytes) == 0;
}

/// Rows that begin anywhere on one side or both. Where those to read do, and are near each other beside those
/// to write, the processor's own prefetch follows them. 40 random transposes of 2 bytes 0.78 and 0.83 of
/// memcpy if all are fetched (30 with vectors of 32 bytes 0.80 and 0.87), of these four whose rows to write
/// are four times as far apart 0.92 and 0.74; four of 4 bytes with those at most half as far apart 0.83 and
/// 0.90, ten more than twice as far 0.93 and 0.72. Out of rows on lines to such as are more than twice as far
/// apart, on an Emerald Rapids: 9 of bytes 0.60 and 0.77 (AVX2 0.60 and 0.76), 7 of 2 bytes 0.69 and 0.94
/// (bf16[6,3753,512] to [0, 2, 1] 0.55 and 0.92); out of others 16 of bytes 0.74 and 0.64.
std::optional<FetchedBlock> block_of_rows_anywhere(const RowStrides& strides, bool source_on_lines,
                                                   std::int64_t element_bytes, bool wide) {
  const auto [source, destination] = strides;
  if (element_bytes <= 2)
    return source_on_lines || destination <= 2 * source ? std::optional(kPairsOfLines) : std::nullopt;
  if (destination < kShortestWideStride) return std::nullopt;
  if (element_bytes == 4 && wide && source >= kFarToReadBytes && destination >= kFarToWriteBytes &&
      2 * destination <= 3 * source)
    return kFoursOfWrittenLines;
  const bool near = element_bytes == 4 && !wide ? 4 * destination <= 3 * source : 2 * destination <= source;
  return near ? std::optional(kPairsOfLines) : std::nullopt;
}

/// Wide elements written to rows that share cache sets, and not read from such: 8 transposes of 16 bytes 0.85
/// of memcpy, so 0.97 (at AVX2 0.84 and 0.96), 15 of 8 bytes 0.82 and 0.88 (0.83 and 0.87); one whose rows to
/// read share sets as well 0.71 and 0.63.
bool suits_wide_rows_of_shared_sets(const RowStrides& strides, std::int64_t element_bytes) {
  const std::int64_t span_bytes = element_bytes == 16 ? 4096 : 2048;
  return element_bytes >= 8 && strides.destination_bytes % span_bytes == 0 &&
         strides.source_bytes % 2048 != 0;
}

/// The longest rows to write that blocks take whole. Where rows to read and rows to write share cache sets
/// these would be too many lines of one set: bytes [1024,4096] 0.47 of memcpy, whole 0.54, by pairs 0.60.
std::int64_t longest_whole_row_to_write(const Box& box, const RowStrides& strides,
                                        std::int64_t element_bytes) {
  if (!destination_rows_begin_on_lines(box)) return kLongestWholeRowOffLines;
  if (element_bytes > 2) return kLongestWholeRow;
  if (!source_rows_begin_on_lines(box)) return 2 * kLongestWholeRow;
  const bool share_sets = strides.source_bytes % 256 == 0 && strides.destination_bytes % 256 == 0;
  return share_sets ? kLongestWholeRow / 2 : kLongestWholeRow;
}

/// Short rows that follow one another, taken whole: what is fetched of them is one piece. NCHW to NHWC, rows
/// of up to 512 bytes to write, 40 of 4 to 30 MiB 0.88 of memcpy, so 0.97 (at AVX2 0.83 and 0.95), 12 of 640
/// to 1024 bytes 0.84 and 0.93, four longer ones of 1 and 2 bytes 0.76 and 0.83, 40 of 130 to 310 bytes,
/// which lines do not divide, 0.79 and 0.87 (0.73 and 0.88).
bool writes_whole_rows(const Box& box, const TransposedRows& rows, std::int64_t element_bytes) {
  return rows.strides.destination_bytes == rows.destination_bytes &&
         rows.source_bytes >= kShortestRowToWrite && rows.destination_bytes >= kShortestWholeRow &&
         rows.destination_bytes <= longest_whole_row_to_write(box, rows.strides, element_bytes);
}

/// The same of rows to read. NHWC to NCHW, up to 512 bytes, 40 of 4 to 30 MiB 0.88 and 0.95 (at AVX2 0.87 and
/// 0.94); off the lines 16 even. Where narrow elements are written to rows that share cache sets they lose:
/// bytes [16384,512] 0.55 and 0.48.
bool reads_whole_rows(const Box& box, const TransposedRows& rows, std::int64_t element_bytes) {
  return rows.strides.source_bytes == rows.source_bytes && rows.destination_bytes >= kShortestRowToWrite &&
         source_rows_begin_on_lines(box) && rows.source_bytes >= kShortestWholeRow &&
         rows.source_bytes <= kLongestWholeRow / 2 &&
         (element_bytes > 2 || rows.strides.destination_bytes % 2048 != 0);
}

bool is_long_enough(const TransposedRows& rows, bool source_on_lines, std::int64_t element_bytes) {
  const std::int64_t to_read = element_bytes == 1   ? kShortestRowOfBytesToRead
                               : element_bytes <= 4 ? kShortestRowToRead
                                                    : kShortestRowOfWideToRead;
  const bool narrow = element_bytes == 1 || (element_bytes == 2 && source_on_lines);
  const std::int64_t to_write = narrow ? kShortestNarrowRowToWrite : kShortestRowToWrite;
  return rows.source_bytes >= to_read && rows.destination_bytes >= to_write;
}

std::optional<FetchedBlock> block_in_last_cache(const Box& box, const TransposedRows& rows,
                                                std::int64_t element_bytes, bool wide) {
  if (element_bytes <= 8) {
    // Whole lines, so that the last tile of a row, which overlaps the one before, is in the block.
    if (writes_whole_rows(box, rows, element_bytes))
      return FetchedBlock{{2 * kLineBytes, whole_lines(rows.destination_bytes), true}};
    if (reads_whole_rows(box, rows, element_bytes))
      return FetchedBlock{{rows.source_bytes, 2 * kLineBytes, true}};
  }
  const bool source_on_lines = source_rows_begin_on_lines(box);
  if (!is_long_enough(rows, source_on_lines, element_bytes)) return std::nullopt;
  if (suits_wide_rows_of_shared_sets(rows.strides, element_bytes)) return kPairsOfLines;
  if (element_bytes > 8) return std::nullopt;
  if (!source_on_lines || !destination_rows_begin_on_lines(box))
    return block_of_rows_anywhere(rows.strides, source_on_lines, element_bytes, wide);
  if (!suits_rows_on_lines(rows, element_bytes, wide)) return std::nullopt;
  const bool shared = element_bytes == 1 && rows.strides.destination_bytes % kSharedSetsBytes == 0;
  return shared ? kPairsOfLinesToWrite : kPairsOfLines;
}

}  // namespace

std::optional<FetchedBlock> fetched_block(const Box& box, const MicroTile& tile, const PairSizes& sizes,
                                          const Target& target) {
  if (!target.fetches_blocks || !box.tables.empty() || !box.sub_byte_bits.empty()) return std::nullopt;
  if (sizes.residence == Residence::kSecondCache) return std::nullopt;
  const auto rows = transposed_rows(box, tile, sizes.element_bytes);
  if (!rows) return std::nullopt;
  const bool wide = target.vector_bytes == 64;
  if (sizes.residence == Residence::kLastCache && !sizes.wants_whole_lines)
    return block_in_last_cache(box, *rows, sizes.element_bytes, wide);
  return fetched_far_block(box, *rows, sizes, wide);
}

}  // namespace relayout::plan
