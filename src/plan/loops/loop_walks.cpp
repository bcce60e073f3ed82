#include "src/plan/loops/loop_walks.hpp"

#include <algorithm>
#include <cstdlib>

#include "src/plan/machine/line.hpp"
#include "src/plan/model/streams.hpp"
#include "src/plan/tiles/row_sets.hpp"

namespace relayout::plan {
namespace {

// A Cascade Lake, from 10 MiB on, where memcpy falls from 22 to 9 GB/s: NCHW to NHWC of 40 to 96 channels of
// 4 bytes, 19 pairs, ran at 0.71 of memcpy in blocks, at 0.91 in the source's order (48 channels, rows of 192
// bytes, 0.67 and 1.20; 64 0.73 and 0.95; a sixth slower at worst); 112 and 128 channels at 0.76 and 0.74, 32
// at 1.07 and 0.96. Elements of 8 and 16 bytes, 8 and 4 runs, lost (1.24 and 0.92), and all did where the
// last cache is fast.
constexpr std::int64_t kFewestRunsRead = 16;
constexpr std::int64_t kMostRunsRead = 32;
constexpr std::int64_t kMostRunsOfARow = 6;
constexpr std::int64_t kFewestTrips = 16;

// Places of a Zen 5, copies of 34 to 127 bytes past the last cache: from 4 places f64[4,53327,10] ran at 0.43
// in blocks, at 0.45 in the destination's order, at 0.56 in the source's; from 16 to 37 14 pairs at 0.48,
// 0.65 and 0.55; from 68 and more 20 pairs at 0.50, 0.54 and 0.60. To 4 places u8[52722,4,91] at 0.71 in
// blocks and at 0.53 in the source's order.
constexpr std::int64_t kSeveralPlaces = 8;
constexpr std::int64_t kMostPlacesRead = 40;

// Streamed on a Zen 5. Single lines 1088 to 1408 bytes apart ran at 1.2 of memcpy in the source's order, at
// 0.79 in blocks; a multiple of 256 bytes apart at 0.82 and 0.87, of 512 at 0.43 and 0.82; within 10 KiB at
// 1.46 and 0.94. Pairs of lines gained in any case: 22 conversions 1.24 and 0.87, a multiple of 4 KiB apart
// 1.06 and 0.87.
constexpr std::int64_t kChannelSpanBytes = 256;
constexpr std::int64_t kNearPlacesBytes = 32 * 1024;

}  // namespace

std::int64_t source_sweep_bytes(const std::vector<Loop>& loops, const TileRuns& runs) {
  std::int64_t bytes = runs.runs_read() * std::max(runs.source_bytes, kLineBytes);
  for (std::size_t i = loops.size(); i-- > 0;) {
    if (std::abs(loops[i].source_step_bytes) <= runs.source_bytes) break;
    bytes *= loops[i].trips;
  }
  return bytes;
}

bool writes_one_place_from_several(const Nest& nest, const TileRuns& runs) {
  const std::int64_t read =
      runs.runs_read() * count_streams(nest, &Loop::source_step_bytes, runs.source_bytes);
  return read >= kSeveralPlaces && read <= kMostPlacesRead &&
         count_streams(nest, &Loop::destination_step_bytes, runs.destination_bytes) == 1;
}

bool writes_many_places(const Nest& nest, const TileRuns& runs) {
  // Multiples of half the sets' span lost: 40 bytes 10240 bytes apart 0.19 and 0.33.
  if (nest.loops.empty() || nest.loops.back().destination_step_bytes % (kSetSpanBytes / 2) == 0) return false;
  return count_streams(nest, &Loop::destination_step_bytes, runs.destination_bytes) >= kSeveralPlaces;
}

bool streams_lines_anywhere(const Nest& nest, const TileRuns& runs) {
  if (runs.destination_bytes > kLineBytes || nest.loops.empty()) return true;
  const Loop& inner = nest.loops.back();
  const std::int64_t step = std::abs(inner.destination_step_bytes);
  return step % kChannelSpanBytes != 0 || step * inner.trips <= kNearPlacesBytes;
}

bool both_sides_go_forwards(const std::vector<Loop>& loops, const TileRuns& runs) {
  if (loops.empty()) return false;
  const Loop& inner = loops.back();
  const std::int64_t read = runs.runs_read();
  const std::int64_t written = runs.runs_written();
  const std::int64_t row_bytes = std::abs(inner.destination_step_bytes) / written;
  return runs.source_bytes >= kLineBytes && runs.destination_bytes >= kLineBytes && read >= kFewestRunsRead &&
         read <= kMostRunsRead && inner.trips >= kFewestTrips &&
         std::abs(inner.source_step_bytes) <= runs.source_bytes && row_bytes > 2 * runs.destination_bytes &&
         row_bytes <= kMostRunsOfARow * runs.destination_bytes;
}

}  // namespace relayout::plan
