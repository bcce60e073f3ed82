// What two layouts have in common.

#include <numeric>

#include "relayout/cute/algebra.hpp"
#include "src/layout/memory_guard.hpp"
#include "src/notation/cute/arithmetic.hpp"
#include "src/notation/cute/modes.hpp"

namespace relayout::cute {
namespace {

/// The first modes of `inverse` after which A(inverse(i)) = i, as far as A o inverse is a layout: with a mode
/// less, it may be one where the whole is not.
Result<Layout> common_run(const Layout& a, const Layout& inverse) {
  Modes modes = modes_of(inverse);
  for (; !modes.empty(); modes.pop_back()) {
    const auto prefix = layout_of(modes);
    if (!prefix) return prefix;
    const auto both = composition(a, *prefix);
    if (!both) continue;
    const Layout first = coalesced(*both).mode(0);
    if (*size(first.shape()) == 1 || !(first.stride() == IntTuple(1))) return Layout();
    return composition(*prefix, first);
  }
  return Layout();
}

}  // namespace

Result<Layout> max_common_layout(const Layout& a, const Layout& b) {
  return layout::without_exceptions([&]() -> Result<Layout> {
    const auto inverse = right_inverse(b);
    if (!inverse) return inverse;
    return with_marks(common_run(a, *inverse), is_static(a) && is_static(b));
  });
}

Result<std::int64_t> max_common_vector(const Layout& a, const Layout& b) {
  const auto common = max_common_layout(a, b);
  if (!common) return common.error();
  return common->size();
}

Result<Layout> domain_distribute(const IntTuple& shape, std::int64_t count) {
  return layout::without_exceptions([&]() -> Result<Layout> {
    if (count <= 0) return bad_argument("cannot distribute " + std::to_string(count) + " elements");
    const auto domain = Layout::left(shape);
    if (!domain) return domain;
    Modes modes = modes_of(*domain);
    for (Mode& mode : modes) {
      mode.size = std::gcd(mode.size, count);
      count /= mode.size;
    }
    return with_marks(layout_of(coalesced(modes)), is_static(shape));
  });
}

}  // namespace relayout::cute
