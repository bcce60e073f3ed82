// Both inverses take the modes in the order of their strides. With p the place of a mode s:d (the product of
// the sizes before it), the offset d is reached by index p.

#include <algorithm>

#include "relayout/cute/algebra.hpp"
#include "src/expr/integer.hpp"
#include "src/layout/memory_guard.hpp"
#include "src/notation/cute/arithmetic.hpp"
#include "src/notation/cute/modes.hpp"

namespace relayout::cute {
namespace {

/// A mode with its place.
struct Placed {
  Mode mode;
  std::int64_t place = 1;
};

std::vector<Placed> by_stride(const Layout& layout) {
  const Modes modes = coalesced(modes_of(layout));
  const std::vector<std::int64_t> places = places_of(modes);
  std::vector<Placed> placed;
  for (std::size_t i = 0; i < modes.size(); ++i) placed.push_back({modes[i], places[i]});
  std::stable_sort(placed.begin(), placed.end(),
                   [](const Placed& a, const Placed& b) { return a.mode.stride < b.mode.stride; });
  return placed;
}

std::string text_of(const Mode& mode) {
  return std::to_string(mode.size) + ":" + std::to_string(mode.stride);
}

Status check_chain(const Mode& smaller, const Mode& larger) {
  if (expr::Wide(smaller.size) * smaller.stride > larger.stride) {
    const bool shared = larger.stride % smaller.stride == 0;
    return Error{
        shared ? ErrorCode::kAliasing : ErrorCode::kUnsupported,
        "modes " + text_of(smaller) + " and " + text_of(larger) + (shared ? " share offsets" : " overlap")};
  }
  if (larger.stride % smaller.stride == 0) return {};
  return Error{ErrorCode::kUnsupported,
               "the stride of mode " + text_of(larger) + " is no multiple of that of " + text_of(smaller)};
}

/// The left inverse for strides that are not negative: offsets below the first stride go to 0, those between
/// two strides to the place of the lower one.
Result<Modes> inverse_of(const std::vector<Placed>& placed, const Layout& layout) {
  const auto first =
      std::find_if(placed.begin(), placed.end(), [](const Placed& p) { return p.mode.stride != 0; });
  if (first == placed.end()) return Modes{{layout.size(), 0}};
  Modes inverse{{first->mode.stride, 0}};
  for (auto it = first; it + 1 != placed.end(); ++it) {
    const Mode& next = (it + 1)->mode;
    if (auto status = check_chain(it->mode, next); !status) return status.error();
    inverse.push_back({next.stride / it->mode.stride, it->place});
  }
  inverse.push_back({placed.back().mode.size, placed.back().place});
  return inverse;
}

/// The layout with every stride negated.
Layout negated(const Layout& layout) {
  Modes modes = modes_of(layout);
  for (Mode& mode : modes) mode.stride = -mode.stride;
  return expect_memory(layout_of(modes));
}

Result<Layout> invert(const Layout& layout) {
  const std::vector<Placed> placed = by_stride(layout);
  if (placed.empty()) return Layout();
  if (placed.back().mode.stride <= 0 && placed.front().mode.stride < 0) {
    auto inverse = invert(negated(coalesced(layout)));
    if (!inverse) return inverse;
    return negated(*inverse);
  }
  if (placed.front().mode.stride < 0) {
    return Error{ErrorCode::kUnsupported, "the strides have both signs"};
  }
  const auto modes = inverse_of(placed, layout);
  if (!modes) return modes.error();
  return layout_of(coalesced(*modes));
}

}  // namespace

Result<Layout> right_inverse(const Layout& layout) {
  return layout::without_exceptions([&] {
    Modes inverse;
    expr::Wide reached = 1;
    for (const Placed& placed : by_stride(layout)) {
      if (placed.mode.stride != reached) continue;
      inverse.push_back({placed.mode.size, placed.place});
      reached *= placed.mode.size;
    }
    return with_marks(layout_of(coalesced(inverse)), is_static(layout));
  });
}

Result<Layout> left_inverse(const Layout& layout) {
  return layout::without_exceptions([&]() -> Result<Layout> {
    auto inverse = invert(layout);
    if (inverse) return with_marks(std::move(inverse), is_static(layout));
    return Error{inverse.error().code,
                 "left inverse of " + to_string(layout) + ": " + inverse.error().message};
  });
}

}  // namespace relayout::cute
