// At most one inner floor may be merged, since the rule needs the rest of the numerator to be an integer
// multiple of the inner divisor. A coefficient of -1 is first mirrored: -(x//a) = (-x + a - 1)//a.

#include "src/expr/present.hpp"
#include "src/expr/rules.hpp"

namespace relayout::expr {
namespace {

bool is_unit(std::int64_t coefficient) {
  return coefficient == 1 || coefficient == -1;
}

FormId merged(Workspace& workspace, FormId numerator, Term inner, std::int64_t divisor) {
  const Atom atom = workspace.atom(inner.atom);
  std::int64_t product = 0;
  if (__builtin_mul_overflow(atom.divisor, divisor, &product)) return kNone;
  const OverflowGuard guard(workspace);
  Linear sum = workspace.linear(numerator);
  Workspace::remove_term(sum, inner.atom);
  Linear scaled;
  workspace.add(scaled, sum, atom.divisor);
  workspace.add(scaled, workspace.linear(atom.numerator), inner.coefficient);
  if (inner.coefficient < 0) scaled.constant = workspace.plus(scaled.constant, atom.divisor - 1);
  const FormId result = floor_of(workspace, workspace.intern(scaled), product);
  return guard.overflowed() ? kNone : result;
}

}  // namespace

FormId merge_rule(Workspace& workspace, FormId numerator, std::int64_t divisor) {
  const Linear whole = workspace.linear(numerator);
  std::size_t floors = 0;
  for (const Term& term : whole.terms) floors += workspace.atom(term.atom).kind == AtomKind::kFloor ? 1U : 0U;
  for (const Term& term : whole.terms) {
    if (workspace.atom(term.atom).kind != AtomKind::kFloor || !is_unit(term.coefficient)) continue;
    if (floors > 1 && !workspace.spend(1)) continue;
    const FormId result = merged(workspace, numerator, term, divisor);
    if (result == kNone) continue;
    if (floors == 1) return result;
    const FormId unmerged = workspace.atom_form(workspace.floor_atom(numerator, divisor));
    if (cost_of(workspace, result) < cost_of(workspace, unmerged)) return result;
  }
  return kNone;
}

}  // namespace relayout::expr
