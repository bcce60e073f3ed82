// Compact layouts in a given order of their modes.

#include <algorithm>
#include <numeric>

#include "relayout/cute/layout.hpp"
#include "src/layout/memory_guard.hpp"
#include "src/notation/cute/arithmetic.hpp"
#include "src/notation/cute/modes.hpp"

namespace relayout::cute {
namespace {

/// A part of a shape that one integer of the order ranks.
struct Ranked {
  const IntTuple* shape = nullptr;
  std::int64_t order = 0;
  std::int64_t place = 1;  ///< the stride at which the part starts
};

Status collect(const IntTuple& shape, const IntTuple& order, std::vector<Ranked>& parts) {
  if (order.is_integer()) {
    parts.push_back({&shape, order.value(), 1});
    return {};
  }
  if (!order.is_tuple() || !shape.is_tuple() || order.elements().size() != shape.elements().size()) {
    return bad_argument("order " + to_string(order) + " does not fit shape " + to_string(shape));
  }
  for (std::size_t i = 0; i < shape.elements().size(); ++i) {
    if (auto status = collect(shape.elements()[i], order.elements()[i], parts); !status) return status;
  }
  return {};
}

/// Gives every part its place. \pre the size of the whole shape fits in 64 bits
void place_parts(std::vector<Ranked>& parts) {
  std::vector<std::size_t> by_order(parts.size());
  std::iota(by_order.begin(), by_order.end(), std::size_t{0});
  std::stable_sort(by_order.begin(), by_order.end(),
                   [&](std::size_t a, std::size_t b) { return parts[a].order < parts[b].order; });
  std::int64_t place = 1;
  for (const std::size_t i : by_order) {
    parts[i].place = place;
    place *= *size(*parts[i].shape);
  }
}

/// Compact strides of a part from `place` on, which runs along.
IntTuple compact_from(const IntTuple& shape, std::int64_t& place) {
  if (!shape.is_tuple()) {
    const IntTuple stride(shape.value() == 1 ? 0 : place);
    place *= shape.value();
    return stride;
  }
  std::vector<IntTuple> strides;
  for (const IntTuple& mode : shape.elements()) strides.push_back(compact_from(mode, place));
  return IntTuple::tuple(std::move(strides));
}

/// The strides of a shape, part after part. `next` is the first part not yet used.
IntTuple strides_of(const IntTuple& order, const IntTuple& shape, std::vector<Ranked>::iterator& next) {
  if (order.is_integer()) return compact_from(shape, (next++)->place);
  std::vector<IntTuple> strides;
  for (std::size_t i = 0; i < shape.elements().size(); ++i) {
    strides.push_back(strides_of(order.elements()[i], shape.elements()[i], next));
  }
  return IntTuple::tuple(std::move(strides));
}

/// The shape with 1 for the sizes of broadcast modes.
IntTuple without_broadcasts(const IntTuple& shape, const IntTuple& stride) {
  if (!shape.is_tuple()) return stride.value() == 0 ? IntTuple(1) : shape;
  std::vector<IntTuple> modes;
  for (std::size_t i = 0; i < shape.elements().size(); ++i) {
    modes.push_back(without_broadcasts(shape.elements()[i], stride.elements()[i]));
  }
  return IntTuple::tuple(std::move(modes));
}

/// The stride of make_ordered_layout. \error kBadArgument, kInvalidLayout, kOverflow
Result<IntTuple> ordered_stride(const IntTuple& shape, const IntTuple& order) {
  if (const auto valid = Layout::left(shape); !valid) return valid.error();
  std::vector<Ranked> parts;
  if (auto status = collect(shape, order, parts); !status) return status.error();
  place_parts(parts);
  auto next = parts.begin();
  return strides_of(order, shape, next);
}

}  // namespace

Result<Layout> make_ordered_layout(const IntTuple& shape, const IntTuple& order) {
  return layout::without_exceptions([&]() -> Result<Layout> {
    auto stride = ordered_stride(shape, order);
    if (!stride) return stride.error();
    return with_marks(Layout::make(shape, std::move(*stride)), is_static(shape) && is_static(order));
  });
}

Result<Layout> make_layout_like(const Layout& layout) {
  return layout::without_exceptions([&]() -> Result<Layout> {
    auto stride = ordered_stride(without_broadcasts(layout.shape(), layout.stride()), layout.stride());
    if (!stride) return stride.error();
    return with_marks(Layout::make(layout.shape(), std::move(*stride)), is_static(layout));
  });
}

}  // namespace relayout::cute
