#include <algorithm>

#include "relayout/xla.hpp"

namespace relayout::xla {
namespace {

Error invalid(const ArrayShape& array, const std::string& what) {
  return Error{ErrorCode::kInvalidLayout, to_string(array) + ": " + what};
}

Status validate_dimensions(const ArrayShape& array) {
  if (array.dynamic.size() != array.dimensions.size()) {
    return invalid(array, "as many dynamic marks as dimensions are needed");
  }
  std::int64_t product = 1;
  for (std::size_t i = 0; i < array.dimensions.size(); ++i) {
    const std::int64_t extent = array.dimensions[i];
    if (extent == kUnbounded && array.dynamic[i]) continue;
    if (extent < 0) return invalid(array, "dimension " + std::to_string(i) + " is negative");
    if (__builtin_mul_overflow(product, extent, &product)) {
      return Error{ErrorCode::kOverflow, to_string(array) + ": the dimensions' product is past 64 bits"};
    }
  }
  return {};
}

Status validate_order(const ArrayShape& array) {
  const auto& order = array.layout.minor_to_major;
  const std::size_t rank = array.dimensions.size();
  if (order.size() != rank) {
    return invalid(array, "the order names " + std::to_string(order.size()) + " dimensions, the array has " +
                              std::to_string(rank));
  }
  std::vector<bool> seen(rank, false);
  for (const std::int64_t dimension : order) {
    if (dimension < 0 || static_cast<std::size_t>(dimension) >= rank) {
      return invalid(array,
                     "the order names dimension " + std::to_string(dimension) + ", which is not there");
    }
    if (seen[static_cast<std::size_t>(dimension)]) {
      return invalid(array, "the order names dimension " + std::to_string(dimension) + " twice");
    }
    seen[static_cast<std::size_t>(dimension)] = true;
  }
  return {};
}

Status validate_tiles(const ArrayShape& array) {
  for (const Tile& tile : array.layout.tiles) {
    if (tile.empty()) return invalid(array, "a tile has no entries");
    const bool positive = std::all_of(tile.begin(), tile.end(),
                                      [](std::int64_t entry) { return entry > 0 || entry == kCombine; });
    if (!positive) return invalid(array, "a tile size is not positive");
  }
  return {};
}

Status validate_split(const ArrayShape& array, const SplitConfig& split) {
  const auto rank = static_cast<std::int64_t>(array.dimensions.size());
  const std::string name = "split of physical dimension " + std::to_string(split.physical_dimension);
  if (split.physical_dimension < 0 || split.physical_dimension >= rank) {
    return invalid(array, name + ", which is not there");
  }
  const auto place = static_cast<std::size_t>(rank - 1 - split.physical_dimension);
  const std::int64_t extent = array.dimensions[static_cast<std::size_t>(array.layout.minor_to_major[place])];
  std::int64_t previous = 0;
  for (const std::int64_t point : split.split_points) {
    if (point <= previous) return invalid(array, name + ": the points do not rise from above 0");
    if (extent != kUnbounded && point >= extent) {
      return invalid(
          array, name + ": point " + std::to_string(point) + " is past its extent " + std::to_string(extent));
    }
    previous = point;
  }
  return {};
}

Status validate_splits(const ArrayShape& array) {
  if (array.layout.split_configs.empty()) return {};
  std::vector<bool> seen(array.dimensions.size(), false);
  for (const SplitConfig& split : array.layout.split_configs) {
    if (auto status = validate_split(array, split); !status) return status;
    const auto dimension = static_cast<std::size_t>(split.physical_dimension);
    if (seen[dimension]) {
      return invalid(array, "physical dimension " + std::to_string(dimension) + " is split twice");
    }
    seen[dimension] = true;
  }
  return {};
}

Status validate_padding(const ArrayShape& array) {
  const auto& padded = array.layout.padded_dimensions;
  if (padded.empty()) return {};
  if (!array.layout.tiles.empty()) return invalid(array, "T and PAD exclude each other");
  if (padded.size() != array.dimensions.size()) {
    return invalid(array, "PAD has " + std::to_string(padded.size()) + " extents, the array has rank " +
                              std::to_string(array.dimensions.size()));
  }
  for (std::size_t i = 0; i < padded.size(); ++i) {
    if (array.dimensions[i] != kUnbounded && padded[i] >= array.dimensions[i]) continue;
    return invalid(
        array, "PAD's extent " + std::to_string(padded[i]) + " does not hold dimension " + std::to_string(i));
  }
  return {};
}

Status validate_numbers(const ArrayShape& array) {
  const ArrayLayout& layout = array.layout;
  if (layout.tail_padding_alignment < 1) return invalid(array, "the tail padding alignment L is below 1");
  if (layout.element_bits < 0) return invalid(array, "the element size E is negative");
  if (!layout.index_type.empty() || !layout.pointer_type.empty()) {
    return invalid(array, "index and pointer types (# and *) belong to sparse arrays");
  }
  return {};
}

}  // namespace

Status validate(const ArrayShape& array) {
  for (const auto check : {validate_dimensions, validate_order, validate_tiles, validate_numbers,
                           validate_splits, validate_padding}) {
    if (auto status = check(array); !status) return status;
  }
  return {};
}

Status validate(const Shape& shape) {
  if (shape.kind == ShapeKind::kArray) {
    if (shape.array) return validate(*shape.array);
    return Error{ErrorCode::kInvalidLayout, "an array shape without its array"};
  }
  for (const Shape& member : shape.members) {
    if (auto status = validate(member); !status) return status;
  }
  return {};
}

}  // namespace relayout::xla
