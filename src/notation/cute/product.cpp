// A * B = (A, complement(A, |A| * cosize(B)) o B).

#include <algorithm>
#include <array>

#include "src/layout/memory_guard.hpp"
#include "src/notation/cute/arithmetic.hpp"
#include "src/notation/cute/modes.hpp"
#include "src/notation/cute/tiler.hpp"

namespace relayout::cute {
namespace {

Result<Layout> multiply(const Layout& block, const Layout& tiler) {
  std::int64_t extent = 0;
  if (__builtin_mul_overflow(block.size(), tiler.cosize(), &extent)) {
    return overflow("the extent of the product of " + to_string(block) + " and " + to_string(tiler));
  }
  const auto free = complement(block, extent);
  if (!free) return free;
  const auto repeats = composition(*free, tiler);
  if (!repeats) return repeats;
  return make_layout({block, *repeats});
}

Result<Layout> unpacked_product(const Layout& block, const Tiler& tiler, bool flat) {
  return layout::without_exceptions([&]() -> Result<Layout> {
    const auto zipped = zipped_product(block, tiler);
    if (!zipped) return zipped;
    return unpacked(*zipped, flat);
  });
}

/// The modes of a layout, filled up with 1:0.
Result<Layout> filled_up(const Layout& layout, std::int64_t rank) {
  if (layout.rank() == rank) return layout;
  std::vector<Layout> modes = top_modes(layout);
  modes.resize(static_cast<std::size_t>(rank), filler_of(layout));
  return make_layout(modes);
}

/// The product with both filled up to the same rank: its two modes.
Result<std::array<Layout, 2>> ranked_product(const Layout& block, const Layout& tiler) {
  const std::int64_t rank = std::max(block.rank(), tiler.rank());
  const auto filled_block = filled_up(block, rank);
  if (!filled_block) return filled_block.error();
  const auto filled_tiler = filled_up(tiler, rank);
  if (!filled_tiler) return filled_tiler.error();
  const auto product = multiply(*filled_block, *filled_tiler);
  if (!product) return product.error();
  return std::array<Layout, 2>{product->mode(0), product->mode(1)};
}

/// ((A0,B0),(A1,B1),..); integers give (A,B).
Result<Layout> zip(const Layout& a, const Layout& b) {
  if (!a.shape().is_tuple() && !b.shape().is_tuple()) return make_layout({a, b});
  std::vector<Layout> pairs;
  for (std::int64_t i = 0; i < a.rank(); ++i) {
    auto pair = make_layout({a.mode(i), b.mode(i)});
    if (!pair) return pair;
    pairs.push_back(std::move(*pair));
  }
  return make_layout(pairs);
}

/// Sizes of the modes of a shape.
Result<IntTuple> sizes_of(const IntTuple& shape) {
  std::vector<IntTuple> sizes;
  for (std::int64_t i = 0; i < rank(shape); ++i) {
    const auto elements = size(*get(shape, std::array{i}));
    if (!elements) return elements.error();
    if (*elements <= 0) return bad_argument("shape " + to_string(shape) + " has no elements");
    sizes.emplace_back(*elements);
  }
  return IntTuple::tuple(std::move(sizes));
}

/// How often a block fits into each mode of the target.
Result<IntTuple> repeats_of(const Layout& block, const IntTuple& target) {
  auto counts = sizes_of(target);
  if (!counts) return counts;
  const auto sizes = sizes_of(block.shape());
  if (!sizes) return sizes;
  std::vector<IntTuple> repeats;
  for (std::size_t i = 0; i < counts->elements().size(); ++i) {
    const std::int64_t whole = counts->elements()[i].value();
    const std::int64_t part = sizes->elements()[i].value();
    if (whole % part != 0) {
      return bad_argument("block " + to_string(block) + " does not divide mode " + std::to_string(i) +
                          " of the target " + to_string(target));
    }
    repeats.emplace_back(whole / part);
  }
  return IntTuple::tuple(std::move(repeats));
}

Result<Layout> tile(const Layout& block, const IntTuple& target, const IntTuple* order) {
  if (block.rank() > rank(target)) {
    return bad_argument("block " + to_string(block) + " has more modes than the target " + to_string(target));
  }
  const auto filled = filled_up(block, rank(target));
  if (!filled) return filled;
  const auto repeats = repeats_of(*filled, target);
  if (!repeats) return repeats.error();
  const auto tiler = order == nullptr ? Layout::left(*repeats) : make_ordered_layout(*repeats, *order);
  if (!tiler) return tiler;
  return with_marks(blocked_product(*filled, *tiler), is_static(block) && is_static(target));
}

}  // namespace

Result<Layout> logical_product(const Layout& block, const Tiler& tiler) {
  return layout::without_exceptions([&]() -> Result<Layout> {
    if (tiler.is_underscore()) return block;
    return tiler.is_layout() ? multiply(block, tiler.layout()) : each_mode(block, tiler, logical_product);
  });
}

Result<Layout> zipped_product(const Layout& block, const Tiler& tiler) {
  return layout::without_exceptions([&]() -> Result<Layout> {
    const auto product = logical_product(block, tiler);
    if (!product) return product;
    return zipped(*product, tiler);
  });
}

Result<Layout> tiled_product(const Layout& block, const Tiler& tiler) {
  return unpacked_product(block, tiler, false);
}

Result<Layout> flat_product(const Layout& block, const Tiler& tiler) {
  return unpacked_product(block, tiler, true);
}

Result<Layout> blocked_product(const Layout& block, const Layout& tiler) {
  return layout::without_exceptions([&]() -> Result<Layout> {
    const auto product = ranked_product(block, tiler);
    if (!product) return product.error();
    return zip((*product)[0], (*product)[1]);
  });
}

Result<Layout> raked_product(const Layout& block, const Layout& tiler) {
  return layout::without_exceptions([&]() -> Result<Layout> {
    const auto product = ranked_product(block, tiler);
    if (!product) return product.error();
    return zip((*product)[1], (*product)[0]);
  });
}

Result<Layout> tile_to_shape(const Layout& block, const IntTuple& target) {
  return layout::without_exceptions([&] { return tile(block, target, nullptr); });
}

Result<Layout> tile_to_shape(const Layout& block, const IntTuple& target, const IntTuple& order) {
  return layout::without_exceptions([&] { return tile(block, target, &order); });
}

}  // namespace relayout::cute
