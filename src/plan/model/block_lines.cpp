#include "src/plan/model/block_lines.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "src/plan/model/kernel_access.hpp"

namespace relayout::plan {
namespace {

/// Of four lines of a set of the second cache, what a block may take.
constexpr std::int64_t kWaysForBlocks = 3;

/// Lines per set, none with more than twice the ways of the cache.
using Histogram = std::vector<std::uint8_t>;

std::size_t wrapped(std::int64_t line, const CacheSets& cache) {
  const std::int64_t set = line % cache.sets;
  return static_cast<std::size_t>(set < 0 ? set + cache.sets : set);
}

/// Adds `count` sets; the most lines of one of them.
std::uint8_t add_sets(const std::uint8_t* lines, std::size_t count, std::uint8_t* total) {
  std::uint8_t most = 0;
  for (std::size_t set = 0; set < count; ++set) {
    total[set] = static_cast<std::uint8_t>(total[set] + lines[set]);
    most = std::max(most, total[set]);
  }
  return most;
}

/// Lines per set of one side, as long as no set overflows.
class SideLines {
 public:
  SideLines(const CacheSets& cache, const std::vector<Extent>& runs) : cache_(cache) {
    Histogram lines(static_cast<std::size_t>(cache.sets));
    for (const Extent& run : runs) {
      for (std::int64_t at = 0; at < run.bytes && fits_; at += cache.line_bytes) {
        std::uint8_t& set = lines[wrapped((run.offset_bytes + at) / cache.line_bytes, cache)];
        fits_ = ++set <= cache.ways;
      }
    }
    lines_ = std::move(lines);
  }

  /// Puts a loop around; by halves.
  void repeat(std::int64_t trips, std::int64_t step_bytes) {
    if (trips <= 1 || step_bytes == 0 || !fits_) return;
    const Histogram one = trips % 2 != 0 ? lines_ : Histogram();
    repeat(trips / 2, step_bytes);
    add(Histogram(lines_), trips / 2 * step_bytes);
    if (!one.empty()) add(one, (trips - 1) * step_bytes);
  }

  /// Adds lines that are moved by so many bytes.
  void add(const Histogram& lines, std::int64_t moved_bytes) {
    if (!fits_) return;
    const std::size_t shift = wrapped(moved_bytes / cache_.line_bytes, cache_);
    const std::size_t head = lines.size() - shift;
    const std::uint8_t most = std::max(add_sets(lines.data(), head, lines_.data() + shift),
                                       add_sets(lines.data() + head, shift, lines_.data()));
    fits_ = most <= cache_.ways;
  }

  bool fits() const { return fits_; }
  const Histogram& lines() const { return lines_; }

 private:
  const CacheSets& cache_;
  Histogram lines_;
  bool fits_ = true;
};

SideLines lines_of(std::vector<Extent> runs, std::span<const Loop> loops, std::int64_t Loop::*step,
                   const CacheSets& cache) {
  std::vector<const Loop*> around;
  for (std::size_t i = loops.size(); i-- > 0;) {
    const std::int64_t moved = loops[i].*step;
    const bool continues = !runs.empty() && moved > 0 && moved <= runs.front().bytes;
    if (!continues) around.push_back(&loops[i]);
    for (Extent& run : runs) run.bytes += continues ? (loops[i].trips - 1) * moved : 0;
  }
  SideLines lines(cache, runs);
  for (const Loop* loop : around) lines.repeat(loop->trips, loop->*step);
  return lines;
}

std::int64_t sets_of(std::int64_t cache_bytes, int ways, const Target& target) {
  return std::max<std::int64_t>(cache_bytes / target.line_bytes / ways, 1);
}

}  // namespace

CacheSets first_cache(const Target& target) {
  return {target.line_bytes, sets_of(target.level1_data_bytes, target.level1_data_ways, target),
          target.level1_data_ways};
}

CacheSets second_cache(const Target& target) {
  return {target.line_bytes, sets_of(target.level2_bytes, target.level2_ways, target), target.level2_ways};
}

CacheSets second_cache_for_blocks(const Target& target) {
  CacheSets cache = second_cache(target);
  cache.ways = cache.ways * kWaysForBlocks / 4;
  return cache;
}

bool block_fits(const Nest& nest, std::size_t count, const CacheSets& cache) {
  KernelAccess access = kernel_runs(nest);
  const std::span<const Loop> block(nest.loops.end() - static_cast<std::ptrdiff_t>(count), nest.loops.end());
  SideLines both = lines_of(std::move(access.source), block, &Loop::source_step_bytes, cache);
  if (!both.fits()) return false;
  const SideLines destination =
      lines_of(std::move(access.destination), block, &Loop::destination_step_bytes, cache);
  if (!destination.fits()) return false;
  both.add(destination.lines(), 0);
  return both.fits();
}

bool lines_fit(std::vector<Extent> runs, std::span<const Loop> loops, std::int64_t Loop::*step,
               const CacheSets& cache) {
  return lines_of(std::move(runs), loops, step, cache).fits();
}

}  // namespace relayout::plan
