#include "src/plan/lines_fetched.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
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

/// Whether the offsets are groups of `count` that are `stride_bytes` apart within.
bool repeats(const std::vector<std::int64_t>& offsets, std::size_t count, std::int64_t stride_bytes) {
  if (offsets.size() % count != 0) return false;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (offsets[i] - offsets[i - i % count] != static_cast<std::int64_t>(i % count) * stride_bytes)
      return false;
  }
  return true;
}

/// Takes the innermost regular repeat out of rising offsets, whose first ones are left; of irregular ones all
/// at once, at the mean distance as far as their alignment allows. \pre two offsets
Repeat innermost_repeat(std::vector<std::int64_t>& offsets) {
  const std::int64_t stride = offsets[1] - offsets[0];
  std::size_t count = offsets.size();
  while (count > 1 && !repeats(offsets, count, stride)) --count;
  if (count > 1) {
    for (std::size_t i = 0; i * count < offsets.size(); ++i) offsets[i] = offsets[i * count];
    offsets.erase(offsets.begin() + static_cast<std::ptrdiff_t>(offsets.size() / count), offsets.end());
    return {static_cast<double>(count), stride};
  }
  std::int64_t alignment = 0;
  for (const std::int64_t offset : offsets) alignment = std::gcd(alignment, offset - offsets.front());
  const auto steps = static_cast<std::int64_t>(offsets.size()) - 1;
  const std::int64_t mean = (offsets.back() - offsets.front()) / steps;
  offsets.erase(offsets.begin() + 1, offsets.end());
  return {static_cast<double>(steps + 1), std::max(mean / alignment, std::int64_t{1}) * alignment};
}

/// The places of one side that a call and the loops put around it so far visit.
class SideFootprint {
 public:
  explicit SideFootprint(const std::vector<Extent>& runs) {
    if (runs.empty()) return;
    run_bytes_ = std::ranges::min_element(runs, {}, &Extent::bytes)->bytes;
    std::vector<std::int64_t> offsets(runs.size());
    std::ranges::transform(runs, offsets.begin(), &Extent::offset_bytes);
    while (offsets.size() > 1) add(innermost_repeat(offsets));
  }

  void add(Repeat repeat) {
    repeat.stride_bytes = std::abs(repeat.stride_bytes);
    if (repeat.count <= 1 || repeat.stride_bytes == 0) return;
    const auto shorter = [&](const Repeat& other) { return other.stride_bytes <= repeat.stride_bytes; };
    repeats_.insert(std::ranges::find_if_not(repeats_, shorter), repeat);
  }

  /// Distinct lines; of runs that begin anywhere the mean number. What comes around begins at multiples of
  /// `alignment_bytes`, which divides a line.
  double lines(std::int64_t alignment_bytes) const {
    if (run_bytes_ == 0) return 0;
    double run_bytes = static_cast<double>(run_bytes_);
    double runs = 1;
    for (const Repeat& repeat : repeats_) {
      const auto stride = static_cast<double>(repeat.stride_bytes);
      if (stride <= run_bytes || repeat.stride_bytes < kLineBytes) {
        run_bytes += stride * (repeat.count - 1);
      } else {
        runs *= repeat.count;
        alignment_bytes = std::gcd(alignment_bytes, repeat.stride_bytes);
      }
    }
    const auto alignment = static_cast<double>(alignment_bytes);
    const double touched = std::ceil(run_bytes / alignment) * alignment;
    return runs * (1 + (touched - alignment) / kLineBytes);
  }

 private:
  std::int64_t run_bytes_ = 0;
  std::vector<Repeat> repeats_;  ///< by rising stride
};

/// One side of a nest, and the lines fetched for it by the loops put around so far.
class SideCount {
 public:
  SideCount(const std::vector<Extent>& runs, const std::vector<Loop>& loops, std::int64_t Loop::*step,
            std::int64_t base_bytes)
      : footprint_(runs), loops_(loops), step_(step) {
    alignments_.reserve(loops.size() + 1);
    alignments_.push_back(std::gcd(kLineBytes, base_bytes));
    for (const Loop& loop : loops) alignments_.push_back(std::gcd(alignments_.back(), loop.*step));
    lines_ = fetched_ = footprint_.lines(alignments_.back());
  }

  double lines() const { return lines_; }
  double fetched() const { return fetched_; }

  /// Puts loop `index` around those inside it.
  void widen(std::size_t index, double trips, bool kept) {
    footprint_.add({trips, loops_[index].*step_});
    const double before = std::exchange(lines_, footprint_.lines(alignments_[index]));
    fetched_ *= kept && before > 0 ? lines_ / before : trips;
  }

 private:
  SideFootprint footprint_;
  const std::vector<Loop>& loops_;
  std::int64_t Loop::*step_;
  std::vector<std::int64_t> alignments_;  ///< before each loop, and before the call: where they may begin
  double lines_ = 0;
  double fetched_ = 0;
};

}  // namespace

double lines_fetched(const Nest& nest, std::int64_t cache_bytes) {
  const KernelAccess access = kernel_runs(nest);
  const std::vector<double> trips = mean_trips(nest);
  SideCount source(access.source, nest.loops, &Loop::source_step_bytes, nest.source_base_bytes);
  SideCount destination(access.destination, nest.loops, &Loop::destination_step_bytes,
                        nest.destination_base_bytes);
  const double room = kKept * static_cast<double>(cache_bytes) / kLineBytes;
  for (std::size_t i = nest.loops.size(); i-- > 0;) {
    const bool kept = nest.loops[i].table < 0 && source.lines() + destination.lines() <= room;
    source.widen(i, trips[i], kept);
    destination.widen(i, trips[i], kept);
  }
  return source.fetched() + destination.fetched();
}

}  // namespace relayout::plan
