#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "relayout/result.hpp"

/// Morello's notation: an ordered list of physical dimensions, from slowest to fastest varying.
/// Source: samkaufman/morello, book/src/data_layouts.md and morello/src/layout.rs.
namespace relayout::morello {

enum class DimensionKind : std::uint8_t {
  kDynamic,  ///< all that is left of the logical dimension
  kPacked,   ///< a fixed number of consecutive indices, clipped to what is left
  kOddEven,  ///< a fixed even number of indices: the even ones in order, then the odd ones
};

/// One physical dimension.
struct PhysicalDimension {
  int logical_dimension = 0;
  DimensionKind kind = DimensionKind::kDynamic;
  std::int64_t size = 0;  ///< of kPacked and kOddEven, in elements

  static PhysicalDimension dynamic(int logical) { return {logical, DimensionKind::kDynamic, 0}; }
  static PhysicalDimension packed(int logical, std::int64_t size) {
    return {logical, DimensionKind::kPacked, size};
  }
  static PhysicalDimension odd_even(int logical, std::int64_t size) {
    return {logical, DimensionKind::kOddEven, size};
  }
  friend bool operator==(const PhysicalDimension&, const PhysicalDimension&) = default;
};

using PhysicalDimensions = std::vector<PhysicalDimension>;

/// `[1, 0, 1 p(4)]`; `[]` for none.
std::string to_string(std::span<const PhysicalDimension> dimensions);

/// Reads what to_string prints, blanks allowed anywhere, the brackets optional (`0 oe(8)`).
/// \error kSyntax with the position and what was expected
Result<PhysicalDimensions> parse(std::string_view text);

/// The rules that need no shape: one Dynamic per logical dimension and no physical dimension of the same
/// logical dimension outside it, no adjacent packs of one dimension, no Packed(1), only even OddEven.
/// Stricter than Morello's release builds, as strict as its debug builds. \error kInvalidLayout names the
/// physical dimension
Status validate(std::span<const PhysicalDimension> dimensions);

PhysicalDimensions row_major(int rank);
PhysicalDimensions column_major(int rank);
/// Logical order N, C, H, W; channels fastest.
PhysicalDimensions nhwc();
/// Logical order N, C, H, W; `block` channels fastest, as in nChw16c.
PhysicalDimensions nchwc(std::int64_t block);

/// Removes logical dimension `logical` and renumbers those above it. Packs that become adjacent are merged.
PhysicalDimensions drop_dimension(std::span<const PhysicalDimension> dimensions, int logical);
/// Exchanges two logical dimensions.
PhysicalDimensions swap_dimensions(std::span<const PhysicalDimension> dimensions, int a, int b);

}  // namespace relayout::morello
