#include "src/plan/fetches/block_fetch.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "src/plan/model/kernel_access.hpp"

namespace relayout::plan {
namespace {

/// The rows that a block of `loops` makes out of the kernel's `runs`, which are sorted; nothing if they are
/// not regular.
std::optional<FetchedRows> rows_of_block(const std::vector<Extent>& runs, std::vector<Loop> loops,
                                         std::int64_t Loop::*step) {
  if (runs.size() < 2) return std::nullopt;
  FetchedRows rows{.ahead_bytes = runs[0].offset_bytes,
                   .stride_bytes = runs[1].offset_bytes - runs[0].offset_bytes,
                   .row_bytes = runs[0].bytes};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::int64_t offset = runs[0].offset_bytes + static_cast<std::int64_t>(i) * rows.stride_bytes;
    if (runs[i].bytes != rows.row_bytes || runs[i].offset_bytes != offset) return std::nullopt;
  }
  std::ranges::sort(loops, {}, [step](const Loop& loop) { return std::abs(loop.*step); });
  auto count = static_cast<std::int64_t>(runs.size());
  std::int64_t calls = 1;
  for (const Loop& loop : loops) {
    calls *= loop.trips;
    if (loop.*step == rows.row_bytes)
      rows.row_bytes *= loop.trips;
    else if (loop.*step == rows.stride_bytes * count)
      count *= loop.trips;
    else
      return std::nullopt;
  }
  rows.rows_per_call = (count + calls - 1) / calls;
  return rows;
}

}  // namespace

std::optional<BlockFetch> block_fetch(const Nest& nest, std::size_t loops_inside, bool to_write) {
  const std::size_t first = nest.loops.size() - loops_inside;
  if (first == 0 || !std::ranges::all_of(nest.loops, &Loop::is_counted)) return std::nullopt;
  const Loop& next = nest.loops[first - 1];
  const std::vector<Loop> loops(nest.loops.end() - static_cast<std::ptrdiff_t>(loops_inside),
                                nest.loops.end());
  const KernelAccess runs = kernel_runs(nest);
  auto source = rows_of_block(runs.source, loops, &Loop::source_step_bytes);
  auto destination = rows_of_block(runs.destination, loops, &Loop::destination_step_bytes);
  if (!source || !destination) return std::nullopt;
  source->ahead_bytes += next.source_step_bytes;
  destination->ahead_bytes += next.destination_step_bytes;
  return BlockFetch{first, *source, *destination, to_write};
}

}  // namespace relayout::plan
