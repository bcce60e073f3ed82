#include <algorithm>
#include <utility>

#include "relayout/xla.hpp"

namespace relayout::xla {
namespace {

constexpr std::int64_t kLanes = 128;
constexpr std::int64_t kSublanes = 8;
constexpr std::int64_t kWordBits = 32;

/// Rows of a tile of elements as wide as a register lane or wider.
std::int64_t tile_rows(const std::vector<std::int64_t>& dimensions) {
  const std::int64_t rows = dimensions.size() < 2 ? 1 : dimensions[dimensions.size() - 2];
  if (rows <= 2) return 2;
  return rows <= 4 ? 4 : kSublanes;
}

}  // namespace

ArrayShape make_padded_array(ArrayShape array, std::vector<std::int64_t> padded_dimensions,
                             PaddingValue value) {
  array.layout.padded_dimensions = std::move(padded_dimensions);
  array.layout.padding_value = value;
  return array;
}

ArrayShape tpu_layout(ElementType type, std::vector<std::int64_t> dimensions) {
  ArrayShape array = make_array(type, std::move(dimensions));
  const bool packed = type.logical_bits() < 6;  // 6-bit floats do not pack into words
  const std::int64_t bits = packed ? type.logical_bits() : type.storage_bits();
  const std::int64_t rows_per_word = kWordBits / std::min(bits, kWordBits);
  if (rows_per_word == 1) {
    array.layout.tiles = {{tile_rows(array.dimensions), kLanes}};
  } else {
    array.layout.tiles = {{std::max(kSublanes, rows_per_word), kLanes}, {rows_per_word, 1}};
  }
  if (packed) array.layout.element_bits = bits;
  return array;
}

int true_rank(const ArrayShape& array) {
  return static_cast<int>(std::count_if(array.dimensions.begin(), array.dimensions.end(),
                                        [](std::int64_t extent) { return extent > 1; }));
}

Result<int> dimension_number(const ArrayShape& array, std::int64_t number) {
  const auto rank = static_cast<std::int64_t>(array.dimensions.size());
  if (number >= rank || number < -rank) {
    return Error{ErrorCode::kBadArgument,
                 "dimension " + std::to_string(number) + " of an array of rank " + std::to_string(rank)};
  }
  return static_cast<int>(number < 0 ? number + rank : number);
}

std::int64_t element_bits(const ArrayShape& array) {
  const std::int64_t bits = array.layout.element_bits;
  return bits >= array.type.logical_bits() ? bits : array.type.storage_bits();
}

}  // namespace relayout::xla
