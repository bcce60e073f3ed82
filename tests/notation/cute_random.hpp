#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "relayout/cute.hpp"

namespace relayout::testing {

/// Random CuTe layouts, and an evaluation of them that shares no code with the library. The same seed gives
/// the same stream.
class RandomCute {
 public:
  struct Leaf {
    std::int64_t size = 1;
    std::int64_t stride = 0;
  };
  using Leaves = std::vector<Leaf>;

  explicit RandomCute(std::uint64_t seed) : random_(seed) {}

  std::int64_t uniform(std::int64_t lowest, std::int64_t highest) {
    return std::uniform_int_distribution<std::int64_t>(lowest, highest)(random_);
  }
  template <class Element>
  const Element& one_of(const std::vector<Element>& elements) {
    return elements[static_cast<std::size_t>(uniform(0, static_cast<std::int64_t>(elements.size()) - 1))];
  }
  std::mt19937_64& engine() { return random_; }

  /// `shape:stride` of the leaves, nested at random.
  std::string text_of(const Leaves& leaves) {
    std::string shape, stride;
    append(leaves, 0, leaves.size(), shape, stride);
    return shape + ':' + stride;
  }
  cute::Layout layout_of(const Leaves& leaves) { return *cute::parse_layout(text_of(leaves)); }

  /// Compact leaves in random order: injective, filling [0, size).
  Leaves compact(std::int64_t maximum_rank, const std::vector<std::int64_t>& sizes) {
    Leaves leaves(static_cast<std::size_t>(uniform(1, maximum_rank)));
    std::vector<Leaf*> order;
    for (Leaf& leaf : leaves) leaf.size = one_of(sizes), order.push_back(&leaf);
    std::shuffle(order.begin(), order.end(), random_);
    std::int64_t stride = 1;
    for (Leaf* leaf : order) leaf->stride = stride, stride *= leaf->size;
    return leaves;
  }
  /// As compact, with gaps between some of the strides.
  Leaves gapped(std::int64_t maximum_rank, const std::vector<std::int64_t>& sizes) {
    Leaves leaves(static_cast<std::size_t>(uniform(1, maximum_rank)));
    std::vector<Leaf*> order;
    for (Leaf& leaf : leaves) leaf.size = one_of(sizes), order.push_back(&leaf);
    std::shuffle(order.begin(), order.end(), random_);
    std::int64_t stride = uniform(1, 3);
    for (Leaf* leaf : order) leaf->stride = stride, stride *= leaf->size * uniform(1, 3);
    return leaves;
  }

  static std::int64_t size_of(const Leaves& leaves) {
    std::int64_t size = 1;
    for (const Leaf& leaf : leaves) size *= leaf.size;
    return size;
  }
  /// The offset of a 1-D coordinate, the last leaf not reduced; C++'s division, as CuTe has it.
  static std::int64_t evaluate(const Leaves& leaves, std::int64_t index) {
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const bool last = i + 1 == leaves.size();
      offset += (last ? index : index % leaves[i].size) * leaves[i].stride;
      index /= leaves[i].size;
    }
    return offset;
  }

 private:
  /// Leaves first to end - 1 as one tuple, or an integer.
  void append(const Leaves& leaves, std::size_t first, std::size_t end, std::string& shape,
              std::string& stride) {
    if (end - first == 1 && uniform(0, 5) != 0) {
      shape += std::to_string(leaves[first].size);
      stride += std::to_string(leaves[first].stride);
      return;
    }
    shape += '(', stride += '(';
    if (end - first == 1) {
      shape += std::to_string(leaves[first].size), stride += std::to_string(leaves[first].stride);
    }
    while (end - first > 1 && first < end) {
      const auto longest = static_cast<std::int64_t>(end - first);
      const auto count = static_cast<std::size_t>(uniform(0, 2) != 0 ? 1 : uniform(1, longest - 1));
      append(leaves, first, first + count, shape, stride);
      first += count;
      if (end - first == 1) shape += ',', stride += ',', append(leaves, first, end, shape, stride), ++first;
      if (first < end) shape += ',', stride += ',';
    }
    shape += ')', stride += ')';
  }

  std::mt19937_64 random_;
};

/// Runs `check` on one generator per seed; a failure's seed replays alone.
template <class Check>
void for_cute_seeds(std::uint64_t count, Check check) {
  const char* given = std::getenv("RELAYOUT_TEST_SEED");
  const std::uint64_t first = given != nullptr ? std::stoull(given) : 1;
  for (std::uint64_t seed = first; seed < first + (given != nullptr ? 1 : count); ++seed) {
    SCOPED_TRACE("RELAYOUT_TEST_SEED=" + std::to_string(seed));
    RandomCute random(seed);
    check(random);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace relayout::testing
