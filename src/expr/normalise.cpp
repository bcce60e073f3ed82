#include "src/expr/normalise.hpp"

#include <unordered_map>

#include "src/expr/rules.hpp"

namespace relayout::expr {
namespace {

/// Trees this deep may share subtrees so often that walking each occurrence never ends.
constexpr int kDepthToRemember = 24;

class Normaliser {
 public:
  Normaliser(Workspace& workspace, bool remember) : workspace_(workspace), remember_(remember) {}

  FormId form_of(const Node& node) {
    if (!remember_) return computed(node);
    if (const auto known = known_.find(&node); known != known_.end()) return known->second;
    const FormId result = computed(node);
    known_.emplace(&node, result);
    return result;
  }

 private:
  FormId computed(const Node& node) {
    const NodeKey& key = node.key;
    switch (key.kind) {
      case Kind::kConstant:
        return workspace_.constant_form(key.value);
      case Kind::kVariable:
        return workspace_.atom_form(workspace_.variable_atom(node));
      case Kind::kAdd:
        return workspace_.sum(form_of(*key.left), form_of(*key.right));
      case Kind::kMultiply:
        return product_of(workspace_, form_of(*key.left), form_of(*key.right));
      case Kind::kFloorDiv:
        return floor_of(workspace_, form_of(*key.left), key.value);
      case Kind::kFloorMod:
        return remainder(form_of(*key.left), key.value);
    }
    return kNone;
  }

  /// x%d = x - d*(x//d). The multiples of d are dropped first, so that large coefficients do not overflow.
  FormId remainder(FormId numerator, std::int64_t divisor) {
    Linear reduced = workspace_.linear(numerator);
    Linear kept;
    kept.constant = balanced_residue(reduced.constant, divisor);
    for (const Term& term : reduced.terms) {
      const std::int64_t residue = balanced_residue(term.coefficient, divisor);
      if (residue != 0) kept.terms.push_back({term.atom, residue});
    }
    const FormId small = workspace_.intern(kept);
    return workspace_.sum(small, floor_of(workspace_, small, divisor), -divisor);
  }

  Workspace& workspace_;
  bool remember_;
  std::unordered_map<const Node*, FormId> known_;
};

}  // namespace

FormId normalise(Workspace& workspace, const Node& node) {
  return Normaliser(workspace, node.depth > kDepthToRemember).form_of(node);
}

}  // namespace relayout::expr
