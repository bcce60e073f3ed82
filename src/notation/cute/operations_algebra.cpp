// The calculator's operations of the algebra proper.

#include "src/notation/cute/arguments.hpp"
#include "src/notation/cute/arithmetic.hpp"
#include "src/notation/cute/modes.hpp"

namespace relayout::cute {
namespace {

using OfLayout = Result<Layout> (*)(const Layout&);
using OfProfile = Result<Layout> (*)(const Layout&, const IntTuple&);
using OfTiler = Result<Layout> (*)(const Layout&, const Tiler&);
using OfLayouts = Result<Layout> (*)(const Layout&, const Layout&);

template <OfLayout operation>
Result<Value> apply_unary(const Arguments& arguments) {
  return with([](const Layout& layout) { return value_of(operation(layout)); }, arguments.layout(0));
}

template <OfLayout whole, OfProfile by_profile>
Result<Value> apply_profiled(const Arguments& arguments) {
  if (!arguments.has(1)) {
    return with([](const AnyLayout& any) { return changed(any, whole); }, arguments.any_layout(0));
  }
  return with(
      [](const AnyLayout& any, const IntTuple& profile) {
        return changed(any, [&](const Layout& layout) { return by_profile(layout, profile); });
      },
      arguments.any_layout(0), arguments.shape(1));
}

template <OfTiler operation, TilerIntegers integers = TilerIntegers::kCompact>
Result<Value> apply_tiler(const Arguments& arguments) {
  return with(
      [](const AnyLayout& any, const Tiler& tiler) {
        return changed(any, [&](const Layout& layout) { return operation(layout, tiler); });
      },
      arguments.any_layout(0), arguments.tiler(1, integers));
}

template <OfLayouts operation>
Result<Value> apply_binary(const Arguments& arguments) {
  return with(
      [](const AnyLayout& any, const Layout& other) {
        return changed(any, [&](const Layout& layout) { return operation(layout, other); });
      },
      arguments.any_layout(0), arguments.layout(1));
}

Result<Value> swizzled_layout(const Swizzle& swizzle, const Layout& layout) {
  const IntTuple zero = is_static(layout) ? IntTuple::static_integer(0) : IntTuple(0);
  return value_of(ComposedLayout::make(swizzle, zero, layout));
}

Result<Value> apply_swizzled_layout(const Arguments& arguments) {
  return with(swizzled_layout, arguments.swizzle(0), arguments.layout(1));
}

Result<Value> apply_composition(const Arguments& arguments) {
  if (arguments.is_swizzle(0)) return apply_swizzled_layout(arguments);
  return apply_tiler<static_cast<OfTiler>(composition), TilerIntegers::kUnitStride>(arguments);
}

Result<Value> apply_composed_layout(const Arguments& arguments) {
  const auto compose = [&](ComposedLayout::Outer outer) {
    return with([&](const IntTuple& offset,
                    const Layout& inner) { return value_of(ComposedLayout::make(outer, offset, inner)); },
                arguments.tuple(1), arguments.layout(2));
  };
  if (arguments.is_swizzle(0)) return with(compose, arguments.swizzle(0));
  return with(compose, arguments.layout(0));
}

Result<Value> apply_complement(const Arguments& arguments) {
  if (!arguments.has(1)) return apply_unary<static_cast<OfLayout>(complement)>(arguments);
  return with(
      [](const Layout& layout, const IntTuple& target) {
        return with([&](std::int64_t extent) { return value_of(complement(layout, extent)); }, size(target));
      },
      arguments.layout(0), arguments.shape(1));
}

Result<Value> apply_tile_to_shape(const Arguments& arguments) {
  return with(
      [&](const AnyLayout& block, const IntTuple& target) -> Result<Value> {
        if (!arguments.has(2) || (arguments.is_direction(2) && arguments.direction(2) == Direction::kLeft)) {
          return changed(block, [&](const Layout& layout) { return tile_to_shape(layout, target); });
        }
        std::vector<IntTuple> falling;
        for (std::int64_t i = rank(target); i-- > 0;) falling.emplace_back(i);
        return with(
            [&](const IntTuple& order) {
              return changed(block,
                             [&](const Layout& layout) { return tile_to_shape(layout, target, order); });
            },
            arguments.is_direction(2) ? Result<IntTuple>(IntTuple::tuple(falling)) : arguments.tuple(2));
      },
      arguments.any_layout(0), arguments.shape(1));
}

/// A layout, a swizzle, or all parts of a composed layout in other units.
template <bool larger>
Result<Value> recast(const Arguments& arguments) {
  const auto count = arguments.integer(1);
  if (!count) return count.error();
  const auto change = [&](const auto& what) {
    return larger ? upcast(what, *count) : downcast(what, *count);
  };
  if (arguments.is_swizzle(0)) return value_of(change(*arguments.swizzle(0)));
  if (!arguments.is_composed(0))
    return with([&](const Layout& l) { return value_of(change(l)); }, arguments.layout(0));
  const auto composed = std::get<ComposedLayout>(*arguments.any_layout(0));
  if (composed.swizzle() == nullptr) return bad_argument("only swizzled layouts can be recast");
  return with(
      [&](const Swizzle& swizzle, const Layout& inner) -> Result<Value> {
        const std::int64_t old_offset = composed.offset().value();
        std::int64_t offset = 0;
        if (larger && old_offset % *count != 0) return bad_argument("the offset is no multiple");
        if (!larger && __builtin_mul_overflow(old_offset, *count, &offset)) return overflow("the offset");
        return value_of(ComposedLayout::make(swizzle, larger ? old_offset / *count : offset, inner));
      },
      change(*composed.swizzle()), change(composed.inner()));
}

Result<Value> apply_recast_layout(const Arguments& arguments) {
  return with([](const Layout& layout, std::int64_t new_bits,
                 std::int64_t old_bits) { return value_of(recast_layout(layout, new_bits, old_bits)); },
              arguments.layout(0), arguments.integer(1), arguments.integer(2));
}

Result<Value> apply_max_common_vector(const Arguments& arguments) {
  return with(
      [](const Layout& a, const Layout& b) {
        return with([](std::int64_t count) { return Result<Value>(IntTuple(count)); },
                    max_common_vector(a, b));
      },
      arguments.layout(0), arguments.layout(1));
}

Result<Value> apply_domain_distribute(const Arguments& arguments) {
  return with(
      [](const IntTuple& shape, std::int64_t count) { return value_of(domain_distribute(shape, count)); },
      arguments.shape(0), arguments.integer(1));
}

}  // namespace

std::vector<CalculatorOperation> algebra_operations() {
  return {{"coalesce", 1, 2, apply_profiled<coalesce, coalesce>},
          {"filter", 1, 2, apply_profiled<filter, filter>},
          {"composition", 2, 2, apply_composition},
          {"complement", 1, 2, apply_complement},
          {"right_inverse", 1, 1, apply_unary<right_inverse>},
          {"left_inverse", 1, 1, apply_unary<left_inverse>},
          {"nullspace", 1, 1, apply_unary<nullspace>},
          {"logical_divide", 2, 2, apply_tiler<logical_divide>},
          {"zipped_divide", 2, 2, apply_tiler<zipped_divide>},
          {"tiled_divide", 2, 2, apply_tiler<tiled_divide>},
          {"flat_divide", 2, 2, apply_tiler<flat_divide>},
          {"logical_product", 2, 2, apply_tiler<logical_product>},
          {"zipped_product", 2, 2, apply_tiler<zipped_product>},
          {"tiled_product", 2, 2, apply_tiler<tiled_product>},
          {"flat_product", 2, 2, apply_tiler<flat_product>},
          {"blocked_product", 2, 2, apply_binary<blocked_product>},
          {"raked_product", 2, 2, apply_binary<raked_product>},
          {"tile_to_shape", 2, 3, apply_tile_to_shape},
          {"upcast", 2, 2, recast<true>},
          {"downcast", 2, 2, recast<false>},
          {"recast_layout", 3, 3, apply_recast_layout},
          {"max_common_layout", 2, 2, apply_binary<max_common_layout>},
          {"max_common_vector", 2, 2, apply_max_common_vector},
          {"domain_distribute", 2, 2, apply_domain_distribute},
          {"swizzled_layout", 2, 2, apply_swizzled_layout},
          {"composed_layout", 3, 3, apply_composed_layout}};
}

}  // namespace relayout::cute
