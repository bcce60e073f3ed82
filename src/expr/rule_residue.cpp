#include "src/expr/integer.hpp"
#include "src/expr/rules.hpp"

namespace relayout::expr {
namespace {

constexpr std::size_t kMaximumSignedTerms = 6;

/// Moves `sign` times the divisor between a coefficient and the quotient.
std::int64_t other_residue(std::int64_t residue, std::int64_t divisor) {
  return residue > 0 ? residue - divisor : residue + divisor;
}

}  // namespace

std::int64_t balanced_residue(std::int64_t value, std::int64_t divisor) {
  const std::int64_t residue = floor_remainder(value, divisor);
  return residue > divisor - residue ? residue - divisor : residue;
}

FormId residue_rule(Workspace& workspace, FormId numerator, std::int64_t divisor) {
  const Linear& whole = workspace.linear(numerator);
  Linear quotient;
  Linear rest;
  quotient.constant = floor_quotient(whole.constant, divisor);
  rest.constant = floor_remainder(whole.constant, divisor);
  for (const Term& term : whole.terms) {
    const std::int64_t residue = balanced_residue(term.coefficient, divisor);
    const auto multiple = static_cast<std::int64_t>((Wide{term.coefficient} - residue) / divisor);
    if (residue != 0) rest.terms.push_back({term.atom, residue});
    if (multiple != 0) quotient.terms.push_back({term.atom, multiple});
  }
  const FormId pulled = workspace.intern(quotient);
  if (rest.terms.empty()) return pulled;
  if (quotient.terms.empty() && quotient.constant == 0) return kNone;
  const FormId remaining = floor_of(workspace, workspace.intern(rest), divisor);
  return workspace.sum(pulled, remaining);
}

FormId signed_residue_rule(Workspace& workspace, FormId numerator, std::int64_t divisor) {
  const Linear whole = workspace.linear(numerator);
  if (whole.terms.size() > kMaximumSignedTerms) return kNone;
  const unsigned choices = 1U << whole.terms.size();
  for (unsigned flipped = 1; flipped < choices && workspace.spend(1); ++flipped) {
    Linear rest = whole;
    Linear quotient;
    for (std::size_t i = 0; i < whole.terms.size(); ++i) {
      if ((flipped >> i & 1U) == 0) continue;
      const Term& term = whole.terms[i];
      rest.terms[i].coefficient = other_residue(term.coefficient, divisor);
      quotient.terms.push_back({term.atom, term.coefficient > 0 ? 1 : -1});
    }
    const auto period = single_period(bounds_of(workspace, rest), divisor);
    if (!period) continue;
    quotient.constant = *period;
    return workspace.intern(quotient);
  }
  return kNone;
}

}  // namespace relayout::expr
