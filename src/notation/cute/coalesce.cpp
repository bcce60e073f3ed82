// Neighbours s0:d0, s1:d1 are one mode s0*s1:d0 if d1 = s0 * d0.

#include "relayout/cute/algebra.hpp"
#include "src/layout/memory_guard.hpp"
#include "src/notation/cute/arithmetic.hpp"
#include "src/notation/cute/modes.hpp"

namespace relayout::cute {
namespace {

using Simplify = Layout (*)(const Layout&);

/// `simplify` at every integer of the profile; modes beyond it stay.
Result<Layout> at_profile(const Layout& layout, const IntTuple& profile, Simplify simplify) {
  if (!profile.is_tuple()) return simplify(layout);
  if (rank(profile) > layout.rank()) {
    return bad_argument("profile " + to_string(profile) + " has more modes than " + to_string(layout));
  }
  std::vector<Layout> modes = top_modes(layout);
  for (std::size_t i = 0; i < profile.elements().size(); ++i) {
    auto mode = at_profile(modes[i], profile.elements()[i], simplify);
    if (!mode) return mode;
    modes[i] = std::move(*mode);
  }
  return make_layout(modes);
}

}  // namespace

Result<Layout> coalesce(const Layout& layout) {
  return layout::without_exceptions([&] { return Result<Layout>(coalesced(layout)); });
}

Result<Layout> coalesce(const Layout& layout, const IntTuple& profile) {
  return layout::without_exceptions([&] { return at_profile(layout, profile, coalesced); });
}

Result<Layout> filter(const Layout& layout) {
  return layout::without_exceptions([&] { return Result<Layout>(filtered(layout)); });
}

Result<Layout> filter(const Layout& layout, const IntTuple& profile) {
  return layout::without_exceptions([&] { return at_profile(layout, profile, filtered); });
}

Result<Layout> nullspace(const Layout& layout) {
  return layout::without_exceptions([&] {
    const Modes modes = modes_of(layout);
    const std::vector<std::int64_t> places = places_of(modes);
    Modes kernel;
    for (std::size_t i = 0; i < modes.size(); ++i) {
      if (modes[i].stride == 0) kernel.push_back({modes[i].size, modes[i].size == 1 ? 0 : places[i]});
    }
    return with_marks(layout_of(kernel), is_static(layout));
  });
}

}  // namespace relayout::cute
