#include "src/plan/streams.hpp"

#include <algorithm>
#include <cstdlib>

#include "src/plan/kernel_access.hpp"
#include "src/plan/line.hpp"

namespace relayout::plan {
namespace {

/// A stretch worth following: the prefetch begins anew on every page.
constexpr std::int64_t kStretchBytes = 2048;

}  // namespace

std::int64_t count_streams(const Nest& nest, std::int64_t Loop::*step, std::int64_t run_bytes) {
  std::int64_t streams = 1;
  for (std::size_t i = nest.loops.size(); i-- > 0 && run_bytes < kStretchBytes;) {
    const Loop& loop = nest.loops[i];
    const std::int64_t moved = std::abs(loop.*step);
    if (moved <= std::max(2 * run_bytes, kLineBytes))
      run_bytes += (loop.trips - 1) * moved;
    else
      streams *= loop.trips;
  }
  return streams;
}

std::int64_t count_written_streams(const Nest& nest) {
  const KernelAccess access = kernel_access(nest);
  std::int64_t bytes = 0;
  for (const Extent& extent : access.destination) bytes += extent.bytes;
  const auto runs = std::max<std::int64_t>(1, static_cast<std::int64_t>(count_runs(access.destination)));
  return runs * count_streams(nest, &Loop::destination_step_bytes, bytes / runs);
}

}  // namespace relayout::plan
