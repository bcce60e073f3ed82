#include <algorithm>
#include <functional>
#include <numeric>

#include "src/expr/present.hpp"
#include "src/expr/rules.hpp"

namespace relayout::expr {
namespace {

constexpr std::int64_t kLargestTrial = 256;
constexpr std::size_t kMaximumFactors = 24;

void insert_factors_of(std::int64_t number, std::int64_t divisor, SmallVector<std::int64_t, 8>& factors) {
  const auto insert = [&](std::int64_t factor) {
    const bool proper = factor > 1 && factor < divisor && factors.size() < kMaximumFactors;
    if (proper && std::find(factors.begin(), factors.end(), factor) == factors.end())
      factors.push_back(factor);
  };
  for (std::int64_t trial = 1; trial <= kLargestTrial && trial <= number / trial; ++trial) {
    if (number % trial != 0) continue;
    insert(number / trial);
    insert(trial);
  }
}

/// Proper factors of the divisor that divide some coefficient, largest first.
SmallVector<std::int64_t, 8> proper_factors(const Linear& numerator, std::int64_t divisor) {
  SmallVector<std::int64_t, 8> factors;
  for (const Term& term : numerator.terms) {
    insert_factors_of(std::gcd(term.coefficient, divisor), divisor, factors);
  }
  std::sort(factors.begin(), factors.end(), std::greater<>());
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

FormId split_by_factor(Workspace& workspace, const Linear& numerator, std::int64_t divisor,
                       std::int64_t factor) {
  Linear multiple;
  Linear small;
  small.constant = numerator.constant;
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
  const auto factors = proper_factors(whole, divisor);
  if (factors.empty()) return kNone;
  const FormId unsplit = workspace.atom_form(workspace.floor_atom(numerator, divisor));
  Cost best_cost = cost_of(workspace, unsplit);
  FormId best = kNone;
  for (const std::int64_t factor : factors) {
    if (!workspace.spend(4)) break;
    const OverflowGuard guard(workspace);
    const FormId candidate = split_by_factor(workspace, whole, divisor, factor);
    if (candidate == kNone || guard.overflowed()) continue;
    const Cost cost = cost_of(workspace, candidate);
    if (cost.divisions >= best_cost.divisions) continue;
    best_cost = cost;
    best = candidate;
  }
  return best;
}

}  // namespace relayout::expr
