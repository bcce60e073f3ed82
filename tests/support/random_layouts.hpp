#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "relayout/layout.hpp"

namespace relayout::testing {

/// An endless stream of random pairs of layouts on one random type and shape, in Morello's notation (shuffled
/// dimensions, up to three levels of packs and odd-even strips) or in XLA's (any order, up to two levels of
/// tiles of rank up to 4, dividing or not, combined dimensions, packed types), or in CuTe's (split and
/// shuffled modes with holes and negative strides, swizzles; strides of 0 in sources), mixed freely. The same
/// seed gives the same stream.
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
  Layout layout(const ElementType& type, const Shape& shape, bool may_alias);
  std::string cute_layout(const Shape& shape, bool may_alias);
  std::string random_swizzle();
  std::string xla_layout(const ElementType& type, std::size_t rank);
  std::string xla_tile(std::size_t rank, bool may_combine);
  morello::PhysicalDimensions dimensions(const Shape& shape);

  std::mt19937_64 random_;
  std::int64_t maximum_elements_;
};

}  // namespace relayout::testing
