#include "src/plan/loops/turns.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "src/plan/kernels/streamed_runs.hpp"
#include "src/plan/machine/line.hpp"
#include "src/plan/model/kernel_access.hpp"

namespace relayout::plan {
namespace {

/// Two loops cover the same part of the destination if their lengths differ by no more than this share.
constexpr std::int64_t kTolerance = 8;

bool writes_parts_of_lines(const Nest& nest) {
  return padding_cuts_lines(nest) || !nest.destination_aligned;
}

/// A permutation or gather whose runs to read fill no line: what lies beside them is another nest's.
bool reads_beside_others(const Nest& nest) {
  if (std::holds_alternative<FillKernel>(nest.kernel) || std::holds_alternative<CopyKernel>(nest.kernel))
    return false;
  const std::vector<Extent> read = kernel_access(nest).source;
  return std::ranges::any_of(read, [](const Extent& extent) { return extent.bytes < kLineBytes; });
}

/// Destination bytes that the loop cut into parts walks over; 0 where equal shares of it may be unequal.
std::int64_t covered_bytes(const Nest& nest) {
  const Loop& cut = nest.loops[nest.cut_loop];
  return cut.is_counted() && cut.trips > 1 ? cut.trips * cut.destination_step_bytes : 0;
}

bool cover_the_same(std::int64_t a, std::int64_t b) {
  return std::abs(a - b) <= std::min(a, b) / kTolerance;
}

/// Of the nests of which `shares` is true.
SharedLoop shared_loop(const std::vector<Nest>& nests, bool (*shares)(const Nest&)) {
  const auto anchor = std::ranges::find_if(nests, shares);
  if (anchor == nests.end()) return {};
  const std::int64_t covered = covered_bytes(*anchor);
  const auto meets = [&](const Nest& nest) {
    return shares(nest) && cover_the_same(covered_bytes(nest), covered);
  };
  if (covered <= 0 || std::none_of(anchor + 1, nests.end(), meets)) return {};
  return {anchor->loops[anchor->cut_loop].trips, covered};
}

bool is_plain(const Loop& loop) {
  return loop.is_counted() && loop.guard < 0;
}

/// Splits a loop that goes on where `around` takes its next step, and returns its part that does that.
std::optional<Loop> split_around(Loop& loop, const Loop& around) {
  const std::int64_t step = loop.destination_step_bytes;
  if (!is_plain(loop) || step <= 0 || around.destination_step_bytes % step != 0) return std::nullopt;
  const std::int64_t inner = around.destination_step_bytes / step;
  if (loop.trips != inner * around.trips) return std::nullopt;
  Loop outer = loop;
  outer.trips = around.trips;
  outer.source_step_bytes *= inner;
  outer.destination_step_bytes *= inner;
  loop.trips = inner;
  return outer;
}

/// The nest's loops, the outermost of which take the steps of `around` at the
/// destination; nothing where they do not, or where what lies further in knows its loops by their numbers.
std::optional<std::vector<Loop>> loops_within(const Nest& nest, std::span<const Loop> around) {
  if (nest.staging || nest.block_fetch) return std::nullopt;
  std::vector<Loop> loops = nest.loops;
  for (std::size_t i = 0; i < around.size(); ++i) {
    if (i >= loops.size()) return std::nullopt;
    const bool meets = is_plain(loops[i]) && loops[i].trips == around[i].trips &&
                       loops[i].destination_step_bytes == around[i].destination_step_bytes;
    if (meets) continue;
    const auto outer = split_around(loops[i], around[i]);
    if (!outer) return std::nullopt;
    loops.insert(loops.begin() + static_cast<std::ptrdiff_t>(i), *outer);
  }
  if (around.size() >= loops.size() || !loops[around.size()].is_counted()) return std::nullopt;
  return loops;
}

struct Cut {
  std::size_t loop = 0;
  std::int64_t places = 1;  ///< trips of the loops around it
};

/// The first loop with whose trips there are so many shares.
std::optional<Cut> cut_into(const std::vector<Loop>& loops, std::int64_t shares, std::int64_t most_places) {
  Cut cut;
  for (; cut.loop < loops.size() && cut.places <= most_places; ++cut.loop) {
    const Loop& loop = loops[cut.loop];
    if (loop.is_counted() && cut.places * loop.trips >= shares) return cut;
    if (!is_plain(loop)) return std::nullopt;
    cut.places *= loop.trips;
  }
  return std::nullopt;
}

}  // namespace

std::int64_t cut_in_places(std::vector<Nest>& nests, std::int64_t shares, std::int64_t most_places) {
  if (nests.empty()) return 0;
  const auto cut = cut_into(nests.front().loops, shares, most_places);
  if (!cut) return 0;
  const std::vector<Loop> first = nests.front().loops;
  std::vector<std::vector<Loop>> all;
  for (const Nest& nest : nests) {
    auto loops = loops_within(nest, std::span(first).first(cut->loop));
    if (!loops) return 0;
    all.push_back(std::move(*loops));
  }
  for (std::size_t i = 0; i < nests.size(); ++i) {
    nests[i].loops = std::move(all[i]);
    nests[i].cut_loop = cut->loop;
  }
  return cut->places;
}

SharedLoop loop_of_shared_lines(const std::vector<Nest>& nests) {
  const SharedLoop written = shared_loop(nests, writes_parts_of_lines);
  return written.trips > 1 ? written : shared_loop(nests, reads_beside_others);
}

SharedLoop loop_of_neighbours(const std::vector<Nest>& nests) {
  return shared_loop(nests, [](const Nest&) { return true; });
}

}  // namespace relayout::plan
