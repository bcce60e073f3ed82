#pragma once

#include <string>
#include <string_view>

#include "relayout/cute/swizzle.hpp"

namespace relayout::cute {

/// Reads `((2,2),_4)`; `_` alone stands for all of a mode. Blanks may stand between any two tokens.
/// \error kSyntax with the position, kOverflow
Result<IntTuple> parse_int_tuple(std::string_view text);
/// Reads `shape:stride`, or a shape alone, which is compact with the first mode fastest.
/// \error kSyntax with the position, kInvalidLayout, kOverflow
Result<Layout> parse_layout(std::string_view text);
/// Reads `Sw<B,M,S>` (also `S<B,M,S>`). \error kSyntax with the position, kBadArgument
Result<Swizzle> parse_swizzle(std::string_view text);
/// Reads a layout or a composed one, `Sw<2,0,3> o 0 o (8,8):(8,1)` or `4:2 o 0 o (2,2):(1,2)`; without an
/// offset, `Sw<2,0,3> o (8,8):(8,1)`, it is 0. \error kSyntax, kInvalidLayout, kOverflow, kBadArgument
Result<AnyLayout> parse(std::string_view text);

/// The most cells that print_layout, print_1d and print_2d put into their text.
inline constexpr std::int64_t kMaximumPrintedCells = std::int64_t{1} << 20;

/// CuTe's grid of a layout of rank 2, byte for byte, each row of offsets between lines of dashes.
/// \error kBadArgument for another rank, kUnsupported beyond kMaximumPrintedCells
Result<std::string> print_layout(const AnyLayout& layout);
/// The offsets of the 1-D coordinates in one line: `0 4 2 6 1 5 3 7`. \error kUnsupported
Result<std::string> print_1d(const AnyLayout& layout);
/// A line of offsets for every coordinate of mode 0, each in `%3d `, as in CuTe's documentation.
/// \error kBadArgument for another rank than 2, kUnsupported
Result<std::string> print_2d(const AnyLayout& layout);

}  // namespace relayout::cute
