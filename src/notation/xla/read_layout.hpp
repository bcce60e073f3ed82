#pragma once

#include "relayout/xla.hpp"
#include "src/notation/xla/lexer.hpp"

namespace relayout::xla {

/// Lists of dimensions are first given room for so many.
inline constexpr std::size_t kUsualRank = 6;

/// Reads a layout from `{` to `}`. \error kSyntax with the position
Result<ArrayLayout> read_layout(Lexer& lexer, ParseOptions options);

}  // namespace relayout::xla
