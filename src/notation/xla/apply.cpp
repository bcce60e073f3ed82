// Layout::from_xla: the offset is the row-major one in the tiled dimensions.

#include <memory>
#include <utility>

#include "src/layout/checked_arithmetic.hpp"
#include "src/layout/layout_data.hpp"
#include "src/layout/memory_guard.hpp"
#include "src/notation/xla/tiling.hpp"

namespace relayout {
namespace xla {
namespace {

using expr::IndexExpr;
using layout::Digit;

/// The logical indices d0, d1, ..., each a whole digit.
std::vector<Axis> logical_axes(const std::vector<std::int64_t>& dimensions) {
  const auto variables = layout::index_variables(dimensions);
  std::vector<Axis> axes;
  axes.reserve(dimensions.size());
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    axes.push_back({variables[i], Digit{static_cast<int>(i), 1, dimensions[i], 1}});
  }
  return axes;
}

void add_dimension(layout::LayoutData& data, const Axis& axis, std::int64_t stride) {
  if (axis.digit) {
    Digit digit = *axis.digit;
    digit.stride = stride;
    if (digit.extent > 1) data.digits.push_back(digit);
  } else {
    data.obstacle_to_digits = "a dimension is combined with another or cut raggedly";
  }
  if (axis.index == IndexExpr()) return;
  const IndexExpr term = stride == 1 ? axis.index : axis.index * stride;
  data.raw = data.raw == IndexExpr() ? term : data.raw + term;
}

void add_map(layout::LayoutData& data, const Tiling& tiling) {
  const auto strides = tiling.strides();
  const std::vector<Axis> axes = data.element_count != 0
                                     ? tiling.expand(logical_axes(data.shape))
                                     : std::vector<Axis>(strides.size(), Axis{IndexExpr(), Digit{}});
  data.digits.reserve(axes.size());
  data.physical_digits.reserve(axes.size());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::int64_t extent = data.physical_shape[i];
    data.physical_digits.push_back({extent, strides[i], axes[i].index});
    if (extent > 1) add_dimension(data, axes[i], strides[i]);
  }
  if (!data.has_digits()) data.digits.clear();
}

}  // namespace
}  // namespace xla

Result<Layout> Layout::from_xla(xla::ArrayShape array) {
  return layout::without_exceptions([&]() -> Result<Layout> {
    const auto tiling = xla::Tiling::of(array);
    if (!tiling) return tiling.error();
    if (!array.layout.split_configs.empty()) {
      return Error{ErrorCode::kUnsupported,
                   xla::to_string(array) + ": an array that is split between memories is not one buffer"};
    }
    auto data = std::make_shared<layout::LayoutData>(array.type);
    data->shape = array.dimensions;
    data->element_count = *layout::checked_product(array.dimensions);
    data->physical_shape = tiling->physical_shape();
    data->physical_elements = tiling->physical_elements();
    data->element_bits = xla::element_bits(array);
    data->canonical = xla::to_string(array);
    xla::add_map(*data, *tiling);
    data->xla = std::move(array);
    return Layout(std::shared_ptr<const layout::LayoutData>(std::move(data)));
  });
}

}  // namespace relayout
