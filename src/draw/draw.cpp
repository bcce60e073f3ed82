#include "relayout/draw.hpp"

#include "src/draw/picture.hpp"
#include "src/layout/memory_guard.hpp"

namespace relayout {
namespace {

using draw::Subject;

/// Rows of the buffer's picture are whole physical rows, as many as fit.
constexpr std::int64_t kPlacesARow = 32;

std::int64_t places_a_row(const Shape& physical_shape) {
  std::int64_t places = 1;
  for (std::size_t i = physical_shape.size(); i-- > 0;) {
    if (physical_shape[i] < 1 || places > kPlacesARow / physical_shape[i]) break;
    places *= physical_shape[i];
  }
  return places < 4 ? kPlacesARow : places;
}

Result<std::string> draw_subject(const Subject& subject, const DrawOptions& options) {
  return layout::without_exceptions([&]() -> Result<std::string> {
    const auto picture = draw::make_picture(subject, options);
    if (!picture) return picture.error();
    return draw::to_svg(*picture);
  });
}

Shape top_level_sizes(const cute::IntTuple& shape) {
  if (!shape.is_tuple()) return {shape.value()};
  Shape sizes;
  for (const cute::IntTuple& mode : shape.elements()) {
    const auto size = cute::size(mode);
    sizes.push_back(size ? *size : 0);  // a layout's sizes fit in 64 bits
  }
  return sizes;
}

cute::IntTuple coordinate_of(const cute::IntTuple& shape, std::span<const std::int64_t> coordinate) {
  if (!shape.is_tuple()) return coordinate[0];
  return cute::IntTuple::tuple({coordinate.begin(), coordinate.end()});
}

Result<std::int64_t> offset_at(const cute::Layout& layout, const cute::IntTuple& coordinate) {
  return layout.offset(coordinate);
}

Result<std::int64_t> offset_at(const cute::ComposedLayout& layout, const cute::IntTuple& coordinate) {
  return layout.offset_of(coordinate);
}

/// Of a layout or a composed one.
template <class CuteLayout>
Subject subject_of(const CuteLayout& layout) {
  const cute::OffsetRange range = layout.range();
  return {cute::to_string(layout),
          top_level_sizes(layout.shape()),
          range.lowest,
          range.highest - range.lowest + 1,
          kPlacesARow,
          [&layout](std::span<const std::int64_t> coordinate) {
            return offset_at(layout, coordinate_of(layout.shape(), coordinate));
          }};
}

}  // namespace

Result<std::string> draw_svg(const Layout& layout, const DrawOptions& options) {
  return draw_subject(
      {layout.to_string(), layout.shape(), 0, layout.physical_elements(),
       places_a_row(layout.physical_shape()),
       [&layout](std::span<const std::int64_t> coordinate) { return layout.offset(coordinate); }},
      options);
}

Result<std::string> draw_svg(const cute::AnyLayout& layout, const DrawOptions& options) {
  return std::visit([&](const auto& one) { return draw_subject(subject_of(one), options); }, layout);
}

}  // namespace relayout
