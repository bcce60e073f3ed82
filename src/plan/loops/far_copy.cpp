// Copies past the last cache wait for lines that nobody fetched ahead. Reads, and writes that go through the
// caches, are followed by the processor's prefetch as long as each side is walked in a few streams of
// neighbouring lines. Streamed writes only ask that lines of one page of the memory come close together.
// Measured on a Zen 4 with 32-byte vectors, as ratios to memcpy:
// - f32[113,341,100,11]{2,1,0,3:T(8)} to {2,3,1,0}, runs of 400 bytes: 0.47 in the source's order, which
//   writes each 4400 bytes from the one before; 0.88 in the destination's, which reads 11 streams.
// - f32[4506,3,100,15][1,0,3,2] to [1,3,0,2]: 0.59 with 4506 as the outermost loop, 0.83 with shares of it.
// - f64[243,16384]{1,0:T(8,128)} to [0,1], streamed runs of 1 KiB: 0.74 with the longest loop brought out,
//   1.23 in the source's order.
// - Streamed runs of 64 bytes to places 2 KiB apart: 1.13 in blocks that write 256 bytes, 1.32 with 1 KiB,
//   0.77 in the source's order. To 3 places in turn, or within 26 KiB: 0.80, 0.95 and 1.49.

#include "src/plan/loops/far_copy.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <utility>
#include <vector>

#include "src/plan/model/streams.hpp"

namespace relayout::plan {
namespace {

/// What blocks of streamed runs grow to; the longer runs may be written in any order.
constexpr std::int64_t kStreamedRunBytes = 1024;
constexpr std::int64_t kLongCopyBytes = 256;
/// What blocks of other runs grow to: as kCopyRunBytes of loop_goals.cpp.
constexpr std::int64_t kFollowedRunBytes = 256;
/// Streams that are written a line at a time, all pages of the memory open.
constexpr std::int64_t kFewStreams = 16;
/// Runs may change places within so many bytes in any order: all their lines' pages of memory stay open.
constexpr std::int64_t kWindowBytes = 32 * 1024;

std::int64_t count_streams(const Nest& nest, const TileRuns& runs) {
  return count_streams(nest, &Loop::source_step_bytes, runs.source_bytes) +
         count_streams(nest, &Loop::destination_step_bytes, runs.destination_bytes);
}

/// Whether the loops of the shortest steps to write cover a few pages on both sides and nothing else.
bool moves_within_windows(const Nest& nest, std::int64_t run_bytes) {
  std::vector<Loop> loops = nest.loops;
  std::ranges::sort(loops, {}, &Loop::destination_step_bytes);
  std::int64_t moved = run_bytes, read = run_bytes, written = run_bytes;
  for (std::size_t i = 0; i < loops.size(); ++i) {
    moved *= loops[i].trips;
    read += (loops[i].trips - 1) * std::abs(loops[i].source_step_bytes);
    written += (loops[i].trips - 1) * std::abs(loops[i].destination_step_bytes);
    if (moved > kWindowBytes) return false;
    if (i > 0 && read == moved && written == moved) return true;
  }
  return false;
}

Nest ordered(const Nest& nest, const TileRuns& runs, int ragged_guards, LoopGoals goals, LoopWalk walk) {
  Nest result = nest;
  goals.walk = walk;
  order_loops(result, runs, ragged_guards, goals);
  return result;
}

void order_streamed(Nest& nest, const TileRuns& runs, int ragged_guards) {
  const LoopGoals goals{.contiguous_run_bytes = kStreamedRunBytes,
                        .outermost = OutermostRule::shares_if_fewer_than(kFewTrips)};
  Nest forwards = ordered(nest, runs, ragged_guards, goals, LoopWalk::kSource);
  const bool anywhere =
      runs.tile_bytes >= kLongCopyBytes || moves_within_windows(nest, runs.tile_bytes) ||
      count_streams(forwards, &Loop::destination_step_bytes, runs.destination_bytes) <= kFewStreams;
  if (anywhere)
    nest = std::move(forwards);
  else
    order_loops(nest, runs, ragged_guards, goals);
}

void order_by_streams(Nest& nest, const TileRuns& runs, int ragged_guards) {
  LoopGoals goals{.contiguous_run_bytes = kFollowedRunBytes};
  Nest best = ordered(nest, runs, ragged_guards, goals, LoopWalk::kBlocked);
  std::int64_t fewest = count_streams(best, runs);
  goals.outermost = OutermostRule::shares_if_fewer_than(kFewTrips);
  for (const LoopWalk walk : {LoopWalk::kBlocked, LoopWalk::kSource, LoopWalk::kDestination}) {
    Nest other = ordered(nest, runs, ragged_guards, goals, walk);
    const std::int64_t streams = count_streams(other, runs);
    if (4 * streams > 3 * fewest) continue;  // near ties went either way
    fewest = streams;
    best = std::move(other);
  }
  nest = std::move(best);
}

}  // namespace

void order_far_copy(Nest& nest, const TileRuns& runs, int ragged_guards, bool streamed) {
  if (streamed)
    order_streamed(nest, runs, ragged_guards);
  else
    order_by_streams(nest, runs, ragged_guards);
}

}  // namespace relayout::plan
