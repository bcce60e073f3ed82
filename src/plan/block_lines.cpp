#include "src/plan/block_lines.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "src/plan/kernel_access.hpp"

namespace relayout::plan {
namespace {

/// Lines per set.
using Histogram = std::vector<std::uint16_t>;

std::size_t wrapped(std::int64_t line, const CacheSets& cache) {
  const std::int64_t set = line % cache.sets;
  return static_cast<std::size_t>(set < 0 ? set + cache.sets : set);
}

/// Adds `lines`, moved by so many lines, to `total`.
void add_shifted(const Histogram& lines, std::size_t shift, Histogram& total) {
  const std::size_t head = lines.size() - shift;
  for (std::size_t set = 0; set < head; ++set) total[set + shift] += lines[set];
  for (std::size_t set = head; set < lines.size(); ++set) total[set - head] += lines[set];
}

/// Runs of one side, those that begin where another ends joined.
std::vector<Extent> joined(std::vector<Extent> extents) {
  std::ranges::sort(extents, {}, &Extent::offset_bytes);
  std::vector<Extent> runs;
  for (const Extent& extent : extents) {
    const bool continues =
        !runs.empty() && runs.back().offset_bytes + runs.back().bytes == extent.offset_bytes;
    if (continues)
      runs.back().bytes += extent.bytes;
    else
      runs.push_back(extent);
  }
  return runs;
}

Histogram lines_of(const std::vector<Extent>& extents, std::span<const Loop> loops, std::int64_t Loop::*step,
                   const CacheSets& cache) {
  std::vector<Extent> runs = joined(extents);
  std::vector<const Loop*> around;
  for (std::size_t i = loops.size(); i-- > 0;) {
    const std::int64_t moved = loops[i].*step;
    const bool continues = !runs.empty() && moved > 0 && moved <= runs.front().bytes;
    if (!continues) around.push_back(&loops[i]);
    for (Extent& run : runs) run.bytes += continues ? (loops[i].trips - 1) * moved : 0;
  }
  Histogram lines(static_cast<std::size_t>(cache.sets));
  for (const Extent& run : runs) {
    for (std::int64_t at = 0; at < run.bytes; at += cache.line_bytes)
      ++lines[wrapped((run.offset_bytes + at) / cache.line_bytes, cache)];
  }
  for (const Loop* loop : around) {
    if (loop->*step == 0) continue;
    Histogram total(lines.size());
    for (std::int64_t trip = 0; trip < loop->trips; ++trip)
      add_shifted(lines, wrapped(trip * (loop->*step) / cache.line_bytes, cache), total);
    lines = std::move(total);
  }
  return lines;
}

}  // namespace

bool block_fits(const Nest& nest, std::size_t count, const CacheSets& cache) {
  const KernelAccess access = kernel_access(nest);
  const std::span<const Loop> block(nest.loops.end() - static_cast<std::ptrdiff_t>(count), nest.loops.end());
  const Histogram source = lines_of(access.source, block, &Loop::source_step_bytes, cache);
  const Histogram destination = lines_of(access.destination, block, &Loop::destination_step_bytes, cache);
  for (std::size_t set = 0; set < source.size(); ++set) {
    if (source[set] + destination[set] > cache.ways) return false;
  }
  return true;
}

}  // namespace relayout::plan
