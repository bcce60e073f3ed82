#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "relayout/element_type.hpp"
#include "relayout/morello.hpp"
#include "relayout/result.hpp"
#include "relayout/xla.hpp"

namespace relayout {

using Shape = std::vector<std::int64_t>;

namespace layout {
struct LayoutData;
}

/// An array's layout: element type, logical shape, and the map from logical coordinate to buffer offset. An
/// immutable handle, cheap to copy; every member function may be called from several threads at once.
class Layout {
 public:
  /// `TYPE[dims]` (row-major), `TYPE[dims][physical dimensions]` in Morello's notation or
  /// `TYPE[dims]{layout}` in XLA's: `f32[6,8]`, `f32[6,8][1, 0, 1 p(4)]`, `f32[][]`,
  /// `bf16[64,300]{1,0:T(8,128)(2,1)}`. \error kSyntax with the position, kInvalidLayout, kShapeMismatch,
  /// kOverflow
  static Result<Layout> parse(std::string_view spec);

  /// As parse; also accepts the layout alone (`[1, 0, 1 p(4)]`, `{0,1}`), which then takes type and shape
  /// from `source`.
  static Result<Layout> parse_destination(std::string_view spec, const Layout& source);

  static Result<Layout> row_major(ElementType type, Shape shape);
  static Result<Layout> column_major(ElementType type, Shape shape);
  static Result<Layout> from_morello(ElementType type, Shape shape, morello::PhysicalDimensions dimensions);
  /// Dynamic dimensions count as their bound. \error kInvalidLayout, kOverflow, kUnsupported (no bound,
  /// splits)
  static Result<Layout> from_xla(xla::ArrayShape array);

  /// The same buffer under another logical shape: dimension i of the result is dimension `permutation[i]`, as
  /// in XLA's transpose. Views compile like any layout; to_string describes them, but no notation reads that
  /// text back. \error kBadArgument if it is not a permutation of the dimensions
  Result<Layout> transposed(std::span<const std::int64_t> permutation) const;
  /// The same elements in row-major logical order under another shape, as in XLA's reshape.
  /// \error kBadArgument for a negative extent, kShapeMismatch if the element counts differ
  Result<Layout> reshaped(Shape new_shape) const;

  const ElementType& type() const noexcept;
  const Shape& shape() const noexcept;
  int rank() const noexcept { return static_cast<int>(shape().size()); }
  std::int64_t element_count() const noexcept;      ///< product of the logical extents
  std::int64_t physical_elements() const noexcept;  ///< elements of the buffer, padding included
  std::int64_t size_bytes() const noexcept;         ///< bytes of the buffer, padding included
  /// Bits from one element to the next: those of the type's bytes, unless the layout packs (`E(4)`: element k
  /// starts at bit 4 * k, lowest bits of a byte first).
  std::int64_t element_bits() const noexcept;
  /// What the layout was made of in XLA's notation (memory space, padding value...); null for the others.
  const xla::ArrayShape* xla() const noexcept;

  /// Canonical text; parse reads it back. In Morello's notation equal offset maps of one type and shape give
  /// equal text.
  std::string to_string() const;
  /// Extents of the physical dimensions, slowest first.
  Shape physical_shape() const;

  /// Offset of a coordinate, in elements. \error kBadArgument if the coordinate is outside the shape
  Result<std::int64_t> offset(std::span<const std::int64_t> coordinate) const;

  /// In Morello's notation, as Morello has it: all physical dimensions Dynamic, logical ones in rising
  /// (falling) order, unit ones missing or not; elsewhere, offsets equal to the row-major (column-major)
  /// ones.
  bool is_row_major() const;
  bool is_column_major() const;
  /// Offset steps per logical dimension in elements where the map is linear (0 for extents below 2), else
  /// nothing.
  std::optional<std::vector<std::int64_t>> strides() const;
  /// Longest run of elements that is contiguous both in the buffer and in the last logical dimensions'
  /// row-major order, in elements.
  std::int64_t contiguous_elements() const;
  /// Cache lines that the buffer covers when it starts on a line.
  std::int64_t cache_lines(std::int64_t line_bytes = 64) const;

  /// The buffer-indexing expression over d0, d1, ... as the notation writes it, and simplified.
  std::string raw_expression() const;
  std::string simplified_expression() const;

  /// \internal for the other stages
  const layout::LayoutData& data() const noexcept { return *data_; }
  explicit Layout(std::shared_ptr<const layout::LayoutData> data) : data_(std::move(data)) {}

 private:
  std::shared_ptr<const layout::LayoutData> data_;
};

/// Whether both layouts put the same elements at the same bytes of equally large buffers, so that a
/// conversion moves nothing. Costs a refinement of the pair; false if that is past its budget.
bool same_bytes(const Layout& a, const Layout& b);

}  // namespace relayout
