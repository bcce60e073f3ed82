// A product of two non-constant forms is an opaque atom. What is known of it: the common factors of each side
// are taken out, c*x * d*y = c*d * (x*y), and sides without floors are multiplied out, x*(y + c) = x*y + c*x.

#include <algorithm>
#include <numeric>

#include "src/expr/rules.hpp"

namespace relayout::expr {
namespace {

constexpr std::size_t kMaximumExpandedTerms = 16;

std::int64_t content(const Linear& linear) {
  std::uint64_t divisor = 0;
  const auto magnitude = [](std::int64_t value) {
    return value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value)
                     : static_cast<std::uint64_t>(value);
  };
  divisor = magnitude(linear.constant);
  for (const Term& term : linear.terms) divisor = std::gcd(divisor, magnitude(term.coefficient));
  if (divisor > static_cast<std::uint64_t>(INT64_MAX)) return 1;
  const auto result = static_cast<std::int64_t>(divisor);
  return linear.terms[0].coefficient < 0 ? -result : result;
}

FormId divided(Workspace& workspace, FormId id, std::int64_t divisor) {
  if (divisor == 1) return id;
  Linear result;
  if (divisor == -1) {
    workspace.add(result, workspace.linear(id), -1);
    return workspace.intern(result);
  }
  result = workspace.linear(id);
  result.constant /= divisor;
  for (Term& term : result.terms) term.coefficient /= divisor;
  return workspace.intern(result);
}

bool is_polynomial(Workspace& workspace, FormId id) {
  // Remembered: factors share forms, and each way down to one would be walked.
  if (const auto known = workspace.form(id).is_polynomial) return *known;
  const auto is_plain = [&](const Term& term) {
    const Atom atom = workspace.atom(term.atom);
    if (atom.kind == AtomKind::kVariable) return true;
    return atom.kind != AtomKind::kFloor && is_polynomial(workspace, atom.numerator) &&
           is_polynomial(workspace, atom.other);
  };
  const bool result = std::ranges::all_of(workspace.linear(id).terms, is_plain);
  workspace.form(id).is_polynomial = result;
  return result;
}

/// The product of two atoms of which neither has a constant factor; nested products group to the right, in
/// order, so that x*(y*z) and (x*y)*z are one atom.
FormId atom_product(Workspace& workspace, AtomId left, AtomId right) {
  SmallVector<AtomId, 6> factors;
  const auto collect = [&](AtomId id) {
    while (workspace.atom(id).kind == AtomKind::kProduct) {
      const Atom atom = workspace.atom(id);
      const Linear& first = workspace.linear(atom.numerator);
      const Linear& second = workspace.linear(atom.other);
      if (first.terms.size() != 1 || first.constant != 0 || second.terms.size() != 1 || second.constant != 0)
        break;
      const bool nested_first = workspace.atom(first.terms[0].atom).kind == AtomKind::kProduct;
      factors.push_back(nested_first ? second.terms[0].atom : first.terms[0].atom);
      id = nested_first ? first.terms[0].atom : second.terms[0].atom;
    }
    factors.push_back(id);
  };
  collect(left);
  collect(right);
  std::sort(factors.begin(), factors.end(), [&](AtomId a, AtomId b) { return workspace.compare(a, b) < 0; });
  AtomId product = factors[factors.size() - 1];
  for (std::size_t i = factors.size() - 1; i-- > 0;) {
    product = workspace.product_atom(workspace.atom_form(factors[i]), workspace.atom_form(product));
  }
  return workspace.atom_form(product);
}

FormId expanded(Workspace& workspace, const Linear& left, const Linear& right) {
  Linear result;
  result.constant = workspace.times(left.constant, right.constant);
  for (const Term& a : left.terms)
    workspace.add_term(result, a.atom, workspace.times(a.coefficient, right.constant));
  for (const Term& b : right.terms)
    workspace.add_term(result, b.atom, workspace.times(b.coefficient, left.constant));
  for (const Term& a : left.terms) {
    for (const Term& b : right.terms) {
      const FormId product = atom_product(workspace, a.atom, b.atom);
      workspace.add(result, workspace.linear(product), workspace.times(a.coefficient, b.coefficient));
    }
  }
  return workspace.intern(result);
}

}  // namespace

FormId product_of(Workspace& workspace, FormId left, FormId right) {
  if (workspace.is_constant(left)) return workspace.scaled(right, workspace.linear(left).constant);
  if (workspace.is_constant(right)) return workspace.scaled(left, workspace.linear(right).constant);
  const Linear a = workspace.linear(left);
  const Linear b = workspace.linear(right);
  const bool single = a.terms.size() == 1 && a.constant == 0 && b.terms.size() == 1 && b.constant == 0;
  const bool polynomial = is_polynomial(workspace, left) && is_polynomial(workspace, right);
  const std::size_t terms = (a.terms.size() + 1) * (b.terms.size() + 1);
  if (single || (polynomial && terms <= kMaximumExpandedTerms)) return expanded(workspace, a, b);
  const std::int64_t left_content = content(a);
  const std::int64_t right_content = content(b);
  const AtomId atom = workspace.product_atom(divided(workspace, left, left_content),
                                             divided(workspace, right, right_content));
  return workspace.atom_form(atom, workspace.times(left_content, right_content));
}

}  // namespace relayout::expr
