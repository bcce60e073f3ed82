#include <algorithm>
#include <unordered_map>

#include "src/expr/integer.hpp"
#include "src/expr/node.hpp"

namespace relayout::expr {
namespace {

/// Evaluates and remembers the first fault, so that the recursion returns plain integers.
class CheckedEvaluation {
 public:
  explicit CheckedEvaluation(std::span<const std::int64_t> values) : values_(values) {}

  std::int64_t value_of(const Node& node) {
    const NodeKey& key = node.key;
    switch (key.kind) {
      case Kind::kConstant:
        return key.value;
      case Kind::kVariable:
        return variable(key);
      case Kind::kAdd:
        return checked(Wide{value_of(*key.left)} + value_of(*key.right));
      case Kind::kMultiply:
        return checked(Wide{value_of(*key.left)} * value_of(*key.right));
      case Kind::kFloorDiv:
        return floor_quotient(value_of(*key.left), key.value);
      case Kind::kFloorMod:
        return floor_remainder(value_of(*key.left), key.value);
      case Kind::kXor:
        return value_of(*key.left) ^ value_of(*key.right);
    }
    return 0;
  }

  bool overflowed() const { return overflowed_; }
  bool value_missing() const { return value_missing_; }

 private:
  std::int64_t checked(Wide value) {
    overflowed_ |= !fits_64_bits(value);
    return static_cast<std::int64_t>(value);
  }

  std::int64_t variable(const NodeKey& key) {
    if (static_cast<std::uint64_t>(key.value) < values_.size()) {
      return values_[static_cast<std::size_t>(key.value)];
    }
    value_missing_ = true;
    return 0;
  }

  std::span<const std::int64_t> values_;
  bool overflowed_ = false;
  bool value_missing_ = false;
};

std::int64_t unchecked_value(const Node& node, std::span<const std::int64_t> values) noexcept {
  const NodeKey& key = node.key;
  switch (key.kind) {
    case Kind::kConstant:
      return key.value;
    case Kind::kVariable:
      return values[static_cast<std::size_t>(key.value)];
    case Kind::kAdd:
      return unchecked_value(*key.left, values) + unchecked_value(*key.right, values);
    case Kind::kMultiply:
      return unchecked_value(*key.left, values) * unchecked_value(*key.right, values);
    case Kind::kFloorDiv:
      return floor_quotient(unchecked_value(*key.left, values), key.value);
    case Kind::kFloorMod:
      return floor_remainder(unchecked_value(*key.left, values), key.value);
    case Kind::kXor:
      return unchecked_value(*key.left, values) ^ unchecked_value(*key.right, values);
  }
  return 0;
}

/// Counts with memory, since a deep tree may share subtrees so often that walking each occurrence never ends.
class DivisionCount {
 public:
  int of(const Node& node) {
    if (node.key.left == nullptr) return 0;
    if (node.depth < kDepthToRemember) return counted(node);
    if (const auto known = known_.find(&node); known != known_.end()) return known->second;
    const int count = counted(node);
    known_.emplace(&node, count);
    return count;
  }

 private:
  int counted(const Node& node) {
    const bool divides = node.key.kind == Kind::kFloorDiv || node.key.kind == Kind::kFloorMod;
    const int right = node.key.right ? of(*node.key.right) : 0;
    return std::min(of(*node.key.left) + right + (divides ? 1 : 0), kMaximumDivisions);
  }

  static constexpr int kDepthToRemember = 16;
  static constexpr int kMaximumDivisions = std::numeric_limits<int>::max() / 4;
  std::unordered_map<const Node*, int> known_;
};

}  // namespace

Result<std::int64_t> evaluate(const IndexExpr& e, std::span<const std::int64_t> values) {
  CheckedEvaluation evaluation(values);
  const std::int64_t value = evaluation.value_of(Node::of(e));
  if (evaluation.value_missing()) {
    return Error{ErrorCode::kBadArgument, "a variable of the expression has no value"};
  }
  if (evaluation.overflowed()) {
    return Error{ErrorCode::kOverflow, "the value of the expression exceeds 64 bits"};
  }
  return value;
}

std::int64_t evaluate_unchecked(const IndexExpr& e, std::span<const std::int64_t> values) noexcept {
  return unchecked_value(Node::of(e), values);
}

int division_count(const IndexExpr& e) {
  return DivisionCount().of(Node::of(e));
}

}  // namespace relayout::expr
