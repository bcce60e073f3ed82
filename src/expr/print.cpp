// Prints an expression with as few parentheses as parse needs to read back the very same tree. `*`, `//` and
// `%` group to the left at equal precedence; unary minus binds tighter.

#include "src/expr/node.hpp"

namespace relayout::expr {
namespace {

bool is_constant(const Node& node) {
  return node.key.kind == Kind::kConstant;
}

/// b*-1, printed as -b. A constant times -1 is not one: -5 reads back as the constant.
bool is_negation(const Node& node) {
  return node.key.kind == Kind::kMultiply && is_constant(*node.key.right) &&
         node.key.right->key.value == -1 && !is_constant(*node.key.left);
}

class Printer {
 public:
  std::string take() { return std::move(text_); }

  void print(const Node& node) {
    const NodeKey& key = node.key;
    switch (key.kind) {
      case Kind::kConstant:
        text_ += std::to_string(key.value);
        break;
      case Kind::kVariable:
        text_ += key.name;
        break;
      case Kind::kAdd:
        print_sum(key);
        break;
      case Kind::kMultiply:
        print_product(node);
        break;
      case Kind::kFloorDiv:
        print_division(key, "//");
        break;
      case Kind::kFloorMod:
        print_division(key, "%");
        break;
      case Kind::kXor:
        print_xor(key);
        break;
    }
  }

 private:
  static bool is_xor(const Node& node) { return node.key.kind == Kind::kXor; }

  void print_xor(const NodeKey& key) {
    print(*key.left);
    text_ += " ^ ";
    print_enclosed(*key.right, is_xor(*key.right));
  }

  void print_sum(const NodeKey& key) {
    print_enclosed(*key.left, is_xor(*key.left));
    const Node& right = *key.right;
    if (is_negation(right)) {
      text_ += " - ";
      print_subtrahend(*right.key.left);
    } else if (is_constant(right) && right.key.value < 0 && right.key.value != INT64_MIN) {
      text_ += " - " + std::to_string(-right.key.value);
    } else {
      text_ += " + ";
      print_enclosed(right, right.key.kind == Kind::kAdd || is_xor(right));
    }
  }

  void print_subtrahend(const Node& node) {
    print_enclosed(node, node.key.kind == Kind::kAdd || is_xor(node) || is_negation(node));
  }

  void print_product(const Node& node) {
    if (is_negation(node)) {
      text_ += "-";
      print_factor(*node.key.left);
      return;
    }
    print_left_factor(*node.key.left);
    text_ += "*";
    print_factor(*node.key.right);
  }

  void print_division(const NodeKey& key, std::string_view symbol) {
    print_left_factor(*key.left);
    text_ += symbol;
    text_ += std::to_string(key.value);
  }

  void print_left_factor(const Node& node) {
    print_enclosed(node, node.key.kind == Kind::kAdd || is_xor(node) || is_negation(node));
  }

  /// The right operand of `*`, or what unary minus applies to.
  void print_factor(const Node& node) {
    const bool atomic =
        node.key.kind == Kind::kVariable || (node.key.kind == Kind::kConstant && node.key.value >= 0);
    print_enclosed(node, !atomic);
  }

  void print_enclosed(const Node& node, bool parentheses) {
    if (parentheses) text_ += "(";
    print(node);
    if (parentheses) text_ += ")";
  }

  std::string text_;
};

}  // namespace

std::string to_string(const IndexExpr& e) {
  Printer printer;
  printer.print(Node::of(e));
  return printer.take();
}

}  // namespace relayout::expr
