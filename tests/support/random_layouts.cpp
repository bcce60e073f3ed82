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

std::string RandomLayoutPairs::xla_tile(std::size_t rank, bool may_combine) {
  constexpr std::array<std::int64_t, 10> kTiles = {1, 2, 3, 4, 5, 8, 16, 2, 4, 128};
  std::string text = "(";
  const auto tile_rank = uniform(1, std::min<std::int64_t>(4, static_cast<std::int64_t>(rank) + 1));
  for (std::int64_t i = 0; i < tile_rank; ++i) {
    if (i > 0) text += ',';
    const bool combined = may_combine && i + 1 < tile_rank && uniform(0, 9) == 0;
    text += combined ? "*" : std::to_string(kTiles[static_cast<std::size_t>(uniform(0, 9))]);
  }
  return text + ")";
}

std::string RandomLayoutPairs::xla_layout(const ElementType& type, std::size_t rank) {
  std::vector<std::size_t> order(rank);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random_);
  std::string text = "{";
  for (std::size_t i = 0; i < rank; ++i) text += (i > 0 ? "," : "") + std::to_string(order[i]);
  const std::int64_t levels = uniform(0, 2);
  const bool packed = type.logical_bits() < 8 && type.name() != "pred" && uniform(0, 1) == 0;
  if (levels > 0 || packed) text += ':';
  if (levels > 0) text += "T" + xla_tile(rank, true);
  if (levels > 1) text += xla_tile(rank, false);
  if (packed) text += "E(" + std::to_string(type.logical_bits()) + ")";
  return text + "}";
}

/// One before every third layout, its fields among the low bits, where they meet tiles and runs.
std::string RandomLayoutPairs::random_swizzle() {
  if (uniform(0, 2) != 0) return "";
  const std::int64_t bits = uniform(0, 3);
  const std::int64_t shift = (bits + uniform(0, 2)) * (uniform(0, 3) == 0 ? -1 : 1);
  const std::int64_t offset = uniform(0, 3) == 0 ? uniform(1, 40) : 0;
  return "Sw<" + std::to_string(bits) + "," + std::to_string(uniform(0, 4)) + "," + std::to_string(shift) +
         "> o " + std::to_string(offset) + " o ";
}

std::string RandomLayoutPairs::cute_layout(const Shape& shape, bool may_alias) {
  struct Leaf {
    std::size_t dimension;
    std::int64_t size;
    std::int64_t stride = 0;
  };
  std::vector<Leaf> leaves;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::int64_t inner = uniform(1, 8);
    const bool split = shape[i] % inner == 0;
    leaves.push_back({i, split ? inner : 1});
    leaves.push_back({i, split ? shape[i] / inner : shape[i]});
  }
  std::vector<std::size_t> order(leaves.size());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random_);
  std::int64_t stride = 1;
  for (const std::size_t index : order) {
    leaves[index].stride = uniform(0, 7) == 0 ? -stride : stride;
    if (may_alias && uniform(0, 9) == 0) leaves[index].stride = 0;
    stride = stride * leaves[index].size + (uniform(0, 9) == 0 ? uniform(1, 3) : 0);
  }
  std::string sizes;
  std::string strides;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const char* const open = i == 0 ? "((" : i % 2 == 0 ? "),(" : ",";
    sizes += open + std::to_string(leaves[i].size);
    strides += open + std::to_string(leaves[i].stride);
  }
  return random_swizzle() + sizes + ")):" + strides + "))";
}

Layout RandomLayoutPairs::layout(const ElementType& type, const Shape& shape, bool may_alias) {
  constexpr std::int64_t kMaximumPhysicalBytes = 1 << 16;
  while (true) {
    const std::int64_t notation = uniform(0, 2);
    if (notation == 0) {
      if (auto result = Layout::from_morello(type, shape, dimensions(shape))) return *result;
      continue;
    }
    const Layout plain = *Layout::row_major(type, shape);
    const std::string text = notation == 1 ? xla_layout(type, shape.size()) : cute_layout(shape, may_alias);
    const auto result = Layout::parse_destination(text, plain);
    if (result && result->size_bytes() <= kMaximumPhysicalBytes) return *result;
  }
}

RandomLayoutPairs::Pair RandomLayoutPairs::next() {
  constexpr std::array<const char*, 7> kTypes = {"u8", "bf16", "f32", "f64", "c128", "s4", "u2"};
  const ElementType type = *ElementType::parse(kTypes[static_cast<std::size_t>(uniform(0, 6))]);
  const Shape extents = shape();
  Layout source = layout(type, extents, true);
  return {std::move(source), layout(type, extents, false)};
}

}  // namespace relayout::testing
