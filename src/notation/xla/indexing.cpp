#include "relayout/layout.hpp"
#include "src/layout/checked_arithmetic.hpp"
#include "src/notation/xla/tiling.hpp"

namespace relayout::xla {

Result<std::int64_t> physical_elements(const ArrayShape& array) {
  const auto tiling = Tiling::of(array);
  if (!tiling) return tiling.error();
  return tiling->physical_elements();
}

Result<std::int64_t> size_bytes(const ArrayShape& array) {
  const auto elements = physical_elements(array);
  if (!elements) return elements;
  return *layout::checked_bytes(*elements, element_bits(array));
}

Result<std::int64_t> element_count(const ArrayShape& array) {
  const auto tiling = Tiling::of(array);
  if (!tiling) return tiling.error();
  return *layout::checked_product(array.dimensions);
}

Result<std::int64_t> data_bytes(const ArrayShape& array) {
  const auto elements = element_count(array);
  if (!elements) return elements;
  return *layout::checked_bytes(*elements, element_bits(array));
}

Result<std::int64_t> linear_index(const ArrayShape& array, std::span<const std::int64_t> coordinate) {
  const auto layout = Layout::from_xla(array);
  if (!layout) return layout.error();
  return layout->offset(coordinate);
}

Result<std::optional<std::vector<std::int64_t>>> coordinate_of(const ArrayShape& array,
                                                               std::int64_t linear_index) {
  const auto tiling = Tiling::of(array);
  if (!tiling) return tiling.error();
  if (linear_index < 0 || linear_index >= tiling->physical_elements()) {
    return Error{ErrorCode::kBadArgument, "place " + std::to_string(linear_index) +
                                              " is outside a buffer of " +
                                              std::to_string(tiling->physical_elements()) + " elements"};
  }
  return tiling->coordinate_of(linear_index);
}

}  // namespace relayout::xla
