#include "src/expr/rules.hpp"
namespace relayout::expr {
FormId univariate_rule(Workspace&, FormId form) {
  return form;
}
}  // namespace relayout::expr
