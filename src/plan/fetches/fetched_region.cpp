// Blocks that follow a short row to read fetch what lies further on in it, which for the last ones is the
// next row, that they have read already; and the first ones of the rows after that wait for memory. Rows that
// follow one another are a stretch of the source, whose lines are better fetched in their order: processors
// follow that, too. On a Granite Rapids, of 850 random pairs past the last cache 31 change, 1.21 and 1.26 of
// memcpy, 16 faster by a twentieth and two slower (bf16[215563,256] transposed, rows of eight blocks, 0.73
// and 0.87, bf16[8,26,1587,16,8][2, 1, 0, 3, 4] to [0, 3, 2, 4, 1] 1.00 and 1.21); at AVX2 27, 17 and two.

#include "src/plan/fetches/fetched_region.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "src/plan/machine/line.hpp"
#include "src/plan/model/kernel_access.hpp"

namespace relayout::plan {
namespace {

/// Blocks in a region. Of 1550 random pairs 66 change, 26 faster by a twentieth and four slower; with 33 nine
/// more, two of them faster and six slower; with nine 44, 17 and two.
constexpr std::int64_t kMostBlocks = 16;
/// What is fetched past the last region is in vain.
constexpr std::int64_t kFewestRegions = 4;
/// Of the stretch that a region lies in, what it reads at least, and what the next one lies further on.
constexpr double kLeastPart = 0.8;

/// Bytes of the source.
struct Stretch {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t read = 0;  ///< by all calls
  std::int64_t calls = 1;

  std::int64_t bytes() const { return end - begin; }

  void repeat(const Loop& loop) {
    const std::int64_t moved = (loop.trips - 1) * loop.source_step_bytes;
    begin += std::min<std::int64_t>(moved, 0);
    end += std::max<std::int64_t>(moved, 0);
    read *= loop.trips;
    calls *= loop.trips;
  }

  bool is_about(std::int64_t part) const {
    return static_cast<double>(part) >= kLeastPart * static_cast<double>(bytes());
  }
};

/// Whether kernel and loops can, and registers of the fetched rows are none that runs take to leave.
bool can_fetch(const Nest& nest) {
  return nest.staging && nest.staging->groups == 1 && nest.staging->fetch_bytes == 0 &&
         std::holds_alternative<PermuteKernel>(nest.kernel) &&
         std::ranges::all_of(nest.loops, &Loop::is_counted);
}

/// Whether regions that the loop `next` leads to go on along the stretch, one after the other.
bool goes_on(const Stretch& region, const Loop& next) {
  return next.trips >= kFewestRegions && next.source_step_bytes <= region.bytes() &&
         region.is_about(next.source_step_bytes) && region.is_about(region.read);
}

}  // namespace

std::optional<BlockFetch> fetched_region(const Nest& nest, const Target& target) {
  if (target.longest_fetched_region_bytes == 0 || !can_fetch(nest)) return std::nullopt;
  const std::vector<Extent> runs = kernel_runs(nest).source;
  if (runs.empty()) return std::nullopt;
  Stretch region{runs.front().offset_bytes, runs.back().offset_bytes + runs.back().bytes, total_bytes(runs)};
  std::int64_t blocks = 1;
  for (std::size_t first = nest.loops.size(); --first > 0;) {
    region.repeat(nest.loops[first]);
    if (region.bytes() > target.longest_fetched_region_bytes) return std::nullopt;
    if (first >= nest.staging->first_loop) continue;
    if (first <= nest.cut_loop) return std::nullopt;  // each part would fetch for the first one
    blocks *= nest.loops[first].trips;
    if (blocks > kMostBlocks) return std::nullopt;
    const Loop& next = nest.loops[first - 1];
    if (!goes_on(region, next)) continue;
    const std::int64_t lines = (next.source_step_bytes / kLineBytes + region.calls - 1) / region.calls;
    return BlockFetch{first, {region.end, kLineBytes, kLineBytes, lines}, {}};
  }
  return std::nullopt;
}

}  // namespace relayout::plan
