// Calls that have one run on a side follow one another in stretches of the other that are too short, or too
// many, for a processor's own prefetch. On a Zen 3, AVX2, over memcpy, where both buffers are larger than
// 9 MiB:
// - 400 random pairs whose calls write one run: 1.17 and 1.26 with the next block fetched, 194 faster by a
//   twentieth and 28 slower (u8[355,32,100,16] to [0, 2, 3, 1] 0.54 and 1.00, bf16[145288,31][1, 0] into
//   tiles of 8 0.39 and 0.65). Whatever else is asked of them, of rows that share cache sets and of long rows
//   that begin on lines as many gain; up to 9 MiB 36 pairs gain nothing.
// - 49 whose calls read one run and write 24 and more: 0.66 and 0.78, 39 and one.
// - of up to 18 MiB, calls that read one run of 1 KiB and more: 78 pairs 1.12 times as fast, 58 and three; of
//   256 bytes to 1 KiB 246 pairs 1.03 times, 80 and 19; of 64 to 255 bytes 107 pairs 1.01 times, 20 and 15.
//   From 24 MiB on 194 others 0.98 times, 49 and 76: memory then does little else.

#include "src/plan/single_run.hpp"

namespace relayout::plan {
namespace {

/// Shorter ones read are a fetch for each few bytes: of 1 to 7 bytes 164 pairs 1.02 times as fast, 30 faster
/// by a twentieth and 16 slower, of 8 to 15 bytes 65 pairs 1.04 times, 18 and five.
constexpr std::int64_t kShortestRunsRead = 8;
constexpr std::int64_t kFewestRunsWritten = 24;
constexpr std::int64_t kShortestSingleRunRead = 256;

}  // namespace

bool fetches_single_run(const TileRuns& runs, const PairSizes& sizes, const Target& target) {
  if (target.single_runs_fetched_from_bytes == 0) return false;
  if (sizes.footprint_bytes() <= target.single_runs_fetched_from_bytes) return false;
  if (runs.runs_read() > 1) return runs.source_bytes >= kShortestRunsRead;
  return runs.runs_written() >= kFewestRunsWritten ||
         (runs.source_bytes >= kShortestSingleRunRead &&
          sizes.footprint_bytes() <= target.streamed_rows_from_bytes);
}

}  // namespace relayout::plan
