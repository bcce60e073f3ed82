// On [0, n) the functions 1 and x//a (1 <= a < n) are a basis of all integer functions of x, because the step
// x//a - (x-1)//a is 1 exactly where a divides x. So the coefficients of f are found by sieving its steps:
//
//   f(x) = f(0) + sum G[a]*(x//a),   G[a] = f(a) - f(a-1) - sum of G[b] over the proper divisors b of a
//
// The rule evaluates the part of a sum that depends on one variable and takes the basis form where that has
// fewer divisions. A variable without bounds, or with too many values, is treated over one period P of the
// part instead: f(x + P) = f(x) + s. If only divisors of P occur in the basis form, it has period P too, so
// that equality on one period is equality everywhere.

#include <algorithm>
#include <numeric>
#include <vector>

#include "src/expr/integer.hpp"
#include "src/expr/node.hpp"
#include "src/expr/present.hpp"
#include "src/expr/rules.hpp"

namespace relayout::expr {
namespace {

constexpr std::int64_t kMaximumPoints = 8192;
/// Forms evaluated before the rule gives up, a few milliseconds.
constexpr std::int64_t kMaximumEvaluations = 400'000;

AtomId combined(AtomId a, AtomId b) {
  if (a == kNone || a == b) return b;
  return b == kNone ? a : kSeveral;
}

AtomId only_variable(Workspace& workspace, FormId id);

AtomId only_variable_of_atom(Workspace& workspace, AtomId id) {
  const Atom atom = workspace.atom(id);
  switch (atom.kind) {
    case AtomKind::kVariable:
      return id;
    case AtomKind::kFloor:
    case AtomKind::kRemainder:
      return only_variable(workspace, atom.numerator);
    case AtomKind::kProduct:
    case AtomKind::kXor:
      return combined(only_variable(workspace, atom.numerator), only_variable(workspace, atom.other));
  }
  return kSeveral;
}

AtomId only_variable(Workspace& workspace, FormId id) {
  if (const auto known = workspace.form(id).only_variable) return *known;
  AtomId result = kNone;
  for (const Term& term : workspace.linear(id).terms) {
    result = combined(result, only_variable_of_atom(workspace, term.atom));
  }
  workspace.form(id).only_variable = result;
  return result;
}

/// f(x + period) = f(x) + step
struct Periodicity {
  std::int64_t period = 1;
  std::int64_t step = 0;
};

std::optional<Periodicity> periodicity_of(Workspace& workspace, FormId id);

std::optional<Periodicity> periodicity_of_atom(Workspace& workspace, AtomId id) {
  const Atom atom = workspace.atom(id);
  if (atom.kind == AtomKind::kVariable) return Periodicity{1, 1};
  if (atom.kind != AtomKind::kFloor || !workspace.spend(1)) return std::nullopt;
  const auto inner = periodicity_of(workspace, atom.numerator);
  if (!inner || inner->step == INT64_MIN) return std::nullopt;
  const std::int64_t repeats = atom.divisor / std::gcd(inner->step, atom.divisor);
  return Periodicity{workspace.times(inner->period, repeats), inner->step / (atom.divisor / repeats)};
}

std::optional<Periodicity> periodicity_of(Workspace& workspace, FormId id) {
  Periodicity result;
  for (const Term& term : workspace.linear(id).terms) {
    const auto part = periodicity_of_atom(workspace, term.atom);
    if (!part || workspace.overflowed() || part->period > kMaximumPoints) return std::nullopt;
    const std::int64_t period = std::lcm(result.period, part->period);
    const std::int64_t step = workspace.times(part->step, period / part->period);
    result.step = workspace.plus(workspace.times(result.step, period / result.period),
                                 workspace.times(step, term.coefficient));
    result.period = period;
    if (period > kMaximumPoints || workspace.overflowed()) return std::nullopt;
  }
  return result;
}

/// The basis form of a form of one variable.
class BasisForm {
 public:
  BasisForm(Workspace& workspace, FormId form, AtomId variable)
      : workspace_(workspace), form_(form), variable_(variable) {}

  /// Nothing if it has more than `allowed` divisions or takes too many evaluations.
  std::optional<FormId> find(std::int64_t allowed) {
    if (!choose_points()) return std::nullopt;
    Linear result;
    result.constant = value_at(form_, 0);
    const FormId x = workspace_.atom_form(variable_);
    std::vector<std::int64_t> expected(static_cast<std::size_t>(points_), 0);
    std::int64_t previous = result.constant;
    for (std::int64_t a = 1; a < points_; ++a) {
      const std::int64_t value = value_at(form_, a);
      const std::int64_t coefficient = workspace_.plus(
          value, workspace_.times(workspace_.plus(previous, expected[static_cast<std::size_t>(a)]), -1));
      previous = value;
      if (evaluations_ > kMaximumEvaluations || workspace_.overflowed()) return std::nullopt;
      if (coefficient == 0) continue;
      if ((a > 1 && allowed-- == 0) || (period_ != 0 && period_ % a != 0)) return std::nullopt;
      for (std::int64_t i = a; i < points_; i += a) {
        std::int64_t& step = expected[static_cast<std::size_t>(i)];
        step = workspace_.plus(step, coefficient);
      }
      workspace_.add(result, workspace_.linear(floor_of(workspace_, x, a)), coefficient);
    }
    return workspace_.intern(result);
  }

 private:
  /// All values of the variable, or one period.
  bool choose_points() {
    const Range range = workspace_.atom(variable_).variable->key.range;
    if (range.lower >= 0 && range.upper < kMaximumPoints && range.lower <= range.upper) {
      points_ = range.upper + 1;
      return true;
    }
    const auto periodicity = periodicity_of(workspace_, form_);
    if (!periodicity) return false;
    period_ = periodicity->period;
    points_ = period_ + 1;
    return true;
  }

  std::int64_t value_at(FormId id, std::int64_t x) {
    if (++evaluations_ > kMaximumEvaluations) return 0;
    const Linear& linear = workspace_.linear(id);
    std::int64_t value = linear.constant;
    for (const Term& term : linear.terms) {
      value = workspace_.plus(value, workspace_.times(term.coefficient, atom_value_at(term.atom, x)));
    }
    return value;
  }

  std::int64_t atom_value_at(AtomId id, std::int64_t x) {
    const Atom atom = workspace_.atom(id);
    switch (atom.kind) {
      case AtomKind::kVariable:
        return x;
      case AtomKind::kFloor:
        return floor_quotient(value_at(atom.numerator, x), atom.divisor);
      case AtomKind::kRemainder:
        return floor_remainder(value_at(atom.numerator, x), atom.divisor);
      case AtomKind::kProduct:
        return workspace_.times(value_at(atom.numerator, x), value_at(atom.other, x));
      case AtomKind::kXor:
        return value_at(atom.numerator, x) ^ value_at(atom.other, x);
    }
    return 0;
  }

  Workspace& workspace_;
  FormId form_;
  AtomId variable_;
  std::int64_t points_ = 0;
  std::int64_t period_ = 0;
  std::int64_t evaluations_ = 0;
};

/// The terms of `linear` that depend on `variable` alone.
Linear part_of(Workspace& workspace, const Linear& linear, AtomId variable) {
  Linear part;
  for (const Term& term : linear.terms) {
    if (only_variable_of_atom(workspace, term.atom) == variable) part.terms.push_back(term);
  }
  return part;
}

FormId with_basis_form(Workspace& workspace, FormId form, AtomId variable) {
  const Linear part = part_of(workspace, workspace.linear(form), variable);
  const bool basis = std::all_of(part.terms.begin(), part.terms.end(),
                                 [&](const Term& term) { return is_basis_function(workspace, term.atom); });
  if (basis) return form;
  const OverflowGuard guard(workspace);
  const FormId part_form = workspace.intern(part);
  const Cost cost = cost_of(workspace, part_form);
  if (cost.divisions < 2) return form;
  const auto replacement = BasisForm(workspace, part_form, variable).find(cost.divisions - 1);
  if (!replacement) return form;
  const FormId result = workspace.sum(workspace.sum(form, part_form, -1), *replacement);
  if (guard.overflowed() || cost_of(workspace, result) >= cost_of(workspace, form)) return form;
  return result;
}

}  // namespace

bool is_basis_function(const Workspace& workspace, AtomId id) {
  const Atom atom = workspace.atom(id);
  if (atom.kind == AtomKind::kVariable) return true;
  if (atom.kind != AtomKind::kFloor) return false;
  const Linear& numerator = workspace.linear(atom.numerator);
  return numerator.constant == 0 && numerator.terms.size() == 1 && numerator.terms[0].coefficient == 1 &&
         workspace.atom(numerator.terms[0].atom).kind == AtomKind::kVariable;
}

FormId univariate_rule(Workspace& workspace, FormId form) {
  SmallVector<AtomId, 8> variables;
  for (const Term& term : workspace.linear(form).terms) {
    const AtomId variable = only_variable_of_atom(workspace, term.atom);
    const bool known = std::find(variables.begin(), variables.end(), variable) != variables.end();
    if (variable >= 0 && !known) variables.push_back(variable);
  }
  for (const AtomId variable : variables) form = with_basis_form(workspace, form, variable);
  return form;
}

}  // namespace relayout::expr
