#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "relayout/result.hpp"
#include "src/hlo/scanner.hpp"

namespace relayout::hlo {

/// Whether a shape is next: `(`, `b(`, or a word and `[`.
bool is_at_shape(const Scanner& scanner);

/// Goes past a shape and gives it without blanks and comments. \error kSyntax
Result<std::string> take_shape(Scanner& scanner);

/// Goes past `(shape, ...)` and gives the shapes. \error kSyntax
Result<std::vector<std::string>> take_shape_list(Scanner& scanner);

/// Whether `shape` is a tuple.
bool is_tuple(std::string_view shape);

/// The elements of a tuple; none if `shape` is no tuple. \pre `shape` comes from take_shape
std::vector<std::string_view> tuple_elements(std::string_view shape);

/// The part of a tuple that `index` leads to; empty if there is none.
std::string_view tuple_part(std::string_view shape, std::span<const std::int64_t> index);

/// A part of a tuple that is no tuple itself, and `#1#0`, the way to it; empty if the whole is no tuple.
struct ShapeLeaf {
  std::string path;
  std::string_view shape;
};
std::vector<ShapeLeaf> leaves(std::string_view shape);

/// The shape that XLA infers for a transpose: dimension i is dimension `permutation[i]` of `shape`, in the
/// layout in which nothing moves. Empty if `permutation` does not fit.
std::string transposed_shape(std::string_view shape, std::span<const std::int64_t> permutation);

}  // namespace relayout::hlo
