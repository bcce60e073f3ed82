// Of 900 random pairs of 10 to 64 MiB on a Granite Rapids, a second cache of 2 MiB in 16 ways, streaming
// stores slow down 227 of 397 and speed up 39: what is written goes through the last cache at the rate of
// memcpy or nearly so. Where the innermost loop goes from row to row and rows crowd sets, it does not: of
// these and of 2100 others 94 change, 0.79 and 1.04 of memcpy, 75 faster by a twentieth and eight slower
// (f32[196,16384][1, 0] to [0, 1], rows 64 KiB apart, 0.43 and 0.85, bf16[14,128,8,128,9][1, 4, 3, 2, 0] to
// [2, 0, 3, 1, 4] 0.37 and 0.79).

#include "src/plan/loops/crowded_rows.hpp"

#include <cstdint>
#include <cstdlib>

#include "src/plan/model/block_lines.hpp"
#include "src/plan/model/streams.hpp"

namespace relayout::plan {
namespace {

/// Rows of which so much is written before the next one are left behind, others count. With 512 bytes 82 of
/// these pairs change, 1.34 times as fast, with 2 KiB 103, 1.28 times, 12 of them slower. Half the ways
/// instead of all: 121, 1.23 times, 17.
constexpr std::int64_t kLeftBehindBytes = 1024;
/// Places that are written in turn, runs of a call included. Fewer come back before the last cache, if that
/// is shared, has lost their lines: of 260 transposes of 9 to 160 rows that lie so 34 would be streamed, 0.87
/// and 0.69, none faster by a twentieth and 31 slower (f32[25,180224] 0.95 and 0.41), of 1600 random pairs
/// 12, 0.97 and 0.86, none and six; at AVX2 28, 0.87 and 0.78, and nine. 160 and 200 would keep some that
/// lose.
constexpr std::int64_t kFewestPlaces = 128;
/// One part in so many of the destination. Of 17 pairs that have more to fill six were slower
/// (u8[76,512,5,32] into (8,128)(2,1) tiles, three quarters padding, 0.94 and 0.50).
constexpr std::int64_t kMostPaddingShare = 20;

}  // namespace

bool writes_crowded_rows(const Nest& nest, const PlanInputs& inputs) {
  CacheSets sets = second_cache(inputs.target);
  const std::int64_t span_bytes = sets.sets * sets.line_bytes;
  if (nest.loops.empty() || 2 * std::abs(nest.loops.back().destination_step_bytes) < span_bytes) return false;
  if (kMostPaddingShare * inputs.sizes.filled_bytes > inputs.sizes.destination_bytes) return false;
  if (count_written_streams(nest) < kFewestPlaces) return false;
  --sets.ways;
  return !written_places_fit(nest, kLeftBehindBytes, sets);
}

}  // namespace relayout::plan
