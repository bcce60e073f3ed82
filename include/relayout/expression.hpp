#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "relayout/result.hpp"

namespace relayout {

/// A variable of an expression with inclusive bounds, or none.
struct ExpressionVariable {
  std::string name;
  std::optional<std::int64_t> lower;
  std::optional<std::int64_t> upper;
};

struct SimplifiedExpression {
  std::string input;          ///< as read, printed back
  std::string output;         ///< in the same syntax
  int input_operations = 0;   ///< floor divisions and remainders in the input
  int output_operations = 0;  ///< and in the output
};

/// Simplifies an integer expression in `//` (floor division), `%` (floor remainder), `+ - *`, parentheses,
/// integers and names. Equal to the input wherever the variables are within their bounds. Thread safe. \error
/// kSyntax with the position, kOverflow
Result<SimplifiedExpression> simplify_expression(std::string_view text,
                                                 std::span<const ExpressionVariable> variables);

}  // namespace relayout
