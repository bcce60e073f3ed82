#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <span>
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

  /// `shape:stride` of the leaves, nested at random.
  std::string text_of(const Leaves& leaves) {
    Text text;
    append(leaves, text);
    return text.shape + ':' + text.stride;
  }
  cute::Layout layout_of(const Leaves& leaves) { return *cute::parse_layout(text_of(leaves)); }

  /// Compact leaves in random order: injective, filling [0, size).
  Leaves compact(std::int64_t maximum_rank, const std::vector<std::int64_t>& sizes) {
    return spread(maximum_rank, sizes, 1);
  }
  /// As compact, with gaps between some of the strides.
  Leaves gapped(std::int64_t maximum_rank, const std::vector<std::int64_t>& sizes) {
    return spread(maximum_rank, sizes, 3);
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
  struct Text {
    std::string shape;
    std::string stride;
    void append(const std::string& of_shape, const std::string& of_stride) {
      shape += of_shape;
      stride += of_stride;
    }
    void append(const Leaf& leaf) { append(std::to_string(leaf.size), std::to_string(leaf.stride)); }
  };

  /// The leaves as one tuple; a leaf alone mostly as an integer.
  void append(std::span<const Leaf> leaves, Text& text) {
    if (leaves.size() == 1 && uniform(0, 5) != 0) return text.append(leaves.front());
    text.append("(", "(");
    for (bool first = true; !leaves.empty(); first = false) {
      if (!first) text.append(",", ",");
      const auto most = static_cast<std::int64_t>(leaves.size()) - (first ? 1 : 0);
      const auto count = static_cast<std::size_t>(uniform(0, 2) != 0 || most < 2 ? 1 : uniform(2, most));
      count == 1 ? text.append(leaves.front()) : append(leaves.first(count), text);
      leaves = leaves.subspan(count);
    }
    text.append(")", ")");
  }

  /// Leaves in random order, each stride up to `gap` times the size * stride of the one before.
  Leaves spread(std::int64_t maximum_rank, const std::vector<std::int64_t>& sizes, std::int64_t gap) {
    Leaves leaves(static_cast<std::size_t>(uniform(1, maximum_rank)));
    std::int64_t stride = uniform(1, gap);
    for (Leaf& leaf : leaves) {
      leaf = {one_of(sizes), stride};
      stride *= leaf.size * uniform(1, gap);
    }
    std::shuffle(leaves.begin(), leaves.end(), random_);
    return leaves;
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
