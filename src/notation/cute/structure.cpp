// What rearranges the modes of a layout: the same is done to its shape and to its stride.

#include "relayout/cute/layout.hpp"
#include "src/layout/memory_guard.hpp"
#include "src/notation/cute/arithmetic.hpp"
#include "src/notation/cute/modes.hpp"

namespace relayout::cute {
namespace {

/// The layout whose shape and stride are `change` of those of `layout`.
template <class Change>
Result<Layout> changed(const Layout& layout, Change change) {
  return layout::without_exceptions([&]() -> Result<Layout> {
    auto shape = change(layout.shape());
    if (!shape) return shape.error();
    auto stride = change(layout.stride());
    if (!stride) return stride.error();
    return Layout::make(std::move(*shape), std::move(*stride));
  });
}

/// Puts the elements of `tuple` that a coordinate leaves open into `open`, the others into `fixed`.
struct Sliced {
  std::vector<IntTuple> open;
  std::vector<IntTuple> fixed;
};

Status slice_into(const IntTuple& coordinate, const IntTuple& tuple, Sliced& sliced) {
  if (!coordinate.is_tuple()) {
    (coordinate.is_underscore() ? sliced.open : sliced.fixed).push_back(tuple);
    return {};
  }
  if (!tuple.is_tuple() || tuple.elements().size() != coordinate.elements().size()) {
    return bad_argument("coordinate " + to_string(coordinate) + " does not fit " + to_string(tuple));
  }
  for (std::size_t i = 0; i < tuple.elements().size(); ++i) {
    auto status = slice_into(coordinate.elements()[i], tuple.elements()[i], sliced);
    if (!status) return status;
  }
  return {};
}

/// The part of a layout that `pick` chooses from what a coordinate leaves open and what it fixes: as in CuTe
/// a tuple of modes, or all of the layout as it is for `_` (an integer) alone.
Result<Layout> picked(const IntTuple& coordinate, const Layout& layout, std::vector<IntTuple> Sliced::*pick) {
  return changed(layout, [&](const IntTuple& tuple) -> Result<IntTuple> {
    Sliced sliced;
    if (auto status = slice_into(coordinate, tuple, sliced); !status) return status.error();
    if ((sliced.*pick).empty()) {
      return bad_argument("nothing is left of " + to_string(layout) + " at " + to_string(coordinate));
    }
    if (!coordinate.is_tuple()) return tuple;
    return IntTuple::tuple(std::move(sliced.*pick));
  });
}

}  // namespace

Result<Layout> get(const Layout& layout, Path path) {
  return changed(layout, [&](const IntTuple& tuple) { return get(tuple, path); });
}

Result<Layout> make_layout(const std::vector<Layout>& modes) {
  return layout::without_exceptions([&]() -> Result<Layout> {
    if (modes.empty()) return bad_argument("a layout needs a mode");
    std::vector<IntTuple> shapes, strides;
    for (const Layout& mode : modes) {
      shapes.push_back(mode.shape());
      strides.push_back(mode.stride());
    }
    return Layout::make(IntTuple::tuple(std::move(shapes)), IntTuple::tuple(std::move(strides)));
  });
}

Result<Layout> flatten(const Layout& layout) {
  return changed(layout, [](const IntTuple& tuple) { return Result<IntTuple>(flatten(tuple)); });
}

Result<Layout> append(const Layout& layout, const Layout& mode) {
  return layout::without_exceptions([&] {
    return Layout::make(append(layout.shape(), mode.shape()), append(layout.stride(), mode.stride()));
  });
}

Result<Layout> prepend(const Layout& layout, const Layout& mode) {
  return layout::without_exceptions([&] {
    return Layout::make(prepend(layout.shape(), mode.shape()), prepend(layout.stride(), mode.stride()));
  });
}

Result<Layout> replace(const Layout& layout, std::int64_t index, const Layout& mode) {
  return layout::without_exceptions([&]() -> Result<Layout> {
    auto shape = replace(layout.shape(), index, mode.shape());
    if (!shape) return shape.error();
    return Layout::make(std::move(*shape), *replace(layout.stride(), index, mode.stride()));
  });
}

Result<Layout> select(const Layout& layout, Path indices) {
  return changed(layout, [&](const IntTuple& tuple) { return select(tuple, indices); });
}

Result<Layout> take(const Layout& layout, std::int64_t begin, std::int64_t end) {
  return changed(layout, [&](const IntTuple& tuple) { return take(tuple, begin, end); });
}

Result<Layout> group(const Layout& layout, std::int64_t begin, std::int64_t end) {
  return changed(layout, [&](const IntTuple& tuple) { return group(tuple, begin, end); });
}

Result<Layout> slice(const IntTuple& coordinate, const Layout& layout) {
  return picked(coordinate, layout, &Sliced::open);
}

Result<Layout> dice(const IntTuple& coordinate, const Layout& layout) {
  return picked(coordinate, layout, &Sliced::fixed);
}

Result<std::int64_t> slice_offset(const IntTuple& coordinate, const Layout& layout) {
  return layout::without_exceptions(
      [&] { return crd2idx(with_zeros(coordinate), layout.shape(), layout.stride()); });
}

}  // namespace relayout::cute
