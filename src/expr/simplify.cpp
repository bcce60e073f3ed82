// simplify is the orbit of one pass: tree -> normal form -> presentation -> tree. A pass nearly always maps
// its own result to itself. Where it does not, the orbit runs into a cycle and the cheapest member of the
// cycle is the result, for whichever member one starts from: so simplify is idempotent by construction, and
// it never adds a division.

#include <algorithm>
#include <optional>
#include <vector>

#include "src/expr/node.hpp"
#include "src/expr/normalise.hpp"
#include "src/expr/present.hpp"
#include "src/expr/rules.hpp"
#include "src/expr/xor_range.hpp"

namespace relayout::expr {
namespace {

constexpr std::size_t kMaximumOrbit = 8;
constexpr std::int64_t kMaximumLeaves = 100'000;

Workspace& thread_workspace() {
  thread_local Workspace workspace;
  workspace.clear();
  return workspace;
}

Error overflow_error() {
  return {ErrorCode::kOverflow, "a coefficient or bound of the expression exceeds 64 bits"};
}

Status check_depth(const IndexExpr& e) {
  if (Node::of(e).depth <= kMaximumDepth) return {};
  return Error{ErrorCode::kUnsupported, "the expression is nested too deeply"};
}

bool variables_bounded(Workspace& workspace, FormId id) {
  const Linear& linear = workspace.linear(id);
  return std::all_of(linear.terms.begin(), linear.terms.end(), [&](const Term& term) {
    const Atom atom = workspace.atom(term.atom);
    if (atom.kind == AtomKind::kVariable) return atom.variable->key.range.bounded();
    return variables_bounded(workspace, atom.numerator) &&
           (atom.other == kNone || variables_bounded(workspace, atom.other));
  });
}

struct Pass {
  IndexExpr result;
  bool stable = false;  ///< a pass is known to map the result to itself
};

/// Whether x//a steps at a within the range of x. Such functions are independent, so that a sum of them is
/// unique; on [-20, 20], for one that is not, x//64 = x//256.
bool is_independent(const Workspace& workspace, AtomId id) {
  if (!is_basis_function(workspace, id)) return false;
  const Atom& atom = workspace.atom(id);
  if (atom.kind == AtomKind::kVariable) return true;
  const AtomId variable = workspace.linear(atom.numerator).terms[0].atom;
  const Range range = workspace.atom(variable).variable->key.range;
  return range.lower <= 0 && range.upper >= atom.divisor;
}

/// Presentation steps on floors of plain variables are undone exactly by the residue, mirror, merge and
/// parity rules, so that the presentation has the same normal form again if that is unique.
bool is_stable(const Workspace& workspace, FormId normal) {
  const Terms& terms = workspace.linear(normal).terms;
  return std::all_of(terms.begin(), terms.end(),
                     [&](const Term& term) { return is_independent(workspace, term.atom); });
}

/// One pass, or `e` itself if that would add divisions. Nothing if the pass overflowed.
std::optional<Pass> pass(const IndexExpr& e) {
  Workspace& workspace = thread_workspace();
  const FormId normal = settle(workspace, normalise(workspace, Node::of(e)));
  if (workspace.overflowed()) return std::nullopt;
  const Cost cost = cost_of(workspace, normal);
  // A normal form may share subforms so often that its tree is far larger than it.
  if (cost.leaves > kMaximumLeaves || cost.divisions > division_count(e)) return Pass{e, true};
  return Pass{build_expression(workspace, normal), is_stable(workspace, normal)};
}

/// A total order by cost, then text: the choice within a cycle must not depend on where the orbit entered it.
bool is_better(const IndexExpr& a, const IndexExpr& b) {
  const int first = division_count(a);
  const int second = division_count(b);
  return first != second ? first < second : to_string(a) < to_string(b);
}

/// The best member of the cycle that the orbit of `orbit.back()` runs into, or the last one reached.
IndexExpr end_of_orbit(std::vector<IndexExpr> orbit) {
  while (orbit.size() < kMaximumOrbit) {
    const auto next = pass(orbit.back());
    if (!next || next->result == orbit.back()) return orbit.back();
    const auto seen = std::find(orbit.begin(), orbit.end(), next->result);
    if (seen != orbit.end()) return *std::min_element(seen, orbit.end(), is_better);
    orbit.push_back(next->result);
  }
  return orbit.back();
}

}  // namespace

Result<Range> range_of(const IndexExpr& e) {
  if (const Status depth = check_depth(e); !depth) return depth.error();
  Workspace& workspace = thread_workspace();
  const FormId normal = settle(workspace, normalise(workspace, Node::of(e)));
  if (workspace.overflowed()) return overflow_error();
  const Range range = intersection(bounds_of(workspace, normal), range_as_written(Node::of(e)));
  if (!range.bounded() && variables_bounded(workspace, normal)) return overflow_error();
  return range;
}

Result<IndexExpr> simplify(const IndexExpr& e) {
  if (const Status depth = check_depth(e); !depth) return depth.error();
  const auto first = pass(e);
  if (!first) return overflow_error();
  if (first->stable || first->result == e) return first->result;
  const IndexExpr last = end_of_orbit({first->result});
  return division_count(last) <= division_count(e) ? last : e;
}

}  // namespace relayout::expr
