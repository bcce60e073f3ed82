// In the last cache (figures of a Zen 4). Rows that are a multiple of 4 KiB apart, a few of them written by
// each call and the next few by the next, fill the sets of the first cache with lines that leave for the last
// one together: f32[8192,128] to [1, 0, 1 p(8)], 16 rows 256 KiB apart in blocks of 256 bytes, ran at 0.53 to
// 0.81 of memcpy, depending on which pages it got, at 0.93 in the destination's order,
// c128[4,16,80,80]{1,3,2,0} to row-major at 0.54 and 0.89, bf16[512,4096] out of (16,128)(2,1) tiles at 0.56
// and 0.93.

#include "src/plan/loops/written_sets.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "src/plan/machine/line.hpp"
#include "src/plan/model/kernel_access.hpp"
#include "src/plan/tiles/row_sets.hpp"

namespace relayout::plan {
namespace {

constexpr std::size_t kLines = 64;
constexpr std::int64_t kSets = kSetSpanBytes / kLineBytes;

/// Of a set's lines, those that are few. With vectors of 32 bytes half of them, as of calls that write to
/// four places in turn, is too much: 73 pairs 0.72 and 0.76, 23 faster and 18 slower, with a quarter 18, 0.62
/// and 0.87, 14 and none.
constexpr double kFew = 0.5;
constexpr double kFewInNarrowVectors = 0.25;

/// Rows to read that the processor's prefetch finds, being so near each other in the mean, or that are worth
/// it, being so long. 512 bytes to 2 KiB apart do nearly as well, any distance does not: 62 more pairs 0.62
/// and 0.70, 32 faster and 22 slower. Rows of 256 bytes or 1 KiB count as long as well. Of shorter runs than
/// lines 9 more, 1.16 times as fast, at AVX2 slower.
constexpr std::int64_t kNearRowBytes = 1536;
constexpr std::int64_t kLongRunBytes = 512;

/// Different lines, in the order in which they are written first.
class WrittenLines {
 public:
  bool is_full() const { return count_ == kLines; }

  void add(const Extent& run, std::int64_t offset_bytes) {
    const std::int64_t begin = run.offset_bytes + offset_bytes;
    for (std::int64_t line = line_of(begin); line <= line_of(begin + run.bytes - 1) && !is_full(); ++line) {
      // Most of those that were written before were so just now.
      const auto end = lines_.rend();
      const auto begin_of_used = end - static_cast<std::ptrdiff_t>(count_);
      if (std::find(begin_of_used, end, line) == end) lines_[count_++] = line;
    }
  }

  double per_set() const {
    std::array<int, kSets> sets = {};
    for (std::size_t i = 0; i < count_; ++i)
      ++sets[static_cast<std::size_t>((lines_[i] % kSets + kSets) % kSets)];
    double pairs = 0;
    for (const int lines : sets) pairs += static_cast<double>(lines) * lines;
    return count_ > 0 ? pairs / static_cast<double>(count_) : 0;
  }

 private:
  std::array<std::int64_t, kLines> lines_ = {};
  std::size_t count_ = 0;
};

}  // namespace

double lines_written_per_set(const Nest& nest) {
  const std::vector<Extent> runs = kernel_runs(nest).destination;
  if (runs.empty()) return 0;
  std::vector<std::int64_t> trips(nest.loops.size(), 0);
  WrittenLines lines;
  for (std::int64_t offset = nest.destination_base_bytes; !lines.is_full();) {
    for (const Extent& run : runs) lines.add(run, offset);
    std::size_t i = nest.loops.size();
    while (i > 0 && ++trips[i - 1] >= nest.loops[i - 1].trips) {
      --i;
      offset -= (trips[i] - 1) * nest.loops[i].destination_step_bytes;
      trips[i] = 0;
    }
    if (i == 0) break;
    offset += nest.loops[i - 1].destination_step_bytes;
  }
  return lines.per_set();
}

bool crowds_written_sets(const Nest& nest, const Target& target) {
  return lines_written_per_set(nest) > target.level1_data_ways;
}

bool writes_to_spread_sets(const Nest& nest, const TileRuns& runs, const Target& target) {
  if (nest.loops.empty() || runs.source_bytes < kLineBytes) return false;
  const std::int64_t step = std::abs(nest.loops.back().source_step_bytes);
  const bool reads_near = runs.source_bytes >= kLongRunBytes || step <= kNearRowBytes * runs.runs_read();
  const double few = target.vector_bytes == 64 ? kFew : kFewInNarrowVectors;
  return reads_near && lines_written_per_set(nest) <= few * target.level1_data_ways;
}

}  // namespace relayout::plan
