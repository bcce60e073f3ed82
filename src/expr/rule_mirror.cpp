#include "src/expr/rules.hpp"

namespace relayout::expr {

FormId mirror_rule(Workspace& workspace, FormId numerator, std::int64_t divisor) {
  if (workspace.linear(numerator).terms[0].coefficient > 0) return kNone;
  const FormId mirrored = workspace.plus_constant(workspace.scaled(numerator, -1), divisor - 1);
  return workspace.scaled(floor_of(workspace, mirrored, divisor), -1);
}

}  // namespace relayout::expr
