// Sorted by stride, mode s:d leaves the gap d / (last d * s) between the modes before it and itself; the
// complement fills the gaps, and after the last mode whatever is left of the extent.

#include <algorithm>

#include "relayout/cute/algebra.hpp"
#include "src/expr/integer.hpp"
#include "src/layout/memory_guard.hpp"
#include "src/notation/cute/arithmetic.hpp"
#include "src/notation/cute/modes.hpp"

namespace relayout::cute {
namespace {

using expr::Wide;

/// The modes of a filtered layout with positive strides, the smallest first.
Modes sorted_modes(const Layout& layout) {
  Modes modes = modes_of(layout);
  for (Mode& mode : modes) mode.stride = mode.stride < 0 ? -mode.stride : mode.stride;
  std::stable_sort(modes.begin(), modes.end(),
                   [](const Mode& a, const Mode& b) { return a.stride < b.stride; });
  return modes;
}

Result<Modes> gaps_of(const Modes& modes, std::int64_t extent) {
  Modes gaps;
  Wide covered = 1;
  for (const Mode& mode : modes) {
    const Wide gap = mode.stride / covered;
    if (gap == 0) {
      return Error{ErrorCode::kAliasing, "mode " + std::to_string(mode.size) + ":" +
                                             std::to_string(mode.stride) +
                                             " starts within the modes of smaller strides"};
    }
    gaps.push_back({static_cast<std::int64_t>(gap), static_cast<std::int64_t>(covered)});
    covered = Wide(mode.size) * mode.stride;
  }
  if (covered < extent) {
    gaps.push_back(
        {ceil_quotient(extent, static_cast<std::int64_t>(covered)), static_cast<std::int64_t>(covered)});
  }
  return gaps;
}

Result<Layout> complement_within(const Layout& layout, std::int64_t extent) {
  if (extent <= 0) return bad_argument("the extent " + std::to_string(extent) + " is not positive");
  const Layout rest = filtered(layout);
  const Modes modes = rest.size() == 1 ? Modes() : sorted_modes(rest);
  const auto gaps = gaps_of(modes, extent);
  if (!gaps)
    return Error{gaps.error().code, "complement of " + to_string(layout) + ": " + gaps.error().message};
  return with_marks(layout_of(coalesced(*gaps)), is_static(layout));
}

}  // namespace

Result<Layout> complement(const Layout& layout, std::int64_t extent) {
  return layout::without_exceptions([&] { return complement_within(layout, extent); });
}

Result<Layout> complement(const Layout& layout) {
  return layout::without_exceptions([&] { return complement_within(layout, filtered(layout).cosize()); });
}

}  // namespace relayout::cute
