#include "src/plan/tiles/streamed_tiles.hpp"

#include <algorithm>

#include "src/plan/machine/line.hpp"
#include "src/plan/tiles/row_sets.hpp"

namespace relayout::plan {
namespace {

/// A piece that is read, of which four make a vector. With pieces of 32 bytes less was gained.
constexpr std::int64_t kPieceBytes = 16;
constexpr TileRunLimits kOneLine = {kPieceBytes, kLineBytes};
constexpr TileRunLimits kTwoLines = {kPieceBytes, 2 * kLineBytes};

/// Rows to write a multiple of 512 bytes apart share channels of the memory.
bool writes_rows_apart(const Box& box, const MicroTile& tile, std::int64_t bytes = kSetSpanBytes / 8) {
  return row_sets(box, tile, &Axis::destination_stride, bytes) == RowSets::kOne;
}

bool are_rows_long(const Box& box, std::int64_t element_bytes) {
  return has_row(box, &Axis::source_stride, kLineBytes, element_bytes) &&
         has_row(box, &Axis::destination_stride, 2 * kLineBytes, element_bytes);
}

bool writes_rows_of_pairs_of_lines(const Box& box, std::int64_t element_bytes) {
  return std::ranges::any_of(box.axes, [element_bytes](const Axis& axis) {
    return axis.destination_stride == element_bytes && axis.extent * element_bytes % (2 * kLineBytes) == 0;
  });
}

std::optional<TileRunLimits> runs_of_bytes(const Box& box, const MicroTile& tile, bool wide) {
  if (writes_rows_apart(box, tile) || read_rows_share_sets(box, tile)) return std::nullopt;
  return wide && !read_rows_share_sets(box, tile, kSetSpanBytes / 4) ? kTwoLines : kOneLine;
}

std::optional<TileRunLimits> runs_of_two_bytes(const Box& box, const MicroTile& tile) {
  return writes_rows_apart(box, tile) ? std::nullopt : std::optional(kOneLine);
}

/// Tiles of a line each way need no scratch either, and gain where both buffers are far larger than the last
/// cache, so that lines of the source are waited for. To rows no multiple of 512 bytes apart they gain at
/// once, unless those to read share sets: 73 of 80 transposes of 24 to 41 MiB 1.20 and 1.37, 48 faster and
/// six slower (Zen 4).
std::optional<TileRunLimits> runs_of_four_bytes(const Box& box, const MicroTile& tile) {
  const auto writes_rows_of = [&](std::int64_t row_bytes) {
    return has_row(box, &Axis::destination_stride, row_bytes, 4);
  };
  if (!writes_rows_apart(box, tile))
    return writes_rows_of(2 * kLineBytes) ? std::optional(kOneLine) : std::nullopt;
  const bool in_one_set = read_rows_share_sets(box, tile);
  return in_one_set && writes_rows_of(512) ? std::optional(kTwoLines) : std::nullopt;
}

std::optional<TileRunLimits> runs_filling_lines(const Box& box, const MicroTile& tile, const PairSizes& sizes,
                                                const Target& target) {
  const bool wide = target.vector_bytes == 64;
  if (target.streams_spread_rows_only && (sizes.element_bytes == 1 || writes_rows_apart(box, tile)))
    return std::nullopt;
  if (sizes.element_bytes == 1) return runs_of_bytes(box, tile, wide);
  if (sizes.element_bytes == 2) return runs_of_two_bytes(box, tile);
  const bool is_far = 3 * sizes.footprint_bytes() > 5 * target.streaming_threshold_bytes ||
                      (target.streams_spread_rows_only && !read_rows_share_sets(box, tile));
  return sizes.element_bytes == 4 && wide && is_far ? runs_of_four_bytes(box, tile) : std::nullopt;
}

/// Of rows that begin anywhere, which vectors of 32 bytes put together alike (preferred_runs.cpp). 40 unseen
/// transposes of bytes and two bytes, of which 15 change, 0.54 and 0.66, 11 faster by a twentieth and two
/// slower (bf16[3942,2967] 0.65 and 1.12, u8[438,53,1055] to [1, 2, 0] 0.54 and 0.42). Rows to read of a few
/// elements lose (bf16[1019,1234,9] to [0, 2, 1] 0.77 and 0.31), as do four bytes (14 of them 0.86 and 0.77).
std::optional<TileRunLimits> runs_across_lines(const Box& box, const MicroTile& tile,
                                               std::int64_t element_bytes) {
  if (element_bytes > 2 || read_rows_share_sets(box, tile, kSetSpanBytes / 4)) return std::nullopt;
  const TileRunLimits limits = {kPieceBytes, 256 * element_bytes};
  return has_row(box, &Axis::destination_stride, limits.destination_bytes, element_bytes)
             ? std::optional(limits)
             : std::nullopt;
}

}  // namespace

// Tiles of a line each way of narrow elements take a scratch, 32 x 32 of two bytes, 64 x 64 of one. Ratios to
// memcpy of transposes past the last cache whose rows fill lines, before and so: 64 unseen ones of 1 to 4
// bytes, of which 37 change, 0.81 and 1.06, 31 faster by a twentieth and two slower (u8[31,214,128,64] to
// [3, 1, 0, 2] 0.55 and 0.98, bf16[50,1184,256] to [2, 0, 1] 0.63 and 1.30, bf16[416,176,128] 0.88 and 0.79);
// at AVX2 27 of bytes and two bytes 0.74 and 1.10, none slower. Where rows to write are a multiple of 512
// bytes apart 12 of two bytes 0.92 times as fast, and where rows to read are of 4 KiB 16 of bytes 0.7 times:
// their pieces leave the first cache. One line or two, pieces of 8 and 32 bytes, and the other order of loops
// are within a tenth or slower. Of 4 bytes 13 at AVX2 lost, and 9 of 24 to 40 MiB, some
// of whose rows to write are a multiple of 512 bytes apart (runs_of_four_bytes).
std::optional<TileRunLimits> runs_of_streamed_tiles(const Box& box, const MicroTile& tile,
                                                    const PairSizes& sizes, const Target& target) {
  const std::int64_t element_bytes = sizes.element_bytes;
  if (!target.streams_without_scratch || !has_row(box, &Axis::source_stride, kLineBytes, element_bytes) ||
      !has_row(box, &Axis::destination_stride, kLineBytes, element_bytes))
    return std::nullopt;
  if (destination_rows_fill_lines(box)) return runs_filling_lines(box, tile, sizes, target);
  return target.vector_bytes == 64 ? runs_across_lines(box, tile, element_bytes) : std::nullopt;
}

// Tiles of 64 x 64 bytes: ten unseen transposes 0.58 and 0.67 of memcpy, one of them slower (u8 4096x4096
// 0.55 and 0.66, u8[35,6144,128] to [2, 0, 1] 0.63 and 0.58). Of 32 x 32 elements of two bytes four whose
// rows to write are not a multiple of 4 KiB apart 0.85 and 0.79, others 0.84 and 0.89 (4096x4096 0.75 and
// 0.82). Rows of one line, which follow one another, lose: u8[64,5632,128] to [1, 2, 0] 0.64 and 0.51.
bool suits_streamed_half_vectors(const Box& box, const MicroTile& tile, const PairSizes& sizes,
                                 const Target& target) {
  const std::int64_t element_bytes = sizes.element_bytes;
  const bool suits =
      element_bytes == 1 || (element_bytes == 2 && writes_rows_apart(box, tile, kSetSpanBytes));
  return suits && target.streams_without_scratch && target.vector_bytes == 64 &&
         are_rows_long(box, element_bytes);
}

// Rows to read of 16 and 32 bytes lose (bf16[128,256,64,16]{3,2,1,0} to {2,0,1,3} 1.15 and 0.74 of memcpy,
// u8[64,256,64,32]{3,2,1,0} to {2,3,1,0} 1.14 and 0.48), and so do elements of 4 bytes where tiles of two
// lines do not fill the rows to write (f32[48,32,24,20,16]{4,3,2,1,0} to {0,3,1,2,4} 1.54 and 1.24) or these
// do not share cache sets, and those of two bytes where rows share them on both sides (4096x4096 1.26
// and 1.10, six others alike), which tiles of suits_streamed_half_vectors serve. Of 178 transposes past the
// last cache 80 change by this and by streams_through_wide_scratch (complete_network.cpp), 1.00 and 1.19 of
// memcpy, 57 faster by a twentieth and six slower (f32[256,512,256] reversed 0.83 and 1.32,
// u8[128,48,128,64]{3,2,1,0} to {2,1,3,0} 0.42 and 1.68; all on a Zen 4).
bool streams_rows_in_split_vectors(const Box& box, const MicroTile& tile, const PairSizes& sizes,
                                   const Target& target) {
  const std::int64_t element_bytes = sizes.element_bytes;
  if (!target.splits_vectors_to_stream || element_bytes > 4 || sizes.residence != Residence::kMemory ||
      !destination_rows_fill_lines(box) || !are_rows_long(box, element_bytes))
    return false;
  const bool to_shared_sets = writes_rows_apart(box, tile, kSetSpanBytes);
  if (element_bytes == 4) return to_shared_sets && writes_rows_of_pairs_of_lines(box, element_bytes);
  return element_bytes == 1 || !to_shared_sets || !read_rows_share_sets(box, tile);
}

}  // namespace relayout::plan
