#include "src/notation/cute/tiler.hpp"

#include "src/layout/memory_guard.hpp"
#include "src/notation/cute/arithmetic.hpp"
#include "src/notation/cute/modes.hpp"

namespace relayout::cute {
namespace {

Result<Tiler> tiler_of(const IntTuple& shape) {
  if (shape.is_underscore()) return Tiler::underscore();
  if (shape.is_integer()) {
    const IntTuple one = shape.is_static() ? IntTuple::static_integer(1) : IntTuple(1);
    auto layout = Layout::make(shape, one);
    if (!layout) return layout.error();
    return Tiler(std::move(*layout));
  }
  std::vector<Tiler> modes;
  for (const IntTuple& element : shape.elements()) {
    auto mode = tiler_of(element);
    if (!mode) return mode;
    modes.push_back(std::move(*mode));
  }
  return Tiler::modes(std::move(modes));
}

/// A layout's tile and its rest.
struct Split {
  Layout tile;
  Layout rest;
};

Result<Split> split(const Layout& layout, const Tiler& tiler);

Result<Split> split_modes(const Layout& layout, const Tiler& tiler) {
  const std::vector<Layout> modes = top_modes(layout);
  std::vector<Layout> tiles, rests;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    if (i >= tiler.modes().size()) {
      rests.push_back(modes[i]);
      continue;
    }
    auto parts = split(modes[i], tiler.modes()[i]);
    if (!parts) return parts;
    tiles.push_back(std::move(parts->tile));
    rests.push_back(std::move(parts->rest));
  }
  auto tile = make_layout(tiles);
  if (!tile) return tile.error();
  auto rest = make_layout(rests);
  if (!rest) return rest.error();
  return Split{std::move(*tile), std::move(*rest)};
}

Result<Split> split(const Layout& layout, const Tiler& tiler) {
  if (tiler.is_underscore()) return Split{layout, filler_of(layout)};
  if (tiler.is_layout()) return Split{layout.mode(0), layout.mode(1)};
  return split_modes(layout, tiler);
}

void append_modes(const Layout& layout, bool apart, std::vector<Layout>& modes) {
  if (!apart || layout.rank() == 1) {
    modes.push_back(layout);
    return;
  }
  for (Layout& mode : top_modes(layout)) modes.push_back(std::move(mode));
}

}  // namespace

Tiler Tiler::modes(std::vector<Tiler> modes) {
  Tiler tiler;
  tiler.kind_ = Kind::kModes;
  tiler.modes_ = std::move(modes);
  return tiler;
}

Tiler Tiler::underscore() {
  Tiler tiler;
  tiler.kind_ = Kind::kUnderscore;
  return tiler;
}

Result<Tiler> Tiler::of_shape(const IntTuple& shape) {
  return layout::without_exceptions([&] { return tiler_of(shape); });
}

Result<Layout> each_mode(const Layout& layout, const Tiler& tiler, Operation operation) {
  std::vector<Layout> modes = top_modes(layout);
  if (tiler.modes().size() > modes.size()) {
    return bad_argument("the tiler has " + std::to_string(tiler.modes().size()) + " modes, " +
                        to_string(layout) + " has " + std::to_string(modes.size()));
  }
  for (std::size_t i = 0; i < tiler.modes().size(); ++i) {
    auto mode = operation(modes[i], tiler.modes()[i]);
    if (!mode) return mode;
    modes[i] = std::move(*mode);
  }
  return make_layout(modes);
}

Result<Layout> zipped(const Layout& layout, const Tiler& tiler) {
  auto parts = split(layout, tiler);
  if (!parts) return parts.error();
  return make_layout({parts->tile, parts->rest});
}

Result<Layout> unpacked(const Layout& zipped, bool flat) {
  std::vector<Layout> modes;
  append_modes(zipped.mode(0), flat, modes);
  append_modes(zipped.mode(1), true, modes);
  return make_layout(modes);
}

}  // namespace relayout::cute
