// Applies a list of physical dimensions to a shape. From the innermost outwards each physical dimension
// contributes alpha * ((x // v) mod p), with alpha the volume covered so far, v the volume covered of its
// logical dimension and p its size (Morello's book, data_layouts.md). OddEven(s) permutes its digit g: (g //
// 2) + (g % 2) * (s / 2).

#include "src/notation/morello/apply.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include "src/layout/checked_arithmetic.hpp"
#include "src/layout/layout_data.hpp"
#include "src/layout/memory_guard.hpp"

namespace relayout {
namespace morello {
namespace {

using expr::IndexExpr;
using layout::Digit;

/// What is left of each logical dimension while physical dimensions are taken from the innermost outwards.
class Remainders {
 public:
  explicit Remainders(const Shape& shape)
      : shape_(shape), covered_(shape.size(), 1), clipped_(shape.size(), false) {}

  /// The size of `dimension` on this shape. \error kShapeMismatch
  Result<std::int64_t> take(const PhysicalDimension& dimension, std::string_view name) {
    const auto logical = static_cast<std::size_t>(dimension.logical_dimension);
    const std::int64_t left = shape_[logical] / covered_[logical];
    const auto size = size_of(dimension, left, logical, name);
    if (size) covered_[logical] *= std::max<std::int64_t>(*size, 1);
    return size;
  }

  std::int64_t covered(int logical) const { return covered_[static_cast<std::size_t>(logical)]; }

  Status all_covered() const {
    for (std::size_t i = 0; i < shape_.size(); ++i) {
      if (shape_[i] > 0 && covered_[i] != shape_[i]) {
        return Error{ErrorCode::kShapeMismatch,
                     "logical dimension " + std::to_string(i) + " has extent " + std::to_string(shape_[i]) +
                         ", but its physical dimensions cover only " + std::to_string(covered_[i])};
      }
    }
    return {};
  }

 private:
  Result<std::int64_t> size_of(const PhysicalDimension& dimension, std::int64_t left, std::size_t logical,
                               std::string_view name) {
    if (dimension.kind == DimensionKind::kDynamic || shape_[logical] == 0) return left;
    if (left >= dimension.size) {
      if (left % dimension.size == 0) return dimension.size;
      return mismatch(name, left, " is not a multiple of its size");
    }
    if (dimension.kind == DimensionKind::kOddEven && left != 1) {
      return mismatch(name, left, " would split an odd-even strip");
    }
    if (clipped_[logical]) return mismatch(name, left, " would clip a second physical dimension of it");
    clipped_[logical] = true;
    return left;
  }

  static Error mismatch(std::string_view name, std::int64_t left, std::string_view why) {
    return Error{ErrorCode::kShapeMismatch, std::string(name) + ": the " + std::to_string(left) +
                                                " left of its logical dimension" + std::string(why)};
  }

  const Shape& shape_;
  std::vector<std::int64_t> covered_;
  std::vector<bool> clipped_;
};

/// Adds one physical dimension's term and digits. `place` is v, `stride` alpha.
void add_term(layout::LayoutData& data, const IndexExpr& index, const Digit& digit, bool odd_even,
              bool outermost) {
  if (digit.extent <= 1) return;
  IndexExpr value = digit.place > 1 ? floor_div(index, digit.place) : index;
  if (!outermost || odd_even) value = floor_mod(value, digit.extent);
  if (odd_even && digit.extent > 2) {
    const std::int64_t half = digit.extent / 2;
    value = floor_div(value, 2) + floor_mod(value, 2) * half;
    data.digits.push_back({digit.dimension, digit.place, 2, digit.stride * half});
    data.digits.push_back({digit.dimension, digit.place * 2, half, digit.stride});
  } else {
    data.digits.push_back(digit);
  }
  const IndexExpr term = digit.stride > 1 ? value * digit.stride : value;
  data.raw = data.raw == IndexExpr() ? term : term + data.raw;
}

bool dynamic_and_ordered(const PhysicalDimensions& dimensions, bool ascending) {
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    if (dimensions[i].kind != DimensionKind::kDynamic) return false;
    if (i == 0) continue;
    const int step = dimensions[i].logical_dimension - dimensions[i - 1].logical_dimension;
    if (ascending ? step <= 0 : step >= 0) return false;
  }
  return true;
}

Status apply(layout::LayoutData& data, const PhysicalDimensions& dimensions) {
  Remainders remainders(data.shape);
  const auto variables = layout::index_variables(data.shape);
  std::int64_t stride = 1;
  for (std::size_t i = dimensions.size(); i-- > 0;) {
    const PhysicalDimension& dimension = dimensions[i];
    const std::string text = to_string(std::span(&dimension, 1));
    const std::string name =
        "physical dimension " + std::to_string(i) + " (" + text.substr(1, text.size() - 2) + ")";
    if (dimension.logical_dimension >= static_cast<int>(data.shape.size())) {
      return Error{ErrorCode::kShapeMismatch,
                   name + " names a logical dimension past rank " + std::to_string(data.shape.size())};
    }
    const std::int64_t place = remainders.covered(dimension.logical_dimension);
    const auto size = remainders.take(dimension, name);
    if (!size) return size.error();
    data.physical_shape.push_back(*size);
    if (data.element_count == 0) continue;
    const bool outermost = remainders.covered(dimension.logical_dimension) ==
                           data.shape[static_cast<std::size_t>(dimension.logical_dimension)];
    add_term(data, variables[static_cast<std::size_t>(dimension.logical_dimension)],
             {dimension.logical_dimension, place, *size, stride}, dimension.kind == DimensionKind::kOddEven,
             outermost);
    stride *= *size;
  }
  std::reverse(data.physical_shape.begin(), data.physical_shape.end());
  std::reverse(data.digits.begin(), data.digits.end());
  return remainders.all_covered();
}

Result<std::int64_t> checked_element_count(const ElementType& type, const Shape& shape) {
  if (auto status = layout::check_extents(shape); !status) return status.error();
  const auto count = layout::checked_product(shape);
  if (!count || *count > layout::kMaximumBytes / type.storage_bytes()) {
    return Error{ErrorCode::kOverflow, layout::type_and_shape(type, shape) + " has more than 2^60 bytes"};
  }
  return *count;
}

}  // namespace
}  // namespace morello

Result<Layout> Layout::from_morello(ElementType type, Shape shape, morello::PhysicalDimensions dimensions) {
  return layout::without_exceptions([&]() -> Result<Layout> {
    if (auto status = morello::validate(dimensions); !status) return status.error();
    const auto count = morello::checked_element_count(type, shape);
    if (!count) return count.error();
    auto data = std::make_shared<layout::LayoutData>(type);
    data->shape = std::move(shape);
    data->element_count = *count;
    data->physical_elements = *count;
    if (auto status = morello::apply(*data, dimensions); !status) return status.error();
    data->row_major = morello::dynamic_and_ordered(dimensions, true);
    data->column_major = morello::dynamic_and_ordered(dimensions, false);
    data->canonical =
        layout::type_and_shape(type, data->shape) + morello::to_string(morello::canonical(*data));
    return Layout(std::shared_ptr<const layout::LayoutData>(std::move(data)));
  });
}

Result<Layout> Layout::row_major(ElementType type, Shape shape) {
  const int rank = static_cast<int>(shape.size());
  return from_morello(type, std::move(shape), morello::row_major(rank));
}

Result<Layout> Layout::column_major(ElementType type, Shape shape) {
  const int rank = static_cast<int>(shape.size());
  return from_morello(type, std::move(shape), morello::column_major(rank));
}

}  // namespace relayout
