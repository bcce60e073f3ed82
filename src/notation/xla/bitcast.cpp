// A bitcast is free if both layouts put every element at the same place: both offsets are written over one
// domain and compared, as expressions first. (XLA's own tests look at minor_to_major alone.)

#include <algorithm>
#include <numeric>

#include "relayout/layout.hpp"
#include "src/layout/checked_arithmetic.hpp"
#include "src/layout/layout_data.hpp"
#include "src/layout/memory_guard.hpp"
#include "src/notation/xla/tiling.hpp"

namespace relayout::xla {
namespace {

using expr::IndexExpr;

/// Every element is tried up to this many.
constexpr std::int64_t kTriedElements = std::int64_t{1} << 22;

Axis axis_of(const IndexExpr& index, std::int64_t extent) {
  if (extent == 1) return {IndexExpr(), layout::Digit{}};
  return {index, std::nullopt};
}

/// The offset of the element whose coordinate is given by `coordinate`.
IndexExpr offset_of(const Tiling& tiling, const std::vector<Axis>& coordinate) {
  const auto axes = tiling.expand(coordinate);
  const auto strides = tiling.strides();
  IndexExpr offset;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (!(axes[i].index == IndexExpr())) offset = offset + axes[i].index * strides[i];
  }
  return offset;
}

/// The coordinate of element `element` in row-major order.
std::vector<Axis> row_major_coordinate(const IndexExpr& element,
                                       const std::vector<std::int64_t>& dimensions) {
  std::vector<Axis> coordinate(dimensions.size());
  std::int64_t place = 1;
  for (std::size_t i = dimensions.size(); i-- > 0;) {
    const IndexExpr rest = place == 1 ? element : floor_div(element, place);
    coordinate[i] = axis_of(floor_mod(rest, dimensions[i]), dimensions[i]);
    place *= dimensions[i];
  }
  return coordinate;
}

bool equal_everywhere(const IndexExpr& a, const IndexExpr& b, const std::vector<std::int64_t>& extents) {
  std::vector<std::int64_t> at(extents.size(), 0);
  while (true) {
    if (expr::evaluate_unchecked(a, at) != expr::evaluate_unchecked(b, at)) return false;
    std::size_t i = extents.size();
    while (i > 0 && ++at[i - 1] == extents[i - 1]) at[--i] = 0;
    if (i == 0) return true;
  }
}

/// Whether a == b is proved on the box of the extents, which has `elements` points.
bool proved_equal(const IndexExpr& a, const IndexExpr& b, const std::vector<std::int64_t>& extents,
                  std::int64_t elements) {
  const auto simple_a = expr::simplify(a);
  const auto simple_b = expr::simplify(b);
  if (simple_a && simple_b && *simple_a == *simple_b) return true;
  const auto difference = expr::simplify(a - b);
  if (difference && *difference == IndexExpr()) return true;
  return elements <= kTriedElements && equal_everywhere(a, b, extents);
}

/// Both sides' tilings, once it is known that their buffers could be one.
struct Buffers {
  Tiling from;
  Tiling to;
  std::int64_t elements = 0;
  bool compatible = false;
};

Result<Buffers> buffers_of(const ArrayShape& from, const ArrayShape& to) {
  auto from_tiling = Tiling::of(from);
  if (!from_tiling) return from_tiling.error();
  auto to_tiling = Tiling::of(to);
  if (!to_tiling) return to_tiling.error();
  const auto elements = layout::checked_product(from.dimensions);
  if (elements != layout::checked_product(to.dimensions)) {
    return Error{ErrorCode::kShapeMismatch,
                 to_string(from) + " and " + to_string(to) + " differ in their number of elements"};
  }
  const bool compatible = element_bits(from) == element_bits(to) &&
                          to_tiling->physical_elements() <= from_tiling->physical_elements() &&
                          from.layout.memory_space == to.layout.memory_space &&
                          from.layout.metadata_prefix_bytes == to.layout.metadata_prefix_bytes &&
                          from.layout.split_configs == to.layout.split_configs;
  return Buffers{std::move(*from_tiling), std::move(*to_tiling), *elements, compatible};
}

Status check_permutation(const ArrayShape& from, const ArrayShape& to,
                         std::span<const std::int64_t> permutation) {
  std::vector<std::int64_t> sorted(permutation.begin(), permutation.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::int64_t> all(from.dimensions.size());
  std::iota(all.begin(), all.end(), 0);
  if (sorted != all || to.dimensions.size() != all.size()) {
    return Error{ErrorCode::kBadArgument, "not a permutation of the dimensions of " + to_string(from)};
  }
  for (std::size_t i = 0; i < permutation.size(); ++i) {
    if (to.dimensions[i] == from.dimensions[static_cast<std::size_t>(permutation[i])]) continue;
    return Error{ErrorCode::kShapeMismatch, to_string(to) + " is not that transpose of " + to_string(from)};
  }
  return {};
}

}  // namespace

Result<bool> reshape_is_bitcast(const ArrayShape& from, const ArrayShape& to) {
  return layout::without_exceptions([&]() -> Result<bool> {
    const auto buffers = buffers_of(from, to);
    if (!buffers) return buffers.error();
    if (!buffers->compatible) return false;
    if (buffers->elements == 0) return true;
    const std::vector<std::int64_t> domain = {buffers->elements};
    const IndexExpr element = layout::index_variables(domain).front();
    const IndexExpr a = offset_of(buffers->from, row_major_coordinate(element, from.dimensions));
    const IndexExpr b = offset_of(buffers->to, row_major_coordinate(element, to.dimensions));
    return proved_equal(a, b, domain, buffers->elements);
  });
}

Result<bool> transpose_is_bitcast(const ArrayShape& from, const ArrayShape& to,
                                  std::span<const std::int64_t> permutation) {
  return layout::without_exceptions([&]() -> Result<bool> {
    if (auto status = check_permutation(from, to, permutation); !status) return status.error();
    const auto buffers = buffers_of(from, to);
    if (!buffers) return buffers.error();
    if (!buffers->compatible) return false;
    if (buffers->elements == 0) return true;
    const auto variables = layout::index_variables(from.dimensions);
    std::vector<Axis> from_coordinate;
    std::vector<Axis> to_coordinate;
    for (std::size_t i = 0; i < variables.size(); ++i) {
      const auto source = static_cast<std::size_t>(permutation[i]);
      from_coordinate.push_back(axis_of(variables[i], from.dimensions[i]));
      to_coordinate.push_back(axis_of(variables[source], from.dimensions[source]));
    }
    const IndexExpr a = offset_of(buffers->from, from_coordinate);
    const IndexExpr b = offset_of(buffers->to, to_coordinate);
    return proved_equal(a, b, from.dimensions, buffers->elements);
  });
}

}  // namespace relayout::xla
