// Calls that have one run on a side, or on both, follow one another in stretches that are too short, or too
// many, for a processor's own prefetch. On a Zen 3, AVX2, over memcpy, where both buffers are larger than
// 9 MiB:
// - 369 random pairs whose calls write one run: 1.21 and 1.32 with the next block fetched, 190 faster by a
//   twentieth and 23 slower (u8[355,32,100,16] to [0, 2, 3, 1] 0.54 and 1.00, bf16[145288,31][1, 0] into
//   tiles of 8 0.39 and 0.65). Of rows that share cache sets and of long rows that begin on lines as many
//   gain; up to 9 MiB 45 pairs 0.98 times as fast, ten and ten.
// - 49 whose calls read one run and write 24 and more: 0.66 and 0.78, 39 and one.
// - calls that read one run and write fewer, of up to 18 MiB (now 22), nothing streamed: runs of 1 KiB and
//   more 78 pairs 1.12 times as fast, 58 and three; of 256 bytes to 1 KiB 246 pairs 1.03 times, 80 and 19; of
//   64 to 255 bytes 107 pairs 1.01 times, 20 and 15. From 24 MiB on 195 pairs 0.96 times, 51 and 78: memory
//   then does little else.
// - from 14 MiB on, streamed, 154 that read one run and write one, permutations and shuffles: 1.50 and 1.59,
//   63 and 20 (u8[8192,13715]{1,0:T(8,128)(2,1)} to {1,0:T(4,1)} 0.61 and 0.95, c128[60,16384] between packs
//   of 4 1.09 and 1.67; u8[1704,770,64] out of (16,1) tiles 1.61 and 1.12). In the caches 42 pairs of 14 to
//   22 MiB 0.84 and 0.86, eight and two. Of 204 copies of 65 bytes to 1 KiB, from 9 MiB on, 1.07 and 1.09, 57
//   and 24, which is not worth a fetch for each (prefetch_choice.cpp has copies fetch along their runs only).
//
// On a Granite Rapids, past the last cache: of 2800 random pairs 191 whose calls read one run 1.26 and 1.29,
// 37 faster and nine slower, those of 256 bytes and more that write fewer than 24 among them, though streamed
// (103 others 1.34 and 1.37, 27 and two); 288 that read several and write one are as fast, 19 and 19.

#include "src/plan/loops/single_run.hpp"

namespace relayout::plan {
namespace {

/// Shorter ones read are a fetch for each few bytes: of 1 to 7 bytes 171 pairs 1.02 times as fast, 32 faster
/// by a twentieth and 16 slower, of 8 to 15 bytes 68 pairs 1.03 times, 19 and five.
constexpr std::int64_t kShortestRunsRead = 8;
constexpr std::int64_t kFewestRunsWritten = 24;
constexpr std::int64_t kShortestSingleRunRead = 256;

}  // namespace

bool fetches_single_run(const TileRuns& runs, const PairSizes& sizes, const Target& target) {
  const FetchedSingleRuns fetched = target.fetched_single_runs;
  if (fetched == FetchedSingleRuns::kNone || !is_past_own_share(sizes, target)) return false;
  if (runs.runs_read() > 1)
    return fetched == FetchedSingleRuns::kReadOrWritten && runs.source_bytes >= kShortestRunsRead;
  if (runs.runs_written() == 1) return sizes.footprint_bytes() > target.streamed_rows_from_bytes;
  const bool may_be_few =
      fetched == FetchedSingleRuns::kRead || sizes.footprint_bytes() <= target.streamed_rows_from_bytes;
  return runs.runs_written() >= kFewestRunsWritten ||
         (runs.source_bytes >= kShortestSingleRunRead && may_be_few);
}

}  // namespace relayout::plan
