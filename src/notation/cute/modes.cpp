#include "src/notation/cute/modes.hpp"

#include <algorithm>
#include <new>

namespace relayout::cute {
namespace {

void append_modes(const IntTuple& shape, const IntTuple& stride, Modes& modes) {
  if (!shape.is_tuple()) {
    modes.push_back({shape.value(), stride.value()});
    return;
  }
  for (std::size_t i = 0; i < shape.elements().size(); ++i) {
    append_modes(shape.elements()[i], stride.elements()[i], modes);
  }
}

}  // namespace

Modes modes_of(const Layout& layout) {
  Modes modes;
  append_modes(layout.shape(), layout.stride(), modes);
  return modes;
}

ShapeAndStride tuples_of(const Modes& modes) {
  if (modes.size() == 1) return {IntTuple(modes.front().size), IntTuple(modes.front().stride)};
  std::vector<IntTuple> sizes, strides;
  for (const Mode& mode : modes) {
    sizes.emplace_back(mode.size);
    strides.emplace_back(mode.stride);
  }
  return {IntTuple::tuple(std::move(sizes)), IntTuple::tuple(std::move(strides))};
}

Result<Layout> layout_of(const Modes& modes) {
  if (modes.empty()) return Layout();
  ShapeAndStride tuples = tuples_of(modes);
  return Layout::make(std::move(tuples.shape), std::move(tuples.stride));
}

Modes coalesced(const Modes& modes) {
  Modes merged;
  for (const Mode& mode : modes) {
    if (mode.size == 1) continue;
    std::int64_t continued = 0;
    const bool continues = !merged.empty() &&
                           !__builtin_mul_overflow(merged.back().size, merged.back().stride, &continued) &&
                           continued == mode.stride;
    if (continues) {
      merged.back().size *= mode.size;
    } else {
      merged.push_back(mode);
    }
  }
  return merged;
}

Layout expect_memory(Result<Layout> result) {
  if (!result) throw std::bad_alloc();
  return std::move(*result);
}

Layout coalesced(const Layout& layout) {
  return expect_memory(with_marks(layout_of(coalesced(modes_of(layout))), is_static(layout)));
}

Layout filtered(const Layout& layout) {
  Modes modes = modes_of(layout);
  std::erase_if(modes, [](const Mode& mode) { return mode.stride == 0; });
  return expect_memory(with_marks(layout_of(coalesced(modes)), is_static(layout)));
}

std::vector<std::int64_t> places_of(const Modes& modes) {
  std::vector<std::int64_t> places;
  std::int64_t place = 1;
  for (const Mode& mode : modes) {
    places.push_back(place);
    place *= mode.size;
  }
  return places;
}

std::vector<Layout> top_modes(const Layout& layout) {
  std::vector<Layout> modes;
  for (std::int64_t i = 0; i < layout.rank(); ++i) modes.push_back(layout.mode(i));
  return modes;
}

IntTuple with_zeros(const IntTuple& coordinate) {
  if (coordinate.is_underscore()) return IntTuple(0);
  if (coordinate.is_integer()) return coordinate;
  std::vector<IntTuple> elements;
  for (const IntTuple& element : coordinate.elements()) elements.push_back(with_zeros(element));
  return IntTuple::tuple(std::move(elements));
}

bool is_static(const IntTuple& tuple) {
  if (!tuple.is_tuple()) return tuple.is_underscore() || tuple.is_static();
  return std::all_of(tuple.elements().begin(), tuple.elements().end(),
                     [](const IntTuple& element) { return is_static(element); });
}

bool is_static(const Layout& layout) {
  return is_static(layout.shape()) && is_static(layout.stride());
}

IntTuple marked_static(const IntTuple& tuple) {
  if (tuple.is_underscore()) return tuple;
  if (tuple.is_integer()) return IntTuple::static_integer(tuple.value());
  std::vector<IntTuple> elements;
  for (const IntTuple& element : tuple.elements()) elements.push_back(marked_static(element));
  return IntTuple::tuple(std::move(elements));
}

Layout filler_of(const Layout& layout) {
  return expect_memory(with_marks(Layout(), is_static(layout)));
}

Result<Layout> with_marks(Result<Layout> result, bool all_static) {
  if (!result || !all_static) return result;
  return Layout::make(marked_static(result->shape()), marked_static(result->stride()));
}

}  // namespace relayout::cute
