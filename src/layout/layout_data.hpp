#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "relayout/layout.hpp"
#include "src/expr/index_expr.hpp"

namespace relayout::layout {

/// One term of an offset: `stride * ((x // place) % extent)`, with x the index along `dimension`. Strides in
/// elements.
struct Digit {
  int dimension = 0;
  std::int64_t place = 1;
  std::int64_t extent = 1;
  std::int64_t stride = 1;
  friend bool operator==(const Digit&, const Digit&) = default;
};

/// What every notation ends in.
struct LayoutData {
  ElementType type;
  Shape shape;
  Shape physical_shape;  ///< as written, slowest first
  std::int64_t element_count = 0;
  std::int64_t physical_elements = 0;
  expr::IndexExpr raw;        ///< the offset in elements, as the notation writes it, over d0, d1, ...
  std::vector<Digit> digits;  ///< the same map as digits, slowest first
  std::string canonical;      ///< canonical text, type and shape included
  bool row_major = false;     ///< in the notation's own terms
  bool column_major = false;

  /// The simplified offset, computed on first use. Thread safe.
  const expr::IndexExpr& simplified() const;

 private:
  mutable std::once_flag simplified_once_;
  mutable expr::IndexExpr simplified_;

 public:
  explicit LayoutData(ElementType element_type) : type(element_type) {}
};

/// The digits with unit extents dropped and neighbours that chain merged: the unique shortest digit form of
/// the map, by falling stride. Digits of one dimension must be a divisor chain starting at place 1.
std::vector<Digit> merged_digits(std::vector<Digit> digits);

/// Bytes of a buffer may not pass this, so that no address computation overflows.
inline constexpr std::int64_t kMaximumBytes = std::int64_t{1} << 60;

/// `type[shape]`.
std::string type_and_shape(const ElementType& type, const Shape& shape);

/// The variables d0, d1, ... of a shape. Extents of 0 are given the range [0, 0].
std::vector<expr::IndexExpr> index_variables(const Shape& shape);

}  // namespace relayout::layout
