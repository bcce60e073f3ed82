// A / B = A o (B, complement(B, |A|)).

#include "src/layout/memory_guard.hpp"
#include "src/notation/cute/tiler.hpp"

namespace relayout::cute {
namespace {

Result<Layout> divide(const Layout& layout, const Layout& tile) {
  const auto rest = complement(tile, layout.size());
  if (!rest) return rest;
  const auto both = make_layout({tile, *rest});
  if (!both) return both;
  return composition(layout, *both);
}

Result<Layout> unpacked_divide(const Layout& layout, const Tiler& tiler, bool flat) {
  return layout::without_exceptions([&]() -> Result<Layout> {
    const auto zipped = zipped_divide(layout, tiler);
    if (!zipped) return zipped;
    return unpacked(*zipped, flat);
  });
}

}  // namespace

Result<Layout> logical_divide(const Layout& layout, const Tiler& tiler) {
  return layout::without_exceptions([&]() -> Result<Layout> {
    if (tiler.is_underscore()) return layout;
    return tiler.is_layout() ? divide(layout, tiler.layout()) : each_mode(layout, tiler, logical_divide);
  });
}

Result<Layout> zipped_divide(const Layout& layout, const Tiler& tiler) {
  return layout::without_exceptions([&]() -> Result<Layout> {
    const auto divided = logical_divide(layout, tiler);
    if (!divided) return divided;
    return zipped(*divided, tiler);
  });
}

Result<Layout> tiled_divide(const Layout& layout, const Tiler& tiler) {
  return unpacked_divide(layout, tiler, false);
}

Result<Layout> flat_divide(const Layout& layout, const Tiler& tiler) {
  return unpacked_divide(layout, tiler, true);
}

}  // namespace relayout::cute
