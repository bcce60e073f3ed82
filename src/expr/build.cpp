// Writes terms by falling coefficient, so that the slowest varying part of an index comes first, the constant
// last. A sum without a positive term starts with its constant where that is positive: 63 - x.

#include <algorithm>
#include <optional>

#include "src/expr/node.hpp"
#include "src/expr/present.hpp"

namespace relayout::expr {
namespace {

class Builder {
 public:
  explicit Builder(Workspace& workspace) : workspace_(workspace) {}

  IndexExpr form(FormId id) {
    const Linear linear = workspace_.linear(presentation_of(workspace_, id));
    Terms terms = linear.terms;
    std::sort(terms.begin(), terms.end(), [&](const Term& a, const Term& b) {
      if (a.coefficient != b.coefficient) return a.coefficient > b.coefficient;
      return workspace_.compare(a.atom, b.atom) < 0;
    });
    const bool constant_first = terms.empty() || (terms[0].coefficient < 0 && linear.constant > 0);
    if (constant_first) append_constant(linear.constant);
    for (const Term& term : terms) append(term);
    if (!constant_first && linear.constant != 0) append_constant(linear.constant);
    return *sum_;
  }

 private:
  void append(Term term) {
    const IndexExpr factor = atom(term.atom);
    const bool negated = term.coefficient < 0 && sum_ && term.coefficient != INT64_MIN;
    const std::int64_t magnitude = negated ? -term.coefficient : term.coefficient;
    append_value(product(magnitude, factor), negated);
  }

  /// -x stands for itself only at the start of a sum; elsewhere it is subtracted.
  static IndexExpr product(std::int64_t coefficient, const IndexExpr& factor) {
    if (coefficient == 1) return factor;
    if (coefficient == -1) return factor * -1;
    return IndexExpr::constant(coefficient) * factor;
  }

  void append_constant(std::int64_t value) { append_value(IndexExpr::constant(value), false); }

  void append_value(const IndexExpr& value, bool negated) {
    if (!sum_) {
      sum_ = value;
    } else {
      sum_ = negated ? *sum_ - value : *sum_ + value;
    }
  }

  IndexExpr atom(AtomId id) {
    const Atom atom = workspace_.atom(id);
    switch (atom.kind) {
      case AtomKind::kVariable:
        break;
      case AtomKind::kFloor:
        return floor_div(Builder(workspace_).form(atom.numerator), atom.divisor);
      case AtomKind::kRemainder:
        return floor_mod(Builder(workspace_).form(atom.numerator), atom.divisor);
      case AtomKind::kProduct:
        return Builder(workspace_).form(atom.numerator) * Builder(workspace_).form(atom.other);
      case AtomKind::kXor:
        return Builder(workspace_).form(atom.numerator) ^ Builder(workspace_).form(atom.other);
    }
    return Node::handle(atom.variable->shared_from_this());
  }

  Workspace& workspace_;
  std::optional<IndexExpr> sum_;
};

}  // namespace

IndexExpr build_expression(Workspace& workspace, FormId presentation) {
  return Builder(workspace).form(presentation);
}

}  // namespace relayout::expr
