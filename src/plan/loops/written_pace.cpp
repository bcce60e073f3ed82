#include "src/plan/loops/written_pace.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "src/plan/kernels/streamed_runs.hpp"
#include "src/plan/machine/line.hpp"
#include "src/plan/model/kernel_access.hpp"
#include "src/plan/tiles/store_pace.hpp"

namespace relayout::plan {
namespace {

/// Beyond so many no further trips are added: more rows hardly lie closer.
constexpr std::size_t kMostRows = 256;

/// Rows that go on for fewer runs are written before many lines wait: of 32 random pairs ten such ones would
/// run 0.9 times as fast, five of them slower and two faster.
constexpr double kFewestRuns = 3;

/// Where rows begin that are written in turn, until a loop goes on in the first of them; nothing if none
/// does.
std::vector<std::int64_t> rows_in_turn(const Nest& nest, const std::vector<Extent>& runs) {
  std::vector<std::int64_t> rows;
  rows.reserve(2 * kMostRows);
  for (const Extent& run : runs) rows.push_back(run.offset_bytes);
  const std::vector<double> trips = mean_trips(nest);
  for (std::size_t i = nest.loops.size(); i-- > 0;) {
    const std::int64_t step = nest.loops[i].destination_step_bytes;
    if (std::abs(step) <= runs.front().bytes)
      return trips[i] < kFewestRuns ? std::vector<std::int64_t>() : rows;
    const std::size_t calls = rows.size();
    const std::int64_t count = std::llround(trips[i]);
    for (std::int64_t trip = 1; trip < count && rows.size() < kMostRows; ++trip)
      for (std::size_t row = 0; row < calls; ++row) rows.push_back(rows[row] + trip * step);
  }
  return {};
}

}  // namespace

bool stores_keep_pace(const Nest& nest) {
  const std::vector<Extent> runs = kernel_runs(nest).destination;
  return runs.empty() || stores_keep_pace(rows_in_turn(nest, runs), runs.front().bytes);
}

bool calls_write_whole_lines(const Nest& nest) {
  const auto is_whole = [](const Extent& run) {
    return run.offset_bytes % kLineBytes == 0 && run.bytes % kLineBytes == 0;
  };
  return begins_on_lines(nest) && std::ranges::all_of(kernel_runs(nest).destination, is_whole);
}

}  // namespace relayout::plan
