#include "relayout/expression.hpp"

#include <vector>

#include "src/expr/index_expr.hpp"
#include "src/layout/memory_guard.hpp"

namespace relayout {

Result<SimplifiedExpression> simplify_expression(std::string_view text,
                                                 std::span<const ExpressionVariable> variables) {
  return layout::without_exceptions([&]() -> Result<SimplifiedExpression> {
    std::vector<expr::Variable> known;
    for (const ExpressionVariable& variable : variables) {
      const expr::Range range{variable.lower.value_or(expr::Range::kNoLower),
                              variable.upper.value_or(expr::Range::kNoUpper)};
      if (range.lower > range.upper) {
        return Error{ErrorCode::kBadArgument, "variable '" + variable.name + "' has an empty range"};
      }
      known.push_back({variable.name, range});
    }
    const auto parsed = expr::parse(text, known);
    if (!parsed) return parsed.error();
    const auto simplified = expr::simplify(*parsed);
    if (!simplified) return simplified.error();
    return SimplifiedExpression{expr::to_string(*parsed), expr::to_string(*simplified),
                                expr::division_count(*parsed), expr::division_count(*simplified)};
  });
}

}  // namespace relayout
