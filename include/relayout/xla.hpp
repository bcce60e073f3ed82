#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "relayout/element_type.hpp"
#include "relayout/result.hpp"

/// XLA's notation: `dtype[dims]{minor_to_major:attributes}`, tuples, tokens, opaque values and buffers.
/// Sources: openxla/xla, xla/hlo/parser (grammar), docs/shapes.md and docs/tiled_layout.md (meaning).
namespace relayout::xla {

/// The extent of a dimension without a bound, written `?`.
inline constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::min();
/// The entry `*` of a tile: the dimension is combined with the next more minor one.
inline constexpr std::int64_t kCombine = std::numeric_limits<std::int64_t>::min();

/// One tile, most major entry first; each entry is positive or kCombine.
using Tile = std::vector<std::int64_t>;

/// Where one physical dimension (0 is the most major) is cut between memories.
struct SplitConfig {
  std::int64_t physical_dimension = 0;
  std::vector<std::int64_t> split_points;
  friend bool operator==(const SplitConfig&, const SplitConfig&) = default;
};

/// What the cells of padded_dimensions hold that belong to no element.
enum class PaddingValue : std::uint8_t {
  kInvalid,  ///< not said
  kZero,
  kOne,
  kLowest,   ///< the least value of the type
  kHighest,  ///< the greatest value of the type
  kUnknown,  ///< anything
};

/// The layout of one array, all that stands between the braces. Unset attributes have XLA's defaults, which
/// are not printed.
struct ArrayLayout {
  std::vector<std::int64_t> minor_to_major;  ///< logical dimensions, fastest varying first
  std::vector<Tile> tiles = {};              ///< T, in the order in which they are applied
  std::int64_t tail_padding_alignment = 1;   ///< L: the buffer's elements are a multiple of it
  std::string index_type = {};               ///< #, of sparse arrays only: accepted and refused by validate
  std::string pointer_type = {};             ///< *(), likewise
  std::int64_t element_bits = 0;             ///< E: 0 for the type's own bytes
  std::int8_t memory_space = 0;              ///< S: carried along
  std::vector<SplitConfig> split_configs = {};       ///< SC
  std::int64_t metadata_prefix_bytes = 0;            ///< M: bytes in front of the data; carried along
  std::vector<std::int64_t> padded_dimensions = {};  ///< PAD: empty, or the padded extent per dimension
  PaddingValue padding_value = PaddingValue::kInvalid;

  friend bool operator==(const ArrayLayout&, const ArrayLayout&) = default;
};

/// One array.
struct ArrayShape {
  ElementType type;
  std::vector<std::int64_t> dimensions;  ///< of a dynamic dimension the bound, or kUnbounded
  std::vector<bool> dynamic;             ///< per dimension: written `<=n` or `?`
  ArrayLayout layout;

  friend bool operator==(const ArrayShape&, const ArrayShape&) = default;
};

enum class ShapeKind : std::uint8_t { kArray, kTuple, kToken, kOpaque, kBuffer };

/// Anything that has a type in XLA.
struct Shape {
  ShapeKind kind = ShapeKind::kToken;
  std::optional<ArrayShape> array = {};  ///< of kArray
  std::vector<Shape> members = {};       ///< of kTuple; the one array of kBuffer

  friend bool operator==(const Shape&, const Shape&) = default;
};

/// How forgiving parse is.
struct ParseOptions {
  /// Also refuses what XLA reads by oversight: attributes that are cut short or unbalanced (`T(2,2`, `E(4`),
  /// numbers that wrap around (`S(256)`, `M(-5)`), sparse level types (read and dropped), sparse index types
  /// that are not unsigned, split lists without a point.
  bool strict = false;
};

/// Reads one shape as XLA's parser does: blanks and comments between any two tokens, a missing layout is the
/// default one. Arrays alone are not validated; members of tuples and buffers are. Where XLA's process would
/// abort, this is an error. \error kSyntax with the position and what was expected, kInvalidLayout
Result<Shape> parse(std::string_view text, ParseOptions options = {});

/// Reads the layout alone, `{1,0:T(8,128)}`, for an array of this type and shape.
Result<ArrayShape> parse_layout(std::string_view text, ElementType type,
                                std::vector<std::int64_t> dimensions);

/// Canonical text, as XLA prints it; parse reads it back. PAD is printed last.
std::string to_string(const Shape& shape);
std::string to_string(const ArrayShape& array);
std::string to_string(PaddingValue value);

/// XLA's validation: the order is a permutation, tiles and splits are in range, nothing is sparse; also that
/// padded dimensions hold the array and that T and PAD do not meet. \error kInvalidLayout, kOverflow
Status validate(const Shape& shape);
Status validate(const ArrayShape& array);

/// The array with the default layout, n-1..0.
ArrayShape make_array(ElementType type, std::vector<std::int64_t> dimensions);
/// The array padded to `padded_dimensions` in the given order.
ArrayShape make_padded_array(ArrayShape array, std::vector<std::int64_t> padded_dimensions,
                             PaddingValue value);

/// The array as TPUs lay it out: (8,128) tiles of 32 bits and wider, (2,128) and (4,128) where the
/// second-minor dimension is at most 2 or 4 (missing counts as 1); narrower types collect rows into 32-bit
/// words, (2,1) for 16 bits, (4,1) for 8, and packed (8,1)E(4), (16,1)E(2), (32,1)E(1) below.
ArrayShape tpu_layout(ElementType type, std::vector<std::int64_t> dimensions);

/// Number of dimensions with more than one element. (XLA's library also counts those of size 0.)
int true_rank(const ArrayShape& array);
/// The dimension that `number` means, negative numbers counting from the end. \error kBadArgument
Result<int> dimension_number(const ArrayShape& array, std::int64_t number);

/// Bits from one element to the next: E where it is at least the type's width, else the type's bytes.
std::int64_t element_bits(const ArrayShape& array);
/// Sizes with padding (the buffer) and without (the elements alone). \error kInvalidLayout, kOverflow,
/// kUnsupported
Result<std::int64_t> physical_elements(const ArrayShape& array);
Result<std::int64_t> size_bytes(const ArrayShape& array);
Result<std::int64_t> element_count(const ArrayShape& array);
Result<std::int64_t> data_bytes(const ArrayShape& array);

/// The place of an element in the buffer, in elements. \error kBadArgument outside the shape
Result<std::int64_t> linear_index(const ArrayShape& array, std::span<const std::int64_t> coordinate);
/// The element at a place of the buffer; nothing if the place is padding. \error kBadArgument outside the
/// buffer
Result<std::optional<std::vector<std::int64_t>>> coordinate_of(const ArrayShape& array,
                                                               std::int64_t linear_index);

/// Whether the reshape (same elements in row-major order of both shapes) needs no data movement: every
/// element lies at the same bit of the buffer, which is long enough for `to`, in the same memory space.
/// Tiles, padding and packing are taken into account. A yes is proved, by equal expressions or by trying
/// every element; arrays beyond 2^22 elements that are neither proved nor refuted are a no. \error
/// kShapeMismatch if the element counts differ
Result<bool> reshape_is_bitcast(const ArrayShape& from, const ArrayShape& to);
/// The same for a transpose: dimension i of `to` is dimension permutation[i] of `from`.
/// \error kShapeMismatch, kBadArgument
Result<bool> transpose_is_bitcast(const ArrayShape& from, const ArrayShape& to,
                                  std::span<const std::int64_t> permutation);

}  // namespace relayout::xla
