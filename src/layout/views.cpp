#include <algorithm>
#include <memory>
#include <numeric>
#include <string>

#include "relayout/strided.hpp"
#include "src/layout/checked_arithmetic.hpp"
#include "src/layout/layout_data.hpp"
#include "src/layout/memory_guard.hpp"

namespace relayout {
namespace {

using expr::IndexExpr;

std::string list_text(std::span<const std::int64_t> values, char open, char close) {
  std::string text(1, open);
  for (const std::int64_t value : values) {
    if (text.size() > 1) text += ',';
    text += std::to_string(value);
  }
  return text + close;
}

/// A view of `layout` under `shape`, its offset still to be set. The buffer stays what it is.
std::shared_ptr<layout::LayoutData> view_of(const Layout& layout, Shape shape) {
  const layout::LayoutData& data = layout.data();
  auto view = std::make_shared<layout::LayoutData>(data.type);
  view->shape = std::move(shape);
  view->physical_shape = data.physical_shape;
  view->element_count = data.element_count;
  view->physical_elements = data.physical_elements;
  view->element_bits = data.element_bits;
  view->unit_bytes = data.unit_bytes;
  view->span_bytes = data.span_bytes;
  view->obstacle_to_digits = "it is a view";
  return view;
}

/// The map of `data` with its indices replaced, by a bijection.
void set_map(layout::LayoutData& view, const layout::LayoutData& data,
             std::span<const IndexExpr> replacements) {
  view.raw = expr::substitute(data.raw, replacements);
  view.permuted = data.permuted;
  if (view.permuted) view.permuted->before = expr::substitute(view.permuted->before, replacements);
}

Layout finish(std::shared_ptr<layout::LayoutData> data) {
  return Layout(std::shared_ptr<const layout::LayoutData>(std::move(data)));
}

}  // namespace

Result<Layout> Layout::transposed(std::span<const std::int64_t> permutation) const {
  return layout::without_exceptions([&]() -> Result<Layout> {
    Shape sorted(permutation.begin(), permutation.end());
    std::sort(sorted.begin(), sorted.end());
    Shape all(shape().size());
    std::iota(all.begin(), all.end(), 0);
    if (sorted != all) {
      return Error{ErrorCode::kBadArgument, list_text(permutation, '{', '}') + " is not a permutation of " +
                                                std::to_string(rank()) + " dimensions"};
    }
    Shape permuted;
    for (const std::int64_t dimension : permutation)
      permuted.push_back(shape()[static_cast<std::size_t>(dimension)]);
    auto view = view_of(*this, std::move(permuted));
    const auto variables = layout::index_variables(view->shape);
    std::vector<IndexExpr> replacements(variables.size());
    for (std::size_t i = 0; i < variables.size(); ++i) {
      replacements[static_cast<std::size_t>(permutation[i])] = variables[i];
    }
    set_map(*view, data(), replacements);
    view->canonical = data().canonical + " transposed " + list_text(permutation, '{', '}');
    return finish(std::move(view));
  });
}

Result<Layout> Layout::reshaped(Shape new_shape) const {
  return layout::without_exceptions([&]() -> Result<Layout> {
    if (auto status = layout::check_extents(new_shape); !status) return status.error();
    const auto count = layout::checked_product(new_shape);
    if (!count || *count != element_count()) {
      return Error{ErrorCode::kShapeMismatch, list_text(new_shape, '[', ']') + " does not have the " +
                                                  std::to_string(element_count()) + " elements of " +
                                                  list_text(shape(), '[', ']')};
    }
    auto view = view_of(*this, std::move(new_shape));
    const auto variables = layout::index_variables(view->shape);
    IndexExpr linear;
    std::int64_t place = 1;
    for (std::size_t i = variables.size(); i-- > 0;) {
      if (view->shape[i] > 1) linear = variables[i] * place + linear;
      place *= std::max<std::int64_t>(view->shape[i], 1);
    }
    std::vector<IndexExpr> replacements(shape().size());
    place = 1;
    for (std::size_t i = replacements.size(); i-- > 0;) {
      const std::int64_t extent = std::max<std::int64_t>(shape()[i], 1);
      replacements[i] = floor_mod(floor_div(linear, place), extent);
      place *= extent;
    }
    set_map(*view, data(), replacements);
    view->canonical = data().canonical + " reshaped " + list_text(view->shape, '[', ']');
    return finish(std::move(view));
  });
}

namespace {

/// The bytes of tiles at given distances: resolved strides, the lowest offset, and the whole span.
struct TileGeometry {
  Shape tile;  ///< one entry per dimension
  std::vector<std::int64_t> stride_bytes;
  std::int64_t lowest_byte = 0;
  std::int64_t span_bytes = 0;
};

Result<TileGeometry> resolve(const ElementType& type, const StridedTiles& tiles) {
  const std::size_t rank = tiles.shape.size();
  TileGeometry geometry;
  if (tiles.tile.size() > rank)
    return Error{ErrorCode::kBadArgument, "the tile has more dimensions than the shape"};
  if (!tiles.stride_bytes.empty() && tiles.stride_bytes.size() != rank) {
    return Error{ErrorCode::kBadArgument, "there are " + std::to_string(tiles.stride_bytes.size()) +
                                              " strides for " + std::to_string(rank) + " dimensions"};
  }
  geometry.tile.assign(rank - tiles.tile.size(), 1);
  geometry.tile.insert(geometry.tile.end(), tiles.tile.begin(), tiles.tile.end());
  for (std::size_t i = 0; i < rank; ++i) {
    if (geometry.tile[i] < 1 || tiles.shape[i] < 0) {
      return Error{ErrorCode::kBadArgument, "dimension " + std::to_string(i) + " has a bad extent or tile"};
    }
  }
  const auto tile_elements = layout::checked_product(geometry.tile);
  if (!tile_elements) return Error{ErrorCode::kOverflow, "the tile has more than 2^63 elements"};
  geometry.stride_bytes = tiles.stride_bytes;
  std::optional<std::int64_t> dense = layout::checked_multiply(*tile_elements, type.storage_bytes());
  geometry.stride_bytes.resize(rank);
  for (std::size_t i = rank; i-- > 0 && tiles.stride_bytes.empty();) {
    if (!dense) return Error{ErrorCode::kOverflow, "the strides do not fit in 64 bits"};
    geometry.stride_bytes[i] = *dense;
    dense = layout::checked_multiply(*dense, layout::divided_up(tiles.shape[i], geometry.tile[i]));
  }
  return geometry;
}

/// The bytes from the lowest to the highest tile, all tiles whole (as XLA's transposer counts them).
Status measure(const ElementType& type, const StridedTiles& tiles, TileGeometry& geometry) {
  __extension__ using Wide = __int128;
  Wide lowest = 0;
  Wide highest = type.storage_bytes();
  for (const std::int64_t extent : geometry.tile) highest *= extent;
  for (std::size_t i = 0; i < tiles.shape.size(); ++i) {
    const std::int64_t steps = (std::max<std::int64_t>(tiles.shape[i], 1) - 1) / geometry.tile[i];
    const Wide reach = Wide{steps} * geometry.stride_bytes[i];
    (reach < 0 ? lowest : highest) += reach;
  }
  if (highest - lowest > layout::kMaximumBytes) {
    return Error{ErrorCode::kOverflow, "the array spans more than 2^60 bytes"};
  }
  geometry.lowest_byte = static_cast<std::int64_t>(lowest);
  geometry.span_bytes = static_cast<std::int64_t>(highest - lowest);
  return {};
}

/// The byte offset divided by `unit`, over d0, d1, ...
IndexExpr tile_offset(const layout::LayoutData& data, const TileGeometry& geometry, std::int64_t unit) {
  const auto variables = layout::index_variables(data.shape);
  IndexExpr sum = IndexExpr::constant(-geometry.lowest_byte / unit);
  std::int64_t inner = data.type.storage_bytes() / unit;
  for (std::size_t i = variables.size(); i-- > 0;) {
    const std::int64_t tile = geometry.tile[i];
    sum = floor_div(variables[i], tile) * (geometry.stride_bytes[i] / unit) + sum;
    if (tile > 1) sum = floor_mod(variables[i], tile) * inner + sum;
    inner *= tile;
  }
  return sum;
}

}  // namespace

Result<Layout> strided(ElementType type, const StridedTiles& tiles) {
  return layout::without_exceptions([&]() -> Result<Layout> {
    auto geometry = resolve(type, tiles);
    if (!geometry) return geometry.error();
    if (auto status = measure(type, tiles, *geometry); !status) return status.error();
    auto data = std::make_shared<layout::LayoutData>(type);
    data->shape = tiles.shape;
    const auto count = layout::checked_product(tiles.shape);
    if (!count) return Error{ErrorCode::kOverflow, "the shape has more than 2^63 elements"};
    data->element_count = *count;
    std::int64_t unit = type.storage_bytes();
    for (const std::int64_t stride : geometry->stride_bytes) unit = std::gcd(unit, stride);
    data->unit_bytes = unit;
    data->span_bytes = *count == 0 ? 0 : geometry->span_bytes;
    data->physical_elements = *data->span_bytes / unit;
    data->physical_shape = {data->physical_elements};
    data->obstacle_to_digits = "it has strides of its own between tiles";
    data->raw = tile_offset(*data, *geometry, unit);
    data->canonical = layout::type_and_shape(type, tiles.shape) + " in tiles of " +
                      list_text(geometry->tile, '(', ')') + " at " +
                      list_text(geometry->stride_bytes, '(', ')') + " bytes";
    return finish(std::move(data));
  });
}

}  // namespace relayout
