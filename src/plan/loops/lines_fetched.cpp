#include "src/plan/loops/lines_fetched.hpp"

#include <limits>
#include <vector>

#include "src/plan/fetches/rest_of_rows.hpp"
#include "src/plan/loops/side_count.hpp"
#include "src/plan/machine/line.hpp"
#include "src/plan/model/kernel_access.hpp"

namespace relayout::plan {
namespace {

/// Of a cache, what one trip may touch so that its lines are still there in the next one.
constexpr double kKept = 0.7;

/// Of a side's lines, those in sets that are not too full of both sides'.
double kept_part(const LinesPerSet& side, const LinesPerSet& other, float ways) {
  float kept = 0;
  float all = 0;
  for (std::size_t set = 0; set < side.size(); ++set) {
    all += side[set];
    if (side[set] + other[set] <= ways) kept += side[set];
  }
  return all > 0 ? static_cast<double>(kept / all) : 1;
}

struct SideCounts {
  explicit SideCounts(const Nest& nest, const KernelAccess& access)
      : source(access.source, nest.loops, &Loop::source_step_bytes, nest.source_base_bytes),
        destination(access.destination, nest.loops, &Loop::destination_step_bytes,
                    nest.destination_base_bytes) {}

  SideCount source;
  SideCount destination;
};

/// Of which trips leave each other `room` lines.
FetchedLines fetched_into(const Nest& nest, double room) {
  const std::vector<double> trips = mean_trips(nest);
  auto [source, destination] = SideCounts(nest, kernel_runs(nest));
  for (std::size_t i = nest.loops.size(); i-- > 0;) {
    const bool kept = nest.loops[i].table < 0 && source.lines() + destination.lines() <= room;
    source.widen(i, trips[i], kept ? 1 : 0);
    destination.widen(i, trips[i], kept ? 1 : 0);
  }
  return {source.fetched(), destination.fetched()};
}

}  // namespace

double lines_fetched(const Nest& nest, std::int64_t cache_bytes) {
  return fetched_into(nest, kKept * static_cast<double>(cache_bytes) / kLineBytes).both();
}

FetchedLines lines_touched(const Nest& nest) {
  return fetched_into(nest, std::numeric_limits<double>::infinity());
}

FetchedLines lines_fetched_by_sets(const Nest& nest, const Target& target) {
  const auto ways = static_cast<float>(target.level1_data_ways);
  const std::vector<double> trips = mean_trips(nest);
  const KernelAccess access = kernel_runs(nest);
  auto [source, destination] = SideCounts(nest, access);
  if (bytes_to_rest_of_rows(nest, access.destination, target.level1_data_bytes) > 0)
    destination.fetch_next_lines();
  bool keeps_any = true;  // more loops touch more lines
  for (std::size_t i = nest.loops.size(); i-- > 0;) {
    double source_kept = 0;
    double destination_kept = 0;
    if (keeps_any && nest.loops[i].table < 0) {
      const LinesPerSet read = source.per_set(i);
      const LinesPerSet written = destination.per_set(i);
      source_kept = kept_part(read, written, ways);
      destination_kept = kept_part(written, read, ways);
      keeps_any = source_kept + destination_kept > 0;
    }
    source.widen(i, trips[i], source_kept);
    destination.widen(i, trips[i], destination_kept);
  }
  return {source.fetched(), destination.fetched()};
}

bool fetches_hardly_more(const Nest& other, const Nest& nest, const Target& target) {
  return lines_fetched_by_sets(other, target).both() <=
         kHardlyMoreLines * lines_fetched_by_sets(nest, target).both();
}

}  // namespace relayout::plan
