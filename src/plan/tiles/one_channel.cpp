// Server memory is interleaved between channels a few lines at a time, so that rows a multiple of 2 KiB apart
// begin on the same one. Lines streamed to such rows in turn wait for it, while the last cache takes them at
// once and sends them on in an order of its own, but can do so only for as much as it holds.
//
// How many times as fast streaming stores are, of 248 conversions to two to eight such places on a Zen 3
// whose last cache has 32 MiB, by the places to which a call writes and by the size of both buffers. In
// brackets how many are faster and slower by a twentieth.
//
//                              14 to 32 MiB    32 to 80 MiB    from 80 MiB on
//   1 or 2                     1.23 (9, 3)     1.19 (15, 4)    1.30 (17, 0)
//   to 4, of 128 bytes each    0.97 (4, 5)     1.11 (14, 2)    1.19 (14, 0)
//   to 4, from one run         -               0.96 (0, 3)     1.07 (8, 0)
//   to 4, of 16-byte elements  0.98 (2, 6)     0.98 (9, 5)     1.15 (18, 0)
//   to 4, others               0.83 (0, 1)     0.52 (0, 3)     0.57 (2, 3)
//   5 and more                 0.91 (2, 4)     0.89 (2, 7)     0.85 (1, 13)
//   table shuffles             -               0.52 (0, 5)     0.67 (0, 7)
//
// Four places of 128 bytes, from any number of runs, were streamed from 32 MiB on in a first trial: of 12
// unseen ones of up to 80 MiB one was faster and ten were slower. From one run they are streamed at any size
// (but for kMostStreamedInTurn): 20 others of 24 to 72 MiB 0.90 of memcpy through the caches and 1.03, 15
// faster and one slower (u8[672,24576] out of tiles of 8 rows 0.90 and 0.85). (Figures of pairs of less than
// 22 MiB are from when these were streamed.) Of 256 bytes, what one channel takes before the next one does,
// seven of 56 MiB and more were 1.6 times as fast; of 512 bytes to eight places, from several runs, eight
// 0.78 and 1.46.
//
// Where the rows are interleaved in the source a tile can write as many lines of each as it likes. With 512
// bytes of each, streamed, 44 conversions of 18 to 165 MiB to four or eight rows a multiple of 4 KiB apart
// ran 1.26 times as fast as through the caches, 37 and three, 20 of an odd multiple of 2 KiB 1.35 times, 19
// and one (with 256 bytes 0.96 and 1.41 times; 22 with 1 KiB 0.93 times as fast as with 512); at other
// distances 14 of four rows 0.86 times. Of 6 to 16 rows 25 ran 1.5 times as fast, 20 and three, but eight of
// 16 rows of bytes and 2-byte elements 0.93 before and 0.54, one of them faster; of two, three and five rows
// 21 ran 0.94 times as fast, five and 12.
//
// Tiles of more rows than are interleaved have pieces of each row, such as 128 bytes of each of four rows,
// then of the next four, of 32; the following 128 bytes of the first four are 4 KiB further. A tile over
// pieces that far from one another writes 512 bytes to each of its rows, where one piece at a time goes to
// all 32 in turn: 31 unseen conversions of 15 to 162 MiB ran at 1.16 of memcpy so and at 1.58 with it, 27
// faster by a twentieth and one slower. By rows, bytes of each in a piece and distance of the pieces, before
// and with it:
//
//   2 rows    64                      0.86 and 1.33 (12 of 12 faster, 0 slower)
//             256                     1.44 and 1.24 (1 of 14, 12)
//   4 rows    less than 128           1.14 and 1.02 (2 of 13, 9)
//             128 and more            1.18 and 1.60 (38 of 41, 0; with a few of 2 and 8 rows of 128)
//             1 or 2 KiB apart        1.19 and 1.11 (4 of 12, 6)
//   8 rows    256, elements of 1      1.15 and 1.54 (7 of 8, 0)
//             256, of 2 and 4         1.02 and 1.00 (3 of 7, 4)
//             128, 2 KiB apart        0.91 and 0.80 (0 of 4, 2)
//             128, 4 KiB apart        0.89 and 1.30 (8 of 8, 0)
//   elements of 8 and 16, 128 bytes and more of two to eight rows: 1.01 and 1.50 (14 of 14, 0)
//
// With the first two rules 97 unseen random pairs of 14 to 220 MiB, one in 55 of that size, ran at 1.02 of
// memcpy before and at 1.25, 73 faster and six slower (f32[8,284,16,24,32] out of tiles of 8 0.72 and 1.35,
// c128[16,4,10,42,64] between tiles of 4 1.39 and 0.43), 78 others of 14 to 24 MiB at 0.96 and 1.34, 58 and
// six. What the last cache just holds and a call writes less than 256 bytes to each place of is not streamed
// but staged where it can be: 29 of the 78 have such parts, 1.22 times as fast, 16 and five.

#include "src/plan/tiles/one_channel.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <variant>
#include <vector>

#include "src/plan/machine/line.hpp"
#include "src/plan/model/kernel_access.hpp"
#include "src/plan/model/streams.hpp"

namespace relayout::plan {
namespace {

/// The lines of one channel of the memory that follow one another.
constexpr std::int64_t kChannelBytes = 256;
constexpr std::int64_t kHalfChannelBytes = kChannelBytes / 2;

constexpr std::size_t kPlacesOfAnySize = 2;
constexpr std::size_t kMostStreamedPlaces = 4;
constexpr int kWideElementBytes = 16;
/// More rows than these that take turns, as the 8 of a tile that calls write four or two at a time, are no
/// fewer places for that, unless a call writes 512 bytes of each. Up to Target::streamed_places_from_bytes 40
/// conversions of 1 and 2 bytes out of (8,128)(4,1) and (8,128)(2,1) tiles, 24 to 60 MiB, ran at 0.95 of
/// memcpy streamed and at 1.08 not, 31 faster by a twentieth and one slower, 66 of 14 to 24 MiB at 0.64 and
/// 0.88, 61 and five, 77 of 60 to 80 MiB at 1.08 and 1.16, 49 and nine, 38 random pairs of any width at 0.88
/// and 1.06, 19 and eight.
constexpr std::int64_t kMostStreamedInTurn = 4;
constexpr std::int64_t kLeastElementBytesOfManyRows = 4;

constexpr TileRunLimits kRunsOfRows = {32, 512};

/// Whether `rows` leads to rows like `row` that lie in the source element by element, as tiles of few rows
/// have them.
bool leads_to_interleaved_rows(const Axis& rows, const Axis& row) {
  const std::int64_t most_rows = row.destination_stride < kLeastElementBytesOfManyRows ? 8 : 16;
  constexpr double kMostRoundedTimes = 1.4;  // which leaves out five rows, and nine to 11
  if (rows.extent > most_rows || rows.guard >= 0 || row.guard >= 0) return false;
  if (rows.source_stride != row.destination_stride || row.source_stride != rows.extent * rows.source_stride)
    return false;
  const auto rounded = static_cast<double>(std::bit_ceil(static_cast<std::uint64_t>(rows.extent)));
  return rows.destination_stride % kInterleaveBytes == 0 &&
         rounded <= kMostRoundedTimes * static_cast<double>(rows.extent);
}

/// Whether tiles of several pieces, of so many bytes of each interleaved row, gain (by the table above).
bool suits_several_pieces(std::int64_t rows, std::int64_t piece_bytes, std::int64_t element_bytes) {
  if (rows == 2) return piece_bytes >= kLineBytes && piece_bytes < kChannelBytes;
  if (rows == 4) return piece_bytes >= kHalfChannelBytes;
  return rows == 8 && piece_bytes >= kHalfChannelBytes && (piece_bytes < kChannelBytes || element_bytes == 1);
}

/// Whether what follows a piece of interleaved rows in the destination lies behind other rows in the source.
bool continues_far_away(const Box& box, const Axis& rows, const Axis& row) {
  constexpr std::int64_t kFarPieceBytes = 4096;
  const std::int64_t piece_bytes = row.extent * row.destination_stride;
  return suits_several_pieces(rows.extent, piece_bytes, row.destination_stride) &&
         std::ranges::any_of(box.axes, [&](const Axis& next) {
           return next.destination_stride == piece_bytes && next.source_stride >= kFarPieceBytes &&
                  next.extent * piece_bytes >= kRunsOfRows.destination_bytes && next.guard < 0;
         });
}

bool has_interleaved_rows(const Box& box, std::int64_t element_bytes) {
  constexpr std::int64_t kFewestRows = 4;
  return std::ranges::any_of(box.axes, [&](const Axis& row) {
    if (row.destination_stride != element_bytes) return false;
    const bool is_long = row.extent * element_bytes >= kRunsOfRows.destination_bytes;
    return std::ranges::any_of(box.axes, [&](const Axis& rows) {
      return leads_to_interleaved_rows(rows, row) &&
             (is_long ? rows.extent >= kFewestRows : continues_far_away(box, rows, row));
    });
  });
}

/// Whether a permutation is streamed though it writes one channel, since the last cache no longer helps, or
/// is not needed.
bool outlasts_last_cache(const Nest& nest, const PermuteKernel& permute, std::int64_t footprint_bytes,
                         const Target& target) {
  if (target.streamed_places_from_bytes == 0) return false;
  const KernelAccess runs = kernel_runs(nest);
  const bool from_one_run = runs.source.size() == 1;
  const bool few_places = runs.destination.size() <= kMostStreamedPlaces;
  const std::int64_t place_bytes = runs.destination.front().bytes;
  const bool is_far = footprint_bytes > target.streamed_places_from_bytes;
  if (!is_far && place_bytes < kRunsOfRows.destination_bytes &&
      count_written_streams(nest) > kMostStreamedInTurn)
    return false;
  if (runs.destination.size() <= kPlacesOfAnySize) return true;
  if (place_bytes >= kRunsOfRows.destination_bytes) return true;
  if (place_bytes >= kChannelBytes && (few_places || from_one_run)) return true;
  if (!few_places) return false;
  if (place_bytes >= kHalfChannelBytes && from_one_run) return true;
  if (!is_far) return false;
  return place_bytes >= kHalfChannelBytes || from_one_run ||
         permute.network.element_bytes >= kWideElementBytes;
}

/// To however many places.
bool takes_turns_on_one_channel(const Nest& nest) {
  return walks_congruent_stretches(nest, std::numeric_limits<std::int64_t>::max());
}

}  // namespace

bool writes_one_channel(const Nest& nest, std::int64_t footprint_bytes, const Target& target) {
  const auto* permute = std::get_if<PermuteKernel>(&nest.kernel);
  if (permute == nullptr && !std::holds_alternative<ShuffleKernel>(nest.kernel)) return false;
  if (!walks_congruent_stretches(nest, target.followed_congruent_streams)) return false;
  return permute == nullptr || !outlasts_last_cache(nest, *permute, footprint_bytes, target);
}

std::optional<TileRunLimits> runs_to_one_channel(const Box& box, const PairSizes& sizes,
                                                 const Target& target) {
  const bool may_stream = sizes.residence == Residence::kMemory || sizes.wants_whole_lines;
  if (target.streamed_places_from_bytes == 0 || !may_stream ||
      sizes.footprint_bytes() <= target.streamed_rows_from_bytes || !destination_rows_begin_on_lines(box) ||
      !has_interleaved_rows(box, sizes.element_bytes))
    return std::nullopt;
  const auto tile = power_of_two_tile(box, sizes.element_bytes, target, kRunsOfRows);
  const bool fits = tile && tile->source_run_bytes >= kRunsOfRows.source_bytes &&
                    tile->destination_run_bytes >= kRunsOfRows.destination_bytes;
  return fits ? std::optional(kRunsOfRows) : std::nullopt;
}

/// 79 places of 64 bytes each 0.79 of memcpy, streamed 0.36 (Zen 3).
bool waits_for_one_channel(const Nest& nest, const Target& target) {
  return target.followed_congruent_streams > 0 &&
         kernel_runs(nest).destination.front().bytes < kChannelBytes && takes_turns_on_one_channel(nest);
}

/// Of 14400 random pairs of 14 to 82 MiB, on a Zen 3, 126 change, 0.56 and 0.76 of memcpy, 94 faster by a
/// twentieth and 12 slower (u8[7,8,908,512][2, 3, 1, 0] to row-major 0.17 and 0.88, bf16[524288,33]
/// transposed 0.33 and 0.82); of 9000 of 80 to 220 MiB 116, 0.68 and 0.81, 67 and 25. Of pairs that read
/// whole lines 237 ran at 0.92 of memcpy as they are and at 0.81 staged, 20 that write to 16 places and more
/// at 0.64 and 0.60.
bool streams_parts_of_rows_to_one_channel(const Nest& nest, const Target& target) {
  constexpr std::size_t kFewestPlaces = 2;  // four that write one place ran at 0.96 and 0.85
  constexpr std::size_t kMostPlaces = 8;
  if (target.streamed_places_from_bytes == 0 || nest.store != StorePolicy::kStreaming ||
      !std::holds_alternative<PermuteKernel>(nest.kernel))
    return false;
  const KernelAccess runs = kernel_runs(nest);
  const std::size_t places = runs.destination.size();
  return places >= kFewestPlaces && places <= kMostPlaces && runs.source.front().bytes < kLineBytes &&
         runs.destination.front().bytes < kChannelBytes && takes_turns_on_one_channel(nest);
}

}  // namespace relayout::plan
