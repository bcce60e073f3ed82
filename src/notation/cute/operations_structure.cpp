// The calculator's operations that take tuples and layouts apart and put them together.

#include "src/notation/cute/arguments.hpp"
#include "src/notation/cute/arithmetic.hpp"
#include "src/notation/cute/modes.hpp"

namespace relayout::cute {
namespace {

constexpr std::size_t kAnyNumber = 1 << 16;
constexpr std::int64_t kMaximumRank = 1024;

/// `change` of the first argument, be it a tuple or a layout.
template <class Change>
Result<Value> of_first(const Arguments& arguments, Change change) {
  if (arguments.is_tuple(0)) return value_of(Result<IntTuple>(change(*arguments.tuple(0))));
  return with([&](const AnyLayout& layout) { return changed(layout, change); }, arguments.any_layout(0));
}

/// The part of the first argument's shape that the others, a path, lead to.
Result<IntTuple> shape_at(const Arguments& arguments) {
  return with([](const IntTuple& shape, const auto& path) { return get(shape, path); }, arguments.shape(0),
              arguments.integers(1));
}

Result<Value> apply_rank(const Arguments& arguments) {
  return with([](const IntTuple& part) { return Result<Value>(IntTuple(rank(part))); }, shape_at(arguments));
}

Result<Value> apply_depth(const Arguments& arguments) {
  return with([](const IntTuple& part) { return Result<Value>(IntTuple(depth(part))); }, shape_at(arguments));
}

Result<Value> apply_size(const Arguments& arguments) {
  return with([](const IntTuple& part) { return value_of(size(part)); }, shape_at(arguments));
}

Result<Value> apply_shape(const Arguments& arguments) {
  return value_of(shape_at(arguments));
}

Result<Value> apply_stride(const Arguments& arguments) {
  return with([](const Layout& layout, const auto& path) { return value_of(get(layout.stride(), path)); },
              arguments.layout(0), arguments.integers(1));
}

Result<Value> apply_cosize(const Arguments& arguments) {
  return with(
      [&](const AnyLayout& layout, const auto& path) -> Result<Value> {
        const auto* composed = std::get_if<ComposedLayout>(&layout);
        const auto part = get(composed == nullptr ? std::get<Layout>(layout) : composed->inner(), path);
        if (!part) return part.error();
        return Value(IntTuple(part->cosize()));
      },
      arguments.any_layout(0), arguments.integers(1));
}

Result<Value> apply_get(const Arguments& arguments) {
  return with(
      [&](const auto& path) { return of_first(arguments, [&](const auto& x) { return get(x, path); }); },
      arguments.integers(1));
}

Result<Value> apply_flatten(const Arguments& arguments) {
  if (arguments.is_tuple(0)) return Value(flatten(*arguments.tuple(0)));
  return with(
      [](const AnyLayout& any) { return changed(any, [](const Layout& layout) { return flatten(layout); }); },
      arguments.any_layout(0));
}

using Extend = Result<Layout> (*)(const Layout&, const Layout&);
using ExtendTuple = IntTuple (*)(const IntTuple&, IntTuple);

/// `layout` extended by `mode` until it has `rank` modes.
Result<Value> extended_to(const Layout& layout, const Layout& mode, std::int64_t rank, Extend extend) {
  if (rank > kMaximumRank) return bad_argument("a rank of " + std::to_string(rank) + " is too large");
  Result<Layout> result = layout;
  while (result && result->rank() < rank) result = extend(*result, mode);
  return value_of(std::move(result));
}

/// By a mode; or, with a number behind it or in its place, by modes (1:0) up to that rank.
template <Extend extend, ExtendTuple extend_tuple>
Result<Value> apply_extend(const Arguments& arguments) {
  if (arguments.is_tuple(0) && arguments.is_tuple(1)) {
    return Value(extend_tuple(*arguments.tuple(0), *arguments.tuple(1)));
  }
  const auto layout = arguments.layout(0);
  if (!layout) return layout.error();
  if (const auto rank = arguments.integer(1); rank) {
    return extended_to(*layout, filler_of(*layout), *rank, extend);
  }
  const auto mode = arguments.has(1) ? arguments.layout(1) : Result<Layout>(filler_of(*layout));
  if (!mode) return mode.error();
  if (!arguments.has(2)) return value_of(extend(*layout, *mode));
  return with([&](std::int64_t rank) { return extended_to(*layout, *mode, rank, extend); },
              arguments.integer(2));
}

Result<Value> apply_replace(const Arguments& arguments) {
  const auto index = arguments.integer(2);
  if (!index) return index.error();
  if (arguments.is_tuple(0) && arguments.is_tuple(1)) {
    return value_of(replace(*arguments.tuple(0), *index, *arguments.tuple(1)));
  }
  return with(
      [&](const Layout& layout, const Layout& mode) { return value_of(replace(layout, *index, mode)); },
      arguments.layout(0), arguments.layout(1));
}

Result<Value> apply_select(const Arguments& arguments) {
  return with(
      [&](const auto& indices) {
        return of_first(arguments, [&](const auto& x) { return select(x, indices); });
      },
      arguments.integers(1));
}

Result<Value> apply_take(const Arguments& arguments) {
  return with(
      [&](std::int64_t begin, std::int64_t end) {
        return of_first(arguments, [&](const auto& x) { return take(x, begin, end); });
      },
      arguments.integer(1), arguments.integer(2));
}

Result<Value> apply_group(const Arguments& arguments) {
  return with(
      [&](std::int64_t begin, std::int64_t end) {
        return of_first(arguments, [&](const auto& x) { return group(x, begin, end); });
      },
      arguments.integer(1), arguments.integer(2));
}

Result<Value> apply_concat(const Arguments& arguments) {
  return with([](const auto& modes) { return value_of(make_layout(modes)); }, arguments.layouts());
}

Result<Value> apply_make_layout(const Arguments& arguments) {
  if (!arguments.is_tuple(0) || (arguments.has(1) && arguments.is_layout(1))) return apply_concat(arguments);
  const IntTuple shape = *arguments.tuple(0);
  if (arguments.is_tuple(1)) return value_of(Layout::make(shape, *arguments.tuple(1)));
  const bool right = arguments.is_direction(1) && arguments.direction(1) == Direction::kRight;
  if (arguments.has(1) && !arguments.is_direction(1)) {
    return bad_argument("argument 2 should be a stride, LayoutLeft or LayoutRight");
  }
  return value_of(with_marks(right ? Layout::right(shape) : Layout::left(shape), is_static(shape)));
}

Result<Value> apply_make_ordered_layout(const Arguments& arguments) {
  if (!arguments.has(1) || arguments.is_direction(1)) return apply_make_layout(arguments);
  return with([](const IntTuple& shape,
                 const IntTuple& order) { return value_of(make_ordered_layout(shape, order)); },
              arguments.tuple(0), arguments.tuple(1));
}

Result<Value> apply_make_layout_like(const Arguments& arguments) {
  return with([](const Layout& layout) { return value_of(make_layout_like(layout)); }, arguments.layout(0));
}

/// A slice of a composed layout starts where its fixed coordinates lead.
Result<Value> slice_composed(const IntTuple& coordinate, const ComposedLayout& composed) {
  return with(
      [&](const Layout& inner, std::int64_t start) -> Result<Value> {
        const auto offset = checked_add(composed.offset().value(), start);
        if (!offset) return overflow("the offset of the slice");
        return value_of(ComposedLayout::make(composed.outer(), IntTuple(*offset), inner));
      },
      slice(coordinate, composed.inner()), slice_offset(coordinate, composed.inner()));
}

/// Which argument is sliced: the first, or the second where the first is a coordinate, which is CuTe's order.
std::size_t sliced_argument(const Arguments& arguments) {
  return arguments.is_tuple(0) && !arguments.is_tuple(1) ? 1 : 0;
}

Result<Value> apply_slice(const Arguments& arguments) {
  const std::size_t whole = sliced_argument(arguments);
  return with(
      [](const AnyLayout& any, const IntTuple& coordinate) -> Result<Value> {
        if (const auto* layout = std::get_if<Layout>(&any)) return value_of(slice(coordinate, *layout));
        return slice_composed(coordinate, std::get<ComposedLayout>(any));
      },
      arguments.any_layout(whole), arguments.tuple(1 - whole));
}

Result<Value> apply_dice(const Arguments& arguments) {
  const std::size_t whole = sliced_argument(arguments);
  return with(
      [](const Layout& layout, const IntTuple& coordinate) { return value_of(dice(coordinate, layout)); },
      arguments.layout(whole), arguments.tuple(1 - whole));
}

/// A relation of two shapes.
template <bool relation(const IntTuple&, const IntTuple&)>
Result<Value> apply_relation(const Arguments& arguments) {
  return with([](const IntTuple& a, const IntTuple& b) { return Result<Value>(relation(a, b)); },
              arguments.shape(0), arguments.shape(1));
}

Result<Value> apply_idx2crd(const Arguments& arguments) {
  if (!arguments.has(2)) {
    return with([](const IntTuple& index, const IntTuple& shape) { return value_of(idx2crd(index, shape)); },
                arguments.tuple(0), arguments.shape(1));
  }
  return with([](const IntTuple& index, const IntTuple& shape,
                 const IntTuple& stride) { return value_of(idx2crd(index, shape, stride)); },
              arguments.tuple(0), arguments.tuple(1), arguments.tuple(2));
}

Result<Value> apply_crd2idx(const Arguments& arguments) {
  if (arguments.is_layout(1)) {
    return with(
        [](const IntTuple& coordinate, const Layout& layout) {
          return value_of(crd2idx(coordinate, layout.shape(), layout.stride()));
        },
        arguments.tuple(0), arguments.layout(1));
  }
  if (!arguments.has(2)) {
    return with([](const IntTuple& coordinate,
                   const IntTuple& shape) { return value_of(crd2idx(coordinate, shape)); },
                arguments.tuple(0), arguments.tuple(1));
  }
  return with([](const IntTuple& coordinate, const IntTuple& shape,
                 const IntTuple& stride) { return value_of(crd2idx(coordinate, shape, stride)); },
              arguments.tuple(0), arguments.tuple(1), arguments.tuple(2));
}

/// By a layout, the shape of what it leaves.
Result<Value> apply_ceil_div(const Arguments& arguments) {
  if (!arguments.is_layout(1)) {
    return with([](const IntTuple& a, const IntTuple& b) { return value_of(ceil_div(a, b)); },
                arguments.shape(0), arguments.tuple(1));
  }
  return with(
      [](const IntTuple& target, const Layout& tiler) -> Result<Value> {
        const auto extent = size(target);
        if (!extent) return extent.error();
        const auto rest = complement(tiler, *extent);
        return rest ? Result<Value>(rest->shape()) : Result<Value>(rest.error());
      },
      arguments.shape(0), arguments.layout(1));
}

Result<Value> apply_shape_div(const Arguments& arguments) {
  return with([](const IntTuple& a, const IntTuple& b) { return value_of(shape_div(a, b)); },
              arguments.tuple(0), arguments.tuple(1));
}

}  // namespace

std::vector<CalculatorOperation> structure_operations() {
  return {{"rank", 1, kAnyNumber, apply_rank},
          {"depth", 1, kAnyNumber, apply_depth},
          {"size", 1, kAnyNumber, apply_size},
          {"shape", 1, kAnyNumber, apply_shape},
          {"stride", 1, kAnyNumber, apply_stride},
          {"cosize", 1, kAnyNumber, apply_cosize},
          {"get", 1, kAnyNumber, apply_get},
          {"layout_get", 1, kAnyNumber, apply_get},
          {"flatten", 1, 1, apply_flatten},
          {"append", 1, 3, apply_extend<append, append>},
          {"prepend", 1, 3, apply_extend<prepend, prepend>},
          {"replace", 3, 3, apply_replace},
          {"select", 2, kAnyNumber, apply_select},
          {"take", 3, 3, apply_take},
          {"group", 3, 3, apply_group},
          {"concat", 1, kAnyNumber, apply_concat},
          {"make_layout", 1, kAnyNumber, apply_make_layout},
          {"make_ordered_layout", 1, 2, apply_make_ordered_layout},
          {"make_layout_like", 1, 1, apply_make_layout_like},
          {"slice", 2, 2, apply_slice},
          {"dice", 2, 2, apply_dice},
          {"congruent", 2, 2, apply_relation<congruent>},
          {"weakly_congruent", 2, 2, apply_relation<weakly_congruent>},
          {"compatible", 2, 2, apply_relation<compatible>},
          {"idx2crd", 2, 3, apply_idx2crd},
          {"crd2idx", 2, 3, apply_crd2idx},
          {"ceil_div", 2, 2, apply_ceil_div},
          {"shape_div", 2, 2, apply_shape_div}};
}

}  // namespace relayout::cute
