// From the normal form to the cheapest form to print, by steps that each keep the value and lower the cost:
//
//   remainder  k*M - k*e*(M//e)          -> k*(M%e)
//   digit      k*(N//a) - k*b*(N//(a*b)) -> k*((N//a)%b)
//   shift      w*u + k*((c*u + y)//d)    -> k*(((c - d*j)*u + y)//d),  w = -k*j: the term outside goes
//              ...or j such that (c - d*j)*u becomes the second half of a remainder inside
//   mirror     -(x//d)                   -> (-x + d - 1)//d
//   round up   M - M//2                  -> (M + 1)//2
//   factor     k*A*B + j*B               -> (k*A + j)*B
//
// The numerators of the result are themselves presented when they are printed, so a step only needs the cost
// of numerators, which nest less deeply than the form: the recursion ends. Costs fall, so the descent ends.

#include "src/expr/present.hpp"

#include <algorithm>

#include "src/expr/integer.hpp"
#include "src/expr/steps.hpp"

namespace relayout::expr {
namespace {

constexpr std::int64_t kLargestCost = 1'000'000'000;
constexpr int kMaximumDescent = 32;

Cost plus(Cost a, Cost b) {
  return {std::min(a.divisions + b.divisions, kLargestCost), std::min(a.leaves + b.leaves, kLargestCost)};
}

Cost atom_cost(Workspace& workspace, AtomId id) {
  const Atom atom = workspace.atom(id);
  switch (atom.kind) {
    case AtomKind::kVariable:
      return {0, 1};
    case AtomKind::kFloor:
    case AtomKind::kRemainder:
      return plus(cost_of(workspace, atom.numerator), {1, 1});
    case AtomKind::kProduct:
    case AtomKind::kXor:
      return plus(cost_of(workspace, atom.numerator), cost_of(workspace, atom.other));
  }
  return {};
}

/// The cost of printing the form as it stands, numerators presented.
Cost plain_cost(Workspace& workspace, const Linear& linear) {
  Cost cost;
  if (linear.constant != 0) ++cost.leaves;
  bool all_negative = linear.constant <= 0;
  for (const Term& term : linear.terms) {
    cost = plus(cost, atom_cost(workspace, term.atom));
    if (term.coefficient != 1 && term.coefficient != -1) ++cost.leaves;
    if (term.coefficient > 0) all_negative = false;
  }
  if (all_negative && !linear.terms.empty()) ++cost.leaves;  // the minus sign in front
  return cost;
}

bool worth_a_search(const Workspace& workspace, const Linear& linear) {
  return std::any_of(linear.terms.begin(), linear.terms.end(),
                     [&](const Term& term) { return workspace.atom(term.atom).kind != AtomKind::kVariable; });
}

void present(Workspace& workspace, FormId id) {
  FormId best = id;
  Cost best_cost = plain_cost(workspace, workspace.linear(id));
  for (int round = 0; round < kMaximumDescent && worth_a_search(workspace, workspace.linear(best)); ++round) {
    Steps steps(workspace, best);
    FormId next = kNone;
    for (const FormId candidate : steps.all()) {
      const Cost cost = plain_cost(workspace, workspace.linear(candidate));
      if (cost >= best_cost) continue;
      best_cost = cost;
      next = candidate;
    }
    if (next == kNone) break;
    best = next;
  }
  workspace.form(id).presentation = best;
  workspace.form(id).cost = best_cost;
}

}  // namespace

FormId presentation_of(Workspace& workspace, FormId form) {
  if (workspace.form(form).presentation == kNone) present(workspace, form);
  return workspace.form(form).presentation;
}

Cost cost_of(Workspace& workspace, FormId form) {
  if (workspace.form(form).presentation == kNone) present(workspace, form);
  return workspace.form(form).cost;
}

}  // namespace relayout::expr
