#include "src/expr/integer.hpp"
#include "src/expr/rules.hpp"

namespace relayout::expr {

std::optional<std::int64_t> single_period(Range range, std::int64_t divisor) {
  if (!range.bounded()) return std::nullopt;
  const std::int64_t period = floor_quotient(range.lower, divisor);
  if (period != floor_quotient(range.upper, divisor)) return std::nullopt;
  return period;
}

FormId period_rule(Workspace& workspace, FormId numerator, std::int64_t divisor) {
  const auto period = single_period(bounds_of(workspace, numerator), divisor);
  return period ? workspace.constant_form(*period) : kNone;
}

}  // namespace relayout::expr
