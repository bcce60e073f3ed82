#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "src/expr/index_expr.hpp"

namespace relayout::expr {

/// Trees nested deeper than this are refused by parse, range_of and simplify, whose recursion follows the
/// tree.
inline constexpr int kMaximumDepth = 2000;

/// What tells one node from another; operands are compared by identity, since they are interned themselves.
struct NodeKey {
  Kind kind = Kind::kConstant;
  std::int64_t value = 0;  ///< constant, divisor, or index of the variable
  std::shared_ptr<const Node> left = {};
  std::shared_ptr<const Node> right = {};
  std::string name = {};
  Range range = {};

  friend bool operator==(const NodeKey&, const NodeKey&) = default;
};

/// An interned node. Only the interning table creates them, and the last handle destroys them.
struct Node : std::enable_shared_from_this<Node> {
  NodeKey key;
  std::size_t hash = 0;
  int depth = 1;
  Node* next_in_bucket = nullptr;  ///< guarded by the mutex of the shard
  Node* next_dead = nullptr;       ///< used by the thread that destroys the node

  /// The node behind a handle.
  static const Node& of(const IndexExpr& e) noexcept { return *e.node_; }
  static IndexExpr handle(std::shared_ptr<const Node> node) { return IndexExpr(std::move(node)); }
  static const std::shared_ptr<const Node>& shared(const IndexExpr& e) noexcept { return e.node_; }
};

/// The one node with this key, created if there is none. Thread safe.
std::shared_ptr<const Node> intern(NodeKey key);

/// Number of nodes alive in the process, for tests of the table.
std::size_t interned_node_count();

}  // namespace relayout::expr
