#include <algorithm>
#include <string>

#include "relayout/morello.hpp"

namespace relayout::morello {
namespace {

std::string name_of(std::span<const PhysicalDimension> dimensions, std::size_t position) {
  const std::string text = to_string(dimensions.subspan(position, 1));
  return "physical dimension " + std::to_string(position) + " (" + text.substr(1, text.size() - 2) + ")";
}

Error invalid(std::span<const PhysicalDimension> dimensions, std::size_t position, std::string_view why) {
  return Error{ErrorCode::kInvalidLayout, name_of(dimensions, position) + " " + std::string(why)};
}

Status validate_alone(std::span<const PhysicalDimension> dimensions, std::size_t position) {
  const PhysicalDimension& dimension = dimensions[position];
  if (dimension.logical_dimension < 0)
    return invalid(dimensions, position, "names a negative logical dimension");
  if (dimension.kind == DimensionKind::kPacked && dimension.size < 2) {
    return invalid(dimensions, position, "packs fewer than 2 elements");
  }
  if (dimension.kind == DimensionKind::kOddEven && (dimension.size < 2 || dimension.size % 2 != 0)) {
    return invalid(dimensions, position, "has an odd-even size that is not even and at least 2");
  }
  return {};
}

/// The rules for two neighbours of one logical dimension, `outer` directly outside `inner`.
Status validate_neighbours(std::span<const PhysicalDimension> dimensions, std::size_t outer_position) {
  const PhysicalDimension& outer = dimensions[outer_position];
  const PhysicalDimension& inner = dimensions[outer_position + 1];
  if (outer.logical_dimension != inner.logical_dimension) return {};
  if (outer.kind == DimensionKind::kOddEven && inner.kind == DimensionKind::kOddEven) {
    return invalid(dimensions, outer_position,
                   "is directly outside another odd-even of the same logical dimension");
  }
  if (inner.kind == DimensionKind::kPacked && outer.kind != DimensionKind::kOddEven) {
    return invalid(
        dimensions, outer_position + 1,
        "is directly inside a physical dimension of the same logical dimension: write one instead");
  }
  return {};
}

Status validate_dynamic_is_outermost(std::span<const PhysicalDimension> dimensions, std::size_t position) {
  if (dimensions[position].kind != DimensionKind::kDynamic) return {};
  const auto outside = dimensions.subspan(0, position);
  const bool repeated = std::any_of(outside.begin(), outside.end(), [&](const PhysicalDimension& other) {
    return other.logical_dimension == dimensions[position].logical_dimension;
  });
  if (!repeated) return {};
  return invalid(dimensions, position, "is Dynamic, but the same logical dimension occurs again outside it");
}

}  // namespace

Status validate(std::span<const PhysicalDimension> dimensions) {
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    if (auto status = validate_alone(dimensions, i); !status) return status;
    if (auto status = validate_dynamic_is_outermost(dimensions, i); !status) return status;
    if (i + 1 == dimensions.size()) continue;
    if (auto status = validate_neighbours(dimensions, i); !status) return status;
  }
  return {};
}

}  // namespace relayout::morello
