#include "tests/support/random_layouts.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace relayout::testing {

std::int64_t RandomLayoutPairs::uniform(std::int64_t lowest, std::int64_t highest) {
  return std::uniform_int_distribution<std::int64_t>(lowest, highest)(random_);
}

Shape RandomLayoutPairs::shape() {
  constexpr std::array<std::int64_t, 24> kExtents = {1,  2,  3,  4,  5,  6,  8,  12, 15, 16,  17,  24,
                                                     31, 32, 33, 48, 60, 63, 64, 65, 96, 128, 130, 256};
  while (true) {
    Shape extents(static_cast<std::size_t>(uniform(1, 4)));
    for (std::int64_t& extent : extents) extent = kExtents[static_cast<std::size_t>(uniform(0, 23))];
    if (uniform(0, 99) == 0) extents[0] = 0;
    const auto count = std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
    if (count <= maximum_elements_) return extents;
  }
}

morello::PhysicalDimensions RandomLayoutPairs::dimensions(const Shape& shape) {
  morello::PhysicalDimensions result = morello::row_major(static_cast<int>(shape.size()));
  std::shuffle(result.begin(), result.end(), random_);
  for (std::int64_t packs = uniform(0, 3); packs > 0; --packs) {
    const int logical = static_cast<int>(uniform(0, static_cast<std::int64_t>(shape.size()) - 1));
    const std::int64_t size = uniform(2, 8);
    result.push_back(uniform(0, 3) == 0
                         ? morello::PhysicalDimension::odd_even(logical, size & ~std::int64_t{1})
                         : morello::PhysicalDimension::packed(logical, size));
  }
  return result;
}

Layout RandomLayoutPairs::layout(const ElementType& type, const Shape& shape) {
  while (true) {
    if (auto result = Layout::from_morello(type, shape, dimensions(shape))) return *result;
  }
}

RandomLayoutPairs::Pair RandomLayoutPairs::next() {
  constexpr std::array<const char*, 5> kTypes = {"u8", "bf16", "f32", "f64", "c128"};
  const ElementType type = *ElementType::parse(kTypes[static_cast<std::size_t>(uniform(0, 4))]);
  const Shape extents = shape();
  Layout source = layout(type, extents);
  return {std::move(source), layout(type, extents)};
}

}  // namespace relayout::testing
