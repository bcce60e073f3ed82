#pragma once

#include <string_view>

#include "relayout/layout.hpp"

namespace relayout::cute {

/// Whether a layout in CuTe's notation starts here: a digit, `_`, one or more `(` before either, or `Sw`.
bool starts_layout(std::string_view text);

/// Reads CuTe's text, swizzled and composed layouts included, as the layout of an array of `type`.
/// \error kSyntax with the position, kInvalidLayout, kBadArgument, kOverflow, kUnsupported as from_cute
Result<relayout::Layout> parse_array(ElementType type, std::string_view text);

}  // namespace relayout::cute
