#include "src/expr/normalise.hpp"

#include <unordered_map>

#include "src/expr/rules.hpp"
#include "src/expr/xor_range.hpp"

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
        return remainder_of(workspace_, form_of(*key.left), key.value);
      case Kind::kXor:
        return xor_of(workspace_, narrowed(*key.left), narrowed(*key.right));
    }
    return kNone;
  }

  FormId narrowed(const Node& node) {
    const FormId form = form_of(node);
    const Range bounds = intersection(bounds_of(workspace_, form), range_as_written(node));
    workspace_.form(form).bounds = bounds;
    return form;
  }

  Workspace& workspace_;
  bool remember_;
  std::unordered_map<const Node*, FormId> known_;
};

}  // namespace

Range range_as_written(const Node& node) {
  const NodeKey& key = node.key;
  if (key.kind == Kind::kFloorMod) return {0, key.value - 1};
  if (key.kind != Kind::kMultiply) return {};
  const bool constant_left = key.left->key.kind == Kind::kConstant;
  const NodeKey& constant = constant_left ? key.left->key : key.right->key;
  const Range range = range_as_written(constant_left ? *key.right : *key.left);
  std::int64_t upper = 0;
  const bool known = constant.kind == Kind::kConstant && constant.value > 0 && range.bounded() &&
                     !__builtin_mul_overflow(range.upper, constant.value, &upper);
  return known ? Range{0, upper} : Range{};
}

FormId normalise(Workspace& workspace, const Node& node) {
  return Normaliser(workspace, node.depth > kDepthToRemember).form_of(node);
}

}  // namespace relayout::expr
