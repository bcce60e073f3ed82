#include "src/plan/lines_fetched.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include "src/plan/kernel_access.hpp"
#include "src/plan/line.hpp"

namespace relayout::plan {
namespace {

/// Of a cache, what one trip may touch so that its lines are still there in the next one.
constexpr double kKept = 0.7;

/// Places a stride apart that a side visits.
struct Repeat {
  double count = 1;
  std::int64_t stride_bytes = 0;
};

/// The places of one side that a call and the loops put around it so far visit.
class SideFootprint {
 public:
  SideFootprint(const std::vector<Extent>& extents, std::int64_t base_bytes)
      : aligned_(base_bytes % kLineBytes == 0) {
    const std::vector<Extent> runs = merged_runs(extents);
    if (runs.empty()) return;
    run_bytes_ = std::ranges::min_element(runs, {}, &Extent::bytes)->bytes;
    if (runs.size() == 1) return;
    const std::int64_t reach = runs.back().offset_bytes - runs.front().offset_bytes;
    add({static_cast<double>(runs.size()), reach / static_cast<std::int64_t>(runs.size() - 1)});
  }

  void add(Repeat repeat) {
    repeat.stride_bytes = std::abs(repeat.stride_bytes);
    if (repeat.count <= 1 || repeat.stride_bytes == 0) return;
    const auto shorter = [&](const Repeat& other) { return other.stride_bytes <= repeat.stride_bytes; };
    repeats_.insert(std::ranges::find_if_not(repeats_, shorter), repeat);
  }

  /// Distinct lines; of runs that begin anywhere the mean number.
  double lines() const {
    if (run_bytes_ == 0) return 0;
    double run_bytes = static_cast<double>(run_bytes_);
    double runs = 1;
    bool aligned = aligned_;
    for (const Repeat& repeat : repeats_) {
      const auto stride = static_cast<double>(repeat.stride_bytes);
      if (stride <= run_bytes || repeat.stride_bytes < kLineBytes) {
        run_bytes += stride * (repeat.count - 1);
      } else {
        runs *= repeat.count;
        aligned = aligned && repeat.stride_bytes % kLineBytes == 0;
      }
    }
    const double whole = run_bytes / kLineBytes;
    return runs * (aligned ? std::ceil(whole) : whole + 1);
  }

 private:
  std::int64_t run_bytes_ = 0;
  bool aligned_;
  std::vector<Repeat> repeats_;  ///< by rising stride
};

/// One side, and the lines fetched for it so far.
struct SideCount {
  SideFootprint footprint;
  double lines;
  double fetched;

  explicit SideCount(SideFootprint places)
      : footprint(std::move(places)), lines(footprint.lines()), fetched(lines) {}

  void widen(double trips, std::int64_t step_bytes, bool kept) {
    footprint.add({trips, step_bytes});
    const double before = std::exchange(lines, footprint.lines());
    fetched *= kept && before > 0 ? lines / before : trips;
  }
};

}  // namespace

double lines_fetched(const Nest& nest, std::int64_t cache_bytes) {
  const KernelAccess access = kernel_access(nest);
  const std::vector<double> trips = mean_trips(nest);
  SideCount source(SideFootprint(access.source, nest.source_base_bytes));
  SideCount destination(SideFootprint(access.destination, nest.destination_base_bytes));
  const double room = kKept * static_cast<double>(cache_bytes) / kLineBytes;
  for (std::size_t i = nest.loops.size(); i-- > 0;) {
    if (trips[i] <= 1) continue;
    const Loop& loop = nest.loops[i];
    const bool kept = loop.table < 0 && source.lines + destination.lines <= room;
    source.widen(trips[i], loop.source_step_bytes, kept);
    destination.widen(trips[i], loop.destination_step_bytes, kept);
  }
  return source.fetched + destination.fetched;
}

}  // namespace relayout::plan
