#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "relayout/layout.hpp"
#include "src/expr/index_expr.hpp"
#include "src/expr/permuted_map.hpp"
#include "src/layout/checked_arithmetic.hpp"

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

/// One dimension of the buffer, as filling the padding sees it: the places of the buffer are the combinations
/// of all digits in their extents, at the sum of digit * stride; an element lies where every digit has the
/// value of `index`. Tail padding follows after the last combination.
struct PhysicalDigit {
  std::int64_t extent = 1;  ///< padding included
  std::int64_t stride = 1;  ///< in elements
  expr::IndexExpr index;    ///< the digit of an element, over d0, d1, ...
};

/// What every notation ends in.
struct LayoutData {
  ElementType type;
  Shape shape;
  Shape physical_shape;  ///< as written, slowest first
  std::int64_t element_count = 0;
  std::int64_t physical_elements = 0;
  expr::IndexExpr raw;  ///< the offset in elements, as the notation writes it, over d0, d1, ...
  std::optional<expr::PermutedMap> permuted;  ///< the same map, if it is swizzled
  std::vector<Digit> digits;                  ///< the same map as digits, slowest first, if it has that form
  /// Why the map has not that form, in words that follow on the layout's text and a colon; empty if it has.
  std::string_view obstacle_to_digits;
  /// The buffer's dimensions, slowest first, where there may be padding; empty for notations without. An
  /// array without elements has index 0 throughout, and every place is padding.
  std::vector<PhysicalDigit> physical_digits;
  std::int64_t element_bits = 0;  ///< bits from one element to the next
  /// Bytes that one step of `raw` stands for; the element's, except for byte strides that cut elements.
  std::int64_t unit_bytes = 0;
  std::optional<std::int64_t> span_bytes;  ///< of the buffer, where it is not that of `physical_elements`
  std::optional<xla::ArrayShape> xla;      ///< what the layout was made of, if in XLA's notation
  std::string composed;                    ///< what the layout was made of, if a composed one of CuTe's
  std::string canonical;                   ///< canonical text, type and shape included
  std::string printed;                     ///< `canonical` with marks that mean nothing, where it has some
  bool row_major = false;  ///< in Morello's terms; the others' layouts are compared by their strides
  bool column_major = false;

  /// Otherwise `digits` is empty and says nothing.
  bool has_digits() const noexcept { return obstacle_to_digits.empty(); }

  /// Bytes of the buffer, the last one filled up.
  std::int64_t size_bytes() const noexcept {
    return span_bytes ? *span_bytes : checked_bytes(physical_elements, element_bits).value_or(0);
  }

  /// The simplified offset, computed on first use. Thread safe.
  const expr::IndexExpr& simplified() const;

 private:
  mutable std::once_flag simplified_once_;
  mutable expr::IndexExpr simplified_;

 public:
  explicit LayoutData(ElementType element_type)
      : type(element_type),
        element_bits(element_type.storage_bits()),
        unit_bytes(element_type.storage_bytes()) {}
};

/// The digits with unit extents dropped and neighbours that chain merged: the unique shortest digit form of
/// the map, by falling stride. Digits of one dimension must be a divisor chain starting at place 1.
std::vector<Digit> merged_digits(std::vector<Digit> digits);

/// Bytes of a buffer may not pass this, so that no address computation overflows.
inline constexpr std::int64_t kMaximumBytes = std::int64_t{1} << 60;

/// \error kBadArgument names the first negative extent
Status check_extents(const Shape& shape);

/// `type[shape]`.
std::string type_and_shape(const ElementType& type, const Shape& shape);

/// The variables d0, d1, ... of a shape. Extents of 0 are given the range [0, 0].
std::vector<expr::IndexExpr> index_variables(const Shape& shape);

}  // namespace relayout::layout
