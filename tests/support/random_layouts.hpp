#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "relayout/layout.hpp"

namespace relayout::testing {

/// An endless stream of random pairs of layouts in Morello's notation on one random type and shape: ranks 1
/// to 4, shuffled dimensions, up to three levels of packs and odd-even strips on both sides. The same seed
/// gives the same stream.
class RandomLayoutPairs {
 public:
  explicit RandomLayoutPairs(std::uint64_t seed, std::int64_t maximum_elements = 4096)
      : random_(seed), maximum_elements_(maximum_elements) {}

  struct Pair {
    Layout source;
    Layout destination;
    std::string name() const { return source.to_string() + " to " + destination.to_string(); }
  };
  Pair next();

 private:
  std::int64_t uniform(std::int64_t lowest, std::int64_t highest);
  Shape shape();
  Layout layout(const ElementType& type, const Shape& shape);
  morello::PhysicalDimensions dimensions(const Shape& shape);

  std::mt19937_64 random_;
  std::int64_t maximum_elements_;
};

}  // namespace relayout::testing
