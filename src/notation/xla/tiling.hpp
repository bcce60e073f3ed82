#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "relayout/xla.hpp"
#include "src/expr/index_expr.hpp"
#include "src/layout/layout_data.hpp"

namespace relayout::xla {

/// An index along one dimension while tiles are applied: its expression, and the digit of a logical index
/// that it is, where it is one.
struct Axis {
  expr::IndexExpr index;
  std::optional<layout::Digit> digit = {};  // stride unused
};

/// How an array's dimensions turn into the dimensions of its buffer, tile by tile.
class Tiling {
 public:
  /// \error kInvalidLayout, kUnsupported, kOverflow
  static Result<Tiling> of(const ArrayShape& array);

  /// Extents of the buffer's dimensions, slowest first, padding included.
  const std::vector<std::int64_t>& physical_shape() const noexcept { return sizes_; }
  /// Their product, rounded up to the tail padding alignment.
  std::int64_t physical_elements() const noexcept { return physical_elements_; }
  /// Elements from one index to the next of each of the buffer's dimensions.
  std::vector<std::int64_t> strides() const;

  /// The indices along the buffer's dimensions of the element at a coordinate (one entry per logical
  /// dimension).
  std::vector<Axis> expand(const std::vector<Axis>& coordinate) const;
  /// The element at a place of the buffer; nothing where there is padding. \pre 0 <= place <
  /// physical_elements()
  std::optional<std::vector<std::int64_t>> coordinate_of(std::int64_t place) const;

 private:
  /// Neighbouring dimensions that a tile combines, and the tile's extent on them.
  struct Group {
    std::vector<std::int64_t> sizes;
    std::int64_t combined = 1;
    std::int64_t tile = 1;
  };
  /// One tile: dimensions of size 1 put in front, dimensions left alone, and what is tiled.
  struct Level {
    std::size_t prepended = 0;
    std::size_t untouched = 0;
    std::vector<Group> groups;
  };

  Status apply(const Tile& tile);
  Status count_indices(const Level& level);
  Status finish(const ArrayShape& array);
  std::vector<Axis> expand(const Level& level, std::vector<Axis> axes) const;
  /// Whether nothing of the logical index lies beyond the digit.
  bool is_whole(const layout::Digit& digit) const;
  static std::optional<std::vector<std::int64_t>> collapse(const Level& level,
                                                           std::vector<std::int64_t> index);

  std::vector<std::int64_t> order_;    // logical dimension per dimension before tiling, slowest first
  std::vector<std::int64_t> extents_;  // of the logical dimensions
  std::vector<std::int64_t> untiled_;  // sizes before tiling, slowest first
  std::vector<Level> levels_;
  std::vector<std::int64_t> sizes_;
  std::vector<std::int64_t> indices_;  // logical ones in the expression of each of `sizes_`, at most
  std::int64_t physical_elements_ = 0;
};

}  // namespace relayout::xla
