#include "src/plan/loops/traffic.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "src/plan/model/kernel_access.hpp"

namespace relayout::plan {
namespace {

/// Lines followed one by one; larger sets are taken to grow as they did up to here.
constexpr std::size_t kFollowedLines = 1 << 16;
/// And so many are touched by one loop, most of them again where it moves by less than it covers.
constexpr std::size_t kTouchedLines = 4 * kFollowedLines;
/// Neighbours among this many lines are fetched one after the other (reads among more, if the second cache
/// keeps what the processor's prefetch brought too early).
constexpr std::size_t kReadWindowLines = 4096;
constexpr std::size_t kWriteWindowLines = 1024;
/// Of a slice of the last cache.
constexpr std::int64_t kLastCacheWays = 16;
/// The buffers' distance in lines, so that both do not begin in one set.
constexpr std::int64_t kDestinationShift = 1;

std::int64_t floor_divide(std::int64_t value, std::int64_t by) {
  return value >= 0 ? value / by : -((-value + by - 1) / by);
}

struct Cache {
  std::int64_t sets = 0;
  std::int64_t ways = 0;
  double lines() const { return static_cast<double>(sets * ways); }
};

Cache cache_of(std::int64_t bytes, std::int64_t line_bytes, std::int64_t ways) {
  return {std::max<std::int64_t>(1, bytes / line_bytes / ways), ways};
}

/// Follows one side of a nest, loop by loop from the innermost.
class SideWalk {
 public:
  SideWalk(const std::vector<Extent>& extents, std::int64_t line_bytes, std::optional<Cache> window)
      : line_bytes_(line_bytes), window_(window) {
    for (const Extent& extent : extents) {
      for (std::int64_t at = 0; at < extent.bytes; at += line_bytes_)
        touch(extent.offset_bytes + at, std::min(line_bytes_, extent.bytes - at));
    }
    settle();
    count_ = static_cast<double>(lines_.size());
  }

  double lines() const { return count_; }
  double lines_in_a_row() const { return std::max(1.0, in_a_row_); }

  /// Puts a loop around. `shift_of` gives the bytes by which iteration k is moved.
  template <class ShiftOf>
  void widen(double trips, ShiftOf shift_of) {
    const std::vector<std::int64_t> one = lines_;
    if (one.empty() || trips <= 1 || shift_of(1) == 0) return;  // the same lines again
    const auto whole = static_cast<std::int64_t>(std::ceil(trips));
    std::int64_t followed = 1;
    std::size_t touched = 0;
    for (std::size_t settled = one.size();
         followed < whole && lines_.size() < kFollowedLines && touched < kTouchedLines; ++followed) {
      const std::int64_t shift = floor_divide(shift_of(followed), line_bytes_);
      for (const std::int64_t line : one) lines_.push_back(line + shift);
      touched += one.size();
      if (lines_.size() < 2 * settled) continue;
      settle();
      settled = lines_.size();
    }
    settle();
    // Each of the further trips adds as many as those that were followed.
    const double grown = static_cast<double>(lines_.size()) / static_cast<double>(one.size());
    const double a_trip = followed > 1 ? (grown - 1) / static_cast<double>(followed - 1) : 1;
    count_ *= std::max(1.0, 1 + a_trip * (trips - 1));
  }

  /// Adds these lines to the sets of a cache.
  void occupy(const Cache& cache, std::int64_t shift, std::vector<std::int64_t>& sets) const {
    for (const std::int64_t line : lines_) {
      const std::int64_t set = line + shift;
      ++sets[static_cast<std::size_t>(((set % cache.sets) + cache.sets) % cache.sets)];
    }
  }

 private:
  void touch(std::int64_t offset, std::int64_t bytes) {
    for (std::int64_t line = floor_divide(offset, line_bytes_);
         line <= floor_divide(offset + bytes - 1, line_bytes_); ++line)
      lines_.push_back(line);
  }

  std::size_t window_lines() const { return window_ ? kReadWindowLines : kWriteWindowLines; }

  /// Whether the window's cache holds all lines followed.
  bool kept() const {
    if (!window_ || static_cast<double>(lines_.size()) > window_->lines()) return false;
    std::vector<std::int64_t> sets(static_cast<std::size_t>(window_->sets));
    occupy(*window_, 0, sets);
    return *std::ranges::max_element(sets) <= window_->ways;
  }

  void settle() {
    std::sort(lines_.begin(), lines_.end());
    lines_.erase(std::unique(lines_.begin(), lines_.end()), lines_.end());
    if (lines_.empty() || (in_a_row_ > 0 && lines_.size() > window_lines() && !kept())) return;
    double rows = 1;
    for (std::size_t i = 1; i < lines_.size(); ++i) rows += lines_[i] != lines_[i - 1] + 1 ? 1 : 0;
    in_a_row_ = static_cast<double>(lines_.size()) / rows;
  }

  std::int64_t line_bytes_;
  std::optional<Cache> window_;  ///< keeps lines fetched too early; none for writes
  std::vector<std::int64_t> lines_;
  double count_ = 0;
  double in_a_row_ = 0;  ///< within the last window; 0 before the first
};

/// The share of the lines of one side or both that lie in sets with more lines than ways.
double overflowing_share(const SideWalk& source, const SideWalk* destination, const Cache& cache) {
  if (source.lines() + (destination == nullptr ? 0 : destination->lines()) > cache.lines()) return 1;
  std::vector<std::int64_t> sets(static_cast<std::size_t>(cache.sets));
  source.occupy(cache, 0, sets);
  if (destination != nullptr) destination->occupy(cache, kDestinationShift, sets);
  double all = 0;
  double overflowing = 0;
  for (const std::int64_t lines : sets) {
    all += static_cast<double>(lines);
    if (lines > cache.ways) overflowing += static_cast<double>(lines);
  }
  return all > 0 ? overflowing / all : 0;
}

/// Lines that are fetched for the first time come in the order of the walk; those fetched anew come alone.
double mean_in_a_row(double fetched, const SideWalk& side) {
  if (fetched <= side.lines()) return side.lines_in_a_row();
  return (side.lines() * side.lines_in_a_row() + (fetched - side.lines())) / fetched;
}

/// By how many bytes iteration `k` of a loop is moved against its first.
std::int64_t shift(const Nest& nest, const Loop& loop, std::int64_t k, bool destination) {
  if (loop.table < 0) return k * (destination ? loop.destination_step_bytes : loop.source_step_bytes);
  const RunTable& table = nest.tables[static_cast<std::size_t>(loop.table)];
  const auto offset = destination ? &Run::destination_offset_bytes : &Run::source_offset_bytes;
  return table[static_cast<std::size_t>(k)].*offset - table.front().*offset;
}

}  // namespace

Traffic predict_traffic(const Nest& nest, const Target& target) {
  const KernelAccess access = kernel_access(nest);
  const std::vector<double> trips = mean_trips(nest);
  const std::array<Cache, 3> caches = {
      cache_of(target.level1_data_bytes, target.line_bytes, target.level1_data_ways),
      cache_of(target.level2_bytes, target.line_bytes, target.level2_ways),
      cache_of(target.streaming_threshold_bytes, target.line_bytes, kLastCacheWays)};
  SideWalk source(access.source, target.line_bytes, caches[1]);
  SideWalk destination(access.destination, target.line_bytes, std::nullopt);
  double around = 1;  // runs of the loops followed so far
  for (const double count : trips) around *= count;
  const bool streamed = nest.store != StorePolicy::kTemporal;  // past the last cache
  Traffic traffic;
  traffic.source[0].lines = around * source.lines();
  traffic.destination[0].lines = around * destination.lines();
  std::array<double, 3> missing = {};  // shares of the lines that some loop followed so far fetches anew
  const auto note_misses = [&] {
    for (std::size_t c = 0; c < caches.size(); ++c) {
      if (missing[c] >= 1) continue;
      const SideWalk* writes = streamed && c + 1 == caches.size() ? nullptr : &destination;
      const double more = overflowing_share(source, writes, caches[c]) - missing[c];
      if (more <= 0) continue;
      missing[c] += more;
      traffic.source[c + 1].lines += around * more * source.lines();
      traffic.destination[c + 1].lines += around * more * destination.lines();
    }
  };
  note_misses();
  for (std::size_t i = nest.loops.size(); i-- > 0;) {
    around /= std::max(trips[i], 1e-9);
    const Loop& loop = nest.loops[i];
    source.widen(trips[i], [&](std::int64_t k) { return shift(nest, loop, k, false); });
    destination.widen(trips[i], [&](std::int64_t k) { return shift(nest, loop, k, true); });
    note_misses();
  }
  for (SideTraffic& border : traffic.source) border.lines_in_a_row = mean_in_a_row(border.lines, source);
  for (SideTraffic& border : traffic.destination)
    border.lines_in_a_row = mean_in_a_row(border.lines, destination);
  return traffic;
}

}  // namespace relayout::plan
