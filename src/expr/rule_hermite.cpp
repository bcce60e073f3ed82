#include <algorithm>

#include "src/expr/present.hpp"
#include "src/expr/rules.hpp"

namespace relayout::expr {
namespace {

constexpr std::int64_t kMaximumParts = 64;
constexpr int kMaximumRounds = 8;

/// The floors of one form that have the same divisor and, but for the constant, the same numerator.
struct Family {
  Linear base;  ///< the numerator, constant 0
  std::int64_t divisor = 0;
  Terms members;
};

bool same_terms(const Linear& a, const Linear& b) {
  return std::equal(a.terms.begin(), a.terms.end(), b.terms.begin(), b.terms.end());
}

Family family_of(const Workspace& workspace, const Linear& linear, std::size_t first) {
  const Atom& atom = workspace.atom(linear.terms[first].atom);
  Family family{workspace.linear(atom.numerator), atom.divisor, {}};
  family.base.constant = 0;
  for (const Term& term : linear.terms) {
    const Atom& other = workspace.atom(term.atom);
    const bool member = other.kind == AtomKind::kFloor && other.divisor == family.divisor &&
                        same_terms(workspace.linear(other.numerator), family.base);
    if (member) family.members.push_back(term);
  }
  return family;
}

FormId shifted(Workspace& workspace, const Linear& base, std::int64_t constant) {
  Linear numerator = base;
  numerator.constant = constant;
  return workspace.intern(numerator);
}

/// form - m * (sum over k < parts of (x + r + a*k)//(a*parts) - (x + r)//a), for member (x + r)//(a*parts)
/// times m.
FormId without_family(Workspace& workspace, FormId form, const Family& family, Term member,
                      std::int64_t parts) {
  const std::int64_t step = family.divisor / parts;
  const std::int64_t start = workspace.linear(workspace.atom(member.atom).numerator).constant % step;
  FormId result = form;
  for (std::int64_t part = 0; part < parts; ++part) {
    const FormId numerator = shifted(workspace, family.base, start + step * part);
    result = workspace.sum(result, floor_of(workspace, numerator, family.divisor), -member.coefficient);
  }
  const FormId whole = floor_of(workspace, shifted(workspace, family.base, start), step);
  return workspace.sum(result, whole, member.coefficient);
}

/// A cheaper form by one use of the identity, or kNone.
FormId improved(Workspace& workspace, FormId form) {
  const Linear linear = workspace.linear(form);
  for (std::size_t i = 0; i < linear.terms.size(); ++i) {
    if (workspace.atom(linear.terms[i].atom).kind != AtomKind::kFloor) continue;
    const Family family = family_of(workspace, linear, i);
    if (family.members.size() < 2 || family.members[0].atom != linear.terms[i].atom) continue;
    for (std::int64_t parts = 2; parts <= std::min(family.divisor, kMaximumParts); ++parts) {
      if (family.divisor % parts != 0) continue;
      for (const Term& member : family.members) {
        if (!workspace.spend(parts) || member.coefficient == INT64_MIN) return kNone;
        const OverflowGuard guard(workspace);
        const FormId candidate = without_family(workspace, form, family, member, parts);
        if (!guard.overflowed() && cost_of(workspace, candidate) < cost_of(workspace, form)) return candidate;
      }
    }
  }
  return kNone;
}

}  // namespace

FormId hermite_rule(Workspace& workspace, FormId form) {
  for (int round = 0; round < kMaximumRounds; ++round) {
    if (workspace.linear(form).terms.size() < 2) return form;
    const FormId better = improved(workspace, form);
    if (better == kNone) return form;
    form = better;
  }
  return form;
}

FormId parity_rule(Workspace& workspace, FormId numerator, std::int64_t divisor) {
  Linear base = workspace.linear(numerator);
  if (divisor != 2 || base.constant != 1) return kNone;
  // With floors inside, printing x twice would cost more than the rule saves.
  for (const Term& term : base.terms) {
    if (workspace.atom(term.atom).kind != AtomKind::kVariable) return kNone;
  }
  base.constant = 0;
  const FormId even = workspace.intern(base);
  return workspace.sum(even, floor_of(workspace, even, 2), -1);
}

}  // namespace relayout::expr
