#include "src/plan/loops/padding_nests.hpp"

#include <algorithm>
#include <string>

#include "src/plan/kernels/aligned_stores.hpp"
#include "src/plan/machine/line.hpp"

namespace relayout::plan {
namespace {

constexpr std::size_t kMaximumNests = 64;
constexpr std::size_t kMaximumRuns = 4096;
constexpr std::int64_t kFillChunkBytes = 32 * 1024;

/// One long run as a loop over chunks, so that it can be cut into parts; the last chunk moves back.
void chunk_long_run(Nest& nest, std::int64_t run_bytes) {
  Loop loop;
  loop.trips = (run_bytes + kFillChunkBytes - 1) / kFillChunkBytes;
  loop.destination_step_bytes = kFillChunkBytes;
  if (run_bytes % kFillChunkBytes != 0) {
    loop.guard = 0;
    loop.guard_step = 1;
    nest.guards.push_back({loop.trips, 0, kFillChunkBytes - run_bytes % kFillChunkBytes});
  }
  nest.loops.push_back(loop);
}

Nest piece_nest(const PaddingPiece& piece, const std::vector<std::uint8_t>& element) {
  const auto element_bytes = static_cast<std::int64_t>(element.size());
  Nest nest;
  nest.destination_base_bytes = piece.destination_base * element_bytes;
  for (const Iterator& iterator : piece.iterators) {
    Loop loop;
    loop.trips = iterator.extent;
    loop.destination_step_bytes = iterator.destination_stride * element_bytes;
    nest.loops.push_back(loop);
  }
  std::sort(nest.loops.begin(), nest.loops.end(),
            [](const Loop& a, const Loop& b) { return a.destination_step_bytes > b.destination_step_bytes; });
  std::int64_t run_bytes = piece.length * element_bytes;
  if (run_bytes > 2 * kFillChunkBytes) {
    chunk_long_run(nest, run_bytes);
    run_bytes = kFillChunkBytes;
  }
  if (nest.loops.empty()) nest.loops.push_back({});
  nest.kernel = FillKernel{run_bytes, element};
  nest.destination_aligned = stores_are_aligned(nest, kLineBytes);
  nest.reason = "padding of the destination";
  return nest;
}

/// All pieces as runs, or false if they are too many.
bool append_runs(const PaddingPiece& piece, std::int64_t element_bytes, RunTable& table) {
  RunTable runs = {{piece.length, 0, piece.destination_base * element_bytes}};
  for (const Iterator& iterator : piece.iterators) {
    if (iterator.extent > static_cast<std::int64_t>(kMaximumRuns / runs.size())) return false;
    const std::size_t count = runs.size();
    for (std::int64_t i = 1; i < iterator.extent; ++i) {
      for (std::size_t k = 0; k < count; ++k) {
        Run run = runs[k];
        run.destination_offset_bytes += i * iterator.destination_stride * element_bytes;
        runs.push_back(run);
      }
    }
  }
  table.insert(table.end(), runs.begin(), runs.end());
  return table.size() <= kMaximumRuns;
}

Nest table_nest(RunTable table, const std::vector<std::uint8_t>& element) {
  const auto element_bytes = static_cast<std::int64_t>(element.size());
  Nest nest;
  Loop entries;
  entries.trips = static_cast<std::int64_t>(table.size());
  entries.table = 0;
  Loop elements;
  elements.trips_from_table = 0;
  elements.destination_step_bytes = element_bytes;
  for (const Run& run : table) elements.trips = std::max(elements.trips, run.length);
  nest.loops = {entries, elements};
  nest.tables.push_back(std::move(table));
  nest.kernel = FillKernel{element_bytes, element};
  nest.reason = "irregular padding of the destination";
  return nest;
}

}  // namespace

Result<std::vector<Nest>> padding_nests(const std::vector<PaddingPiece>& pieces,
                                        const std::vector<std::uint8_t>& element) {
  std::vector<PaddingPiece> sorted = pieces;
  std::stable_sort(sorted.begin(), sorted.end(), [](const PaddingPiece& a, const PaddingPiece& b) {
    return a.volume() / a.length > b.volume() / b.length;
  });
  // The pieces of many runs are nests; what is left over shares a run table.
  const std::size_t alone = std::min(sorted.size(), kMaximumNests);
  std::vector<Nest> nests;
  for (std::size_t i = 0; i < alone; ++i) nests.push_back(piece_nest(sorted[i], element));
  if (alone == sorted.size()) return nests;
  RunTable table;
  for (std::size_t i = alone; i < sorted.size(); ++i) {
    if (!append_runs(sorted[i], static_cast<std::int64_t>(element.size()), table)) {
      return Error{ErrorCode::kUnsupported,
                   "the destination's padding has more than " + std::to_string(kMaximumRuns) + " runs"};
    }
  }
  nests.push_back(table_nest(std::move(table), element));
  return nests;
}

}  // namespace relayout::plan
