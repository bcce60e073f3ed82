// The interning table: shards of chained buckets, each under its own mutex. Entries do not own their nodes;
// the last handle removes the entry. A node whose last handle is gone but whose entry is still there cannot
// be revived (weak_from_this().lock() fails), so a lookup then inserts a second node of the same key in front
// of it.

#include <algorithm>
#include <array>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "src/expr/interning_locks.hpp"
#include "src/expr/node.hpp"

namespace relayout::expr {
namespace {

constexpr std::size_t kShards = 64;
constexpr std::size_t kFirstBuckets = 64;

std::size_t mix(std::size_t seed, std::size_t value) {
  seed ^= value + 0x9e3779b97f4a7c15U + (seed << 6) + (seed >> 2);
  return seed * 0xff51afd7ed558ccdU;
}

std::size_t hash_of(const NodeKey& key) {
  std::size_t hash = mix(static_cast<std::size_t>(key.kind), static_cast<std::size_t>(key.value));
  hash = mix(hash, reinterpret_cast<std::size_t>(key.left.get()));
  hash = mix(hash, reinterpret_cast<std::size_t>(key.right.get()));
  if (key.kind == Kind::kVariable) {
    hash = mix(hash, std::hash<std::string>()(key.name));
    hash = mix(hash, static_cast<std::size_t>(key.range.lower));
    hash = mix(hash, static_cast<std::size_t>(key.range.upper));
  }
  return hash ^ (hash >> 32);
}

class Shard {
 public:
  std::shared_ptr<const Node> find_or_insert(NodeKey& key, std::size_t hash);
  void erase(const Node* node);
  std::size_t size();
  std::mutex& mutex() { return mutex_; }

 private:
  Node*& bucket(std::size_t hash) { return buckets_[(hash / kShards) % buckets_.size()]; }
  void grow();

  std::mutex mutex_;
  std::vector<Node*> buckets_ = std::vector<Node*>(kFirstBuckets, nullptr);
  std::size_t size_ = 0;
};

/// Never destroyed: handles in static variables may outlive any static table.
std::array<Shard, kShards>& shards() {
  static auto* const table = new std::array<Shard, kShards>();
  return *table;
}

/// Destroys nodes one after the other instead of recursively, so that a deep tree does not exhaust the stack.
void release(Node* node) {
  thread_local Node* dead = nullptr;
  thread_local bool draining = false;
  shards()[node->hash % kShards].erase(node);
  node->next_dead = std::exchange(dead, node);
  if (draining) return;
  draining = true;
  while (dead != nullptr) {
    Node* const last = dead;
    dead = last->next_dead;
    delete last;
  }
  draining = false;
}

int depth_of(const NodeKey& key) {
  const int left = key.left ? key.left->depth : 0;
  const int right = key.right ? key.right->depth : 0;
  return std::max(left, right) + 1;
}

std::shared_ptr<const Node> Shard::find_or_insert(NodeKey& key, std::size_t hash) {
  const std::lock_guard lock(mutex_);
  for (Node* node = bucket(hash); node != nullptr; node = node->next_in_bucket) {
    if (node->hash != hash || node->key != key) continue;
    if (std::shared_ptr<const Node> alive = node->weak_from_this().lock()) return alive;
  }
  if (size_ >= buckets_.size()) grow();
  const std::shared_ptr<Node> created(new Node, release);
  created->key = std::move(key);
  created->hash = hash;
  created->depth = depth_of(created->key);
  created->next_in_bucket = std::exchange(bucket(hash), created.get());
  ++size_;
  return created;
}

void Shard::erase(const Node* node) {
  const std::lock_guard lock(mutex_);
  Node** link = &bucket(node->hash);
  while (*link != node) link = &(*link)->next_in_bucket;
  *link = node->next_in_bucket;
  --size_;
}

std::size_t Shard::size() {
  const std::lock_guard lock(mutex_);
  return size_;
}

void Shard::grow() {
  std::vector<Node*> old(buckets_.size() * 4, nullptr);
  old.swap(buckets_);
  for (Node* node : old) {
    while (node != nullptr) {
      Node* const next = node->next_in_bucket;
      node->next_in_bucket = std::exchange(bucket(node->hash), node);
      node = next;
    }
  }
}

}  // namespace

std::shared_ptr<const Node> intern(NodeKey key) {
  const std::size_t hash = hash_of(key);
  return shards()[hash % kShards].find_or_insert(key, hash);
}

void lock_interning_for_fork() {
  (void)IndexExpr();  // or another thread's first one would stay half made in the child
  for (Shard& shard : shards()) shard.mutex().lock();
}

void unlock_interning_after_fork() {
  for (Shard& shard : shards()) shard.mutex().unlock();
}

std::size_t interned_node_count() {
  std::size_t count = 0;
  for (Shard& shard : shards()) count += shard.size();
  return count;
}

}  // namespace relayout::expr
