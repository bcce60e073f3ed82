// floor_of tries the rules in a fixed order; the first that applies wins.
//
// Termination: every rule lowers the divisor, the coefficients or the number of atoms, except that merge
// raises the divisor while it removes an atom, and digit_split undoes merge. A numerator and divisor that are
// still being simplified further up the stack are therefore left as they are, and digit_split must be cheaper
// to be taken.

#include <array>

#include "src/expr/rules.hpp"

namespace relayout::expr {
namespace {

using Rule = FormId (*)(Workspace&, FormId, std::int64_t);

constexpr std::array<Rule, 9> kRules = {period_rule, residue_rule,       signed_residue_rule,
                                        mirror_rule, common_factor_rule, digit_split_rule,
                                        merge_rule,  parity_rule,        xor_floor_rule};

FormId first_applicable(Workspace& workspace, AtomId atom, FormId numerator, std::int64_t divisor) {
  for (const Rule rule : kRules) {
    const FormId result = rule(workspace, numerator, divisor);
    if (result != kNone) return result;
  }
  return workspace.atom_form(atom);
}

}  // namespace

FormId floor_of(Workspace& workspace, FormId numerator, std::int64_t divisor) {
  if (divisor == 1) return numerator;
  const AtomId id = workspace.floor_atom(numerator, divisor);
  const Atom atom = workspace.atom(id);
  if (atom.simplified != kNone) return atom.simplified;
  if (atom.in_progress) return workspace.atom_form(id);
  workspace.atom(id).in_progress = true;
  const FormId shorter = hermite_rule(workspace, numerator);
  const FormId result = shorter == numerator ? first_applicable(workspace, id, numerator, divisor)
                                             : floor_of(workspace, shorter, divisor);
  workspace.atom(id).in_progress = false;
  if (workspace.overflowed()) return workspace.atom_form(id);
  workspace.atom(id).simplified = result;
  return result;
}

/// The multiples of the divisor are dropped first, so that large coefficients do not overflow.
FormId remainder_of(Workspace& workspace, FormId numerator, std::int64_t divisor) {
  const Linear whole = workspace.linear(numerator);
  Linear kept;
  kept.constant = balanced_residue(whole.constant, divisor);
  for (const Term& term : whole.terms) {
    const std::int64_t residue = balanced_residue(term.coefficient, divisor);
    if (residue != 0) kept.terms.push_back({term.atom, residue});
  }
  const FormId small = workspace.intern(kept);
  const FormId bits = xor_remainder_rule(workspace, small, divisor);
  return bits != kNone ? bits : workspace.sum(small, floor_of(workspace, small, divisor), -divisor);
}

FormId settle(Workspace& workspace, FormId form) {
  return univariate_rule(workspace, hermite_rule(workspace, form));
}

}  // namespace relayout::expr
