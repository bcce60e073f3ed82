#pragma once

#include "relayout/xla.hpp"
#include "src/notation/xla/lexer.hpp"

namespace relayout::xla {

/// Reads a layout from `{` to `}`. \error kSyntax with the position
Result<ArrayLayout> read_layout(Lexer& lexer, ParseOptions options);

}  // namespace relayout::xla
