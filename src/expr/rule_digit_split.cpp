#include <numeric>

#include "src/expr/present.hpp"
#include "src/expr/rules.hpp"

namespace relayout::expr {
namespace {

constexpr std::int64_t kLargestFactor = 4096;
constexpr std::size_t kMaximumFactors = 24;

/// Divisors of `divisor` between 2 and divisor / 2, largest first.
SmallVector<std::int64_t, 8> proper_factors(std::int64_t divisor) {
  SmallVector<std::int64_t, 8> factors;
  for (std::int64_t cofactor = 2; cofactor <= kLargestFactor && cofactor <= divisor / 2; ++cofactor) {
    if (divisor % cofactor == 0) factors.push_back(divisor / cofactor);
    if (factors.size() == kMaximumFactors) break;
  }
  return factors;
}

/// coefficient * t = coefficient*b*(t//b) + coefficient*(t%b): the first part to `multiple` (divided by the
/// factor), the second to `small`. False if t//b is not a plain sum of atoms.
bool split_term(Workspace& workspace, Term term, std::int64_t factor, Linear& multiple, Linear& small) {
  if (term.coefficient % factor == 0) {
    workspace.add_term(multiple, term.atom, term.coefficient / factor);
    return true;
  }
  const std::int64_t place = factor / std::gcd(term.coefficient, factor);
  const FormId quotient = floor_of(workspace, workspace.atom_form(term.atom), place);
  if (workspace.linear(quotient).constant != 0) return false;
  const std::int64_t carried = workspace.times(term.coefficient, place);
  workspace.add_term(small, term.atom, term.coefficient);
  workspace.add(small, workspace.linear(quotient), -carried);
  workspace.add(multiple, workspace.linear(quotient), carried / factor);
  return true;
}

FormId with_factor(Workspace& workspace, const Linear& numerator, std::int64_t divisor, std::int64_t factor) {
  Linear multiple;
  Linear small;
  small.constant = numerator.constant;
  bool any_multiple = false;
  for (const Term& term : numerator.terms) any_multiple |= term.coefficient % factor == 0;
  if (!any_multiple) return kNone;
  for (const Term& term : numerator.terms) {
    if (!split_term(workspace, term, factor, multiple, small)) return kNone;
  }
  const auto period = single_period(bounds_of(workspace, small), factor);
  if (!period) return kNone;
  multiple.constant = *period;
  return floor_of(workspace, workspace.intern(multiple), divisor / factor);
}

}  // namespace

FormId digit_split_rule(Workspace& workspace, FormId numerator, std::int64_t divisor) {
  const Linear whole = workspace.linear(numerator);
  if (whole.terms.size() < 2) return kNone;
  const FormId unsplit = workspace.atom_form(workspace.floor_atom(numerator, divisor));
  Cost best_cost = cost_of(workspace, unsplit);
  FormId best = kNone;
  for (const std::int64_t factor : proper_factors(divisor)) {
    if (!workspace.spend(4)) break;
    const OverflowGuard guard(workspace);
    const FormId candidate = with_factor(workspace, whole, divisor, factor);
    if (candidate == kNone || guard.overflowed()) continue;
    const Cost cost = cost_of(workspace, candidate);
    if (cost.divisions >= best_cost.divisions) continue;
    best_cost = cost;
    best = candidate;
  }
  return best;
}

}  // namespace relayout::expr
