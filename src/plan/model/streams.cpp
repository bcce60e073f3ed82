#include "src/plan/model/streams.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <vector>

#include "src/plan/machine/line.hpp"
#include "src/plan/model/kernel_access.hpp"

namespace relayout::plan {
namespace {

/// A stretch worth following: the prefetch begins anew on every page.
constexpr std::int64_t kStretchBytes = 2048;

/// On a Zen 3 seven conversions to two such places ran at 0.46 to 0.83 of their streamed rate through the
/// caches, three to 4 and 8 places of 2 KiB each at 0.59 to 0.84.
constexpr std::int64_t kFewestCongruent = 3;
constexpr std::int64_t kLongStretchBytes = 4096;

/// The places of a side that are visited in turn until each has been walked for a stretch.
struct VisitedPlaces {
  std::int64_t count = 1;
  std::int64_t stretch_bytes = 0;      ///< of each, gaps as long as what is walked included
  std::int64_t common_step_bytes = 0;  ///< the greatest of which all steps from place to place are multiples
};

/// Of one run of `run_bytes` a call, from the innermost loop outwards until `wanted_bytes` are walked: calls
/// `between` with each loop that goes from place to place. Returns the bytes walked.
template <class Between>
std::int64_t walk_places(const Nest& nest, std::int64_t Loop::*step, std::int64_t run_bytes,
                         std::int64_t wanted_bytes, const Between& between) {
  std::int64_t stretch_bytes = run_bytes;
  for (std::size_t i = nest.loops.size(); i-- > 0 && stretch_bytes < wanted_bytes;) {
    const Loop& loop = nest.loops[i];
    const std::int64_t moved = std::abs(loop.*step);
    if (moved <= std::max(2 * stretch_bytes, kLineBytes))
      stretch_bytes += (loop.trips - 1) * moved;
    else
      between(loop);
  }
  return stretch_bytes;
}

VisitedPlaces places_of(const Nest& nest, std::int64_t Loop::*step, std::int64_t run_bytes,
                        std::int64_t wanted_bytes) {
  VisitedPlaces places;
  places.stretch_bytes = walk_places(nest, step, run_bytes, wanted_bytes, [&](const Loop& loop) {
    places.count *= loop.trips;
    places.common_step_bytes = std::gcd(places.common_step_bytes, std::abs(loop.*step));
  });
  return places;
}

/// Of all runs of a call.
std::int64_t count_all_streams(const Nest& nest, std::int64_t Loop::*step,
                               const std::vector<Extent>& of_call) {
  const auto runs = std::max<std::int64_t>(1, std::ssize(of_call));
  return runs * count_streams(nest, step, total_bytes(of_call) / runs);
}

/// From the first byte of a side to the last. \pre sorted, not empty
std::int64_t span_of(const std::vector<Extent>& runs) {
  return runs.back().offset_bytes + runs.back().bytes - runs.front().offset_bytes;
}

}  // namespace

std::int64_t count_streams(const Nest& nest, std::int64_t Loop::*step, std::int64_t run_bytes) {
  return places_of(nest, step, run_bytes, kStretchBytes).count;
}

std::int64_t count_read_streams(const Nest& nest) {
  return count_all_streams(nest, &Loop::source_step_bytes, kernel_runs(nest).source);
}

std::int64_t count_written_streams(const Nest& nest) {
  return count_all_streams(nest, &Loop::destination_step_bytes, kernel_runs(nest).destination);
}

bool written_places_fit(const Nest& nest, std::int64_t stretch_bytes, const CacheSets& cache) {
  std::vector<Extent> runs = kernel_runs(nest).destination;
  const std::int64_t run_bytes = total_bytes(runs) / std::max<std::int64_t>(1, std::ssize(runs));
  for (Extent& run : runs) run.bytes = 1;  // a line of each
  std::vector<Loop> between;
  walk_places(nest, &Loop::destination_step_bytes, run_bytes, stretch_bytes,
              [&](const Loop& loop) { between.push_back(loop); });
  return lines_fit(runs, between, &Loop::destination_step_bytes, cache);
}

bool walks_congruent_stretches(const Nest& nest, std::int64_t most) {
  if (most < kFewestCongruent) return false;
  const std::vector<Extent> runs = kernel_runs(nest).destination;
  if (runs.empty()) return false;
  const VisitedPlaces of_one =
      places_of(nest, &Loop::destination_step_bytes, runs.front().bytes, kLongStretchBytes);
  std::int64_t common_step_bytes = of_one.common_step_bytes;
  for (const Extent& run : runs)
    common_step_bytes = std::gcd(common_step_bytes, run.offset_bytes - runs.front().offset_bytes);
  const std::int64_t count = static_cast<std::int64_t>(runs.size()) * of_one.count;
  return count >= kFewestCongruent && count <= most && of_one.stretch_bytes >= kLongStretchBytes &&
         common_step_bytes % kInterleaveBytes == 0;
}

bool fills_stretches(const Nest& nest, std::int64_t longest_bytes) {
  const KernelAccess access = kernel_runs(nest);
  if (access.source.empty() || access.destination.empty()) return false;
  std::int64_t written_bytes = total_bytes(access.destination);
  std::int64_t destination_span = span_of(access.destination);
  std::int64_t source_span = span_of(access.source);
  std::size_t inside = nest.loops.size();  // the loops from here on are counted
  while (source_span <= longest_bytes && destination_span <= longest_bytes) {
    if (destination_span >= kStretchBytes && 5 * written_bytes >= 4 * destination_span) return true;
    if (inside == 0) return false;
    const Loop& loop = nest.loops[--inside];
    written_bytes *= loop.trips;
    destination_span += (loop.trips - 1) * std::abs(loop.destination_step_bytes);
    source_span += (loop.trips - 1) * std::abs(loop.source_step_bytes);
  }
  return false;
}

}  // namespace relayout::plan
