#include "src/plan/loops/turns.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
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

}  // namespace

SharedLoop loop_of_shared_lines(const std::vector<Nest>& nests) {
  const SharedLoop written = shared_loop(nests, writes_parts_of_lines);
  return written.trips > 1 ? written : shared_loop(nests, reads_beside_others);
}

SharedLoop loop_of_neighbours(const std::vector<Nest>& nests) {
  return shared_loop(nests, [](const Nest&) { return true; });
}

}  // namespace relayout::plan
