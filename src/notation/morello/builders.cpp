#include <algorithm>

#include "relayout/morello.hpp"

namespace relayout::morello {

PhysicalDimensions row_major(int rank) {
  PhysicalDimensions dimensions;
  for (int i = 0; i < rank; ++i) dimensions.push_back(PhysicalDimension::dynamic(i));
  return dimensions;
}

PhysicalDimensions column_major(int rank) {
  PhysicalDimensions dimensions = row_major(rank);
  std::reverse(dimensions.begin(), dimensions.end());
  return dimensions;
}

PhysicalDimensions nhwc() {
  return {PhysicalDimension::dynamic(0), PhysicalDimension::dynamic(2), PhysicalDimension::dynamic(3),
          PhysicalDimension::dynamic(1)};
}

PhysicalDimensions nchwc(std::int64_t block) {
  PhysicalDimensions dimensions = row_major(4);
  dimensions.push_back(PhysicalDimension::packed(1, block));
  return dimensions;
}

namespace {

/// Dynamic next to a pack of its own dimension is that Dynamic; two packs are one of the product.
bool merge_into(PhysicalDimension& outer, const PhysicalDimension& inner) {
  if (outer.logical_dimension != inner.logical_dimension || inner.kind != DimensionKind::kPacked)
    return false;
  if (outer.kind == DimensionKind::kDynamic) return true;
  if (outer.kind != DimensionKind::kPacked) return false;
  std::int64_t product = 0;
  if (__builtin_mul_overflow(outer.size, inner.size, &product)) return false;
  outer.size = product;
  return true;
}

}  // namespace

PhysicalDimensions drop_dimension(std::span<const PhysicalDimension> dimensions, int logical) {
  PhysicalDimensions kept;
  for (PhysicalDimension dimension : dimensions) {
    if (dimension.logical_dimension == logical) continue;
    if (dimension.logical_dimension > logical) --dimension.logical_dimension;
    if (kept.empty() || !merge_into(kept.back(), dimension)) kept.push_back(dimension);
  }
  return kept;
}

PhysicalDimensions swap_dimensions(std::span<const PhysicalDimension> dimensions, int a, int b) {
  PhysicalDimensions swapped(dimensions.begin(), dimensions.end());
  for (PhysicalDimension& dimension : swapped) {
    if (dimension.logical_dimension == a) {
      dimension.logical_dimension = b;
    } else if (dimension.logical_dimension == b) {
      dimension.logical_dimension = a;
    }
  }
  return swapped;
}

}  // namespace relayout::morello
