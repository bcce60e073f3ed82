#include "src/notation/cute/arguments.hpp"

#include "src/notation/cute/arithmetic.hpp"
#include "src/notation/cute/modes.hpp"

namespace relayout::cute {
namespace {

Error expected(std::size_t i, std::string_view what) {
  return bad_argument("argument " + std::to_string(i + 1) + " should be " + std::string(what));
}

Result<Layout> compact_layout(const IntTuple& shape) {
  return with_marks(Layout::left(shape), is_static(shape));
}

/// The tiler of a tuple, each element of which gives a mode.
template <class Elements, class TilerOf>
Result<Tiler> tuple_of_tilers(const Elements& elements, TilerOf tiler_of) {
  std::vector<Tiler> modes;
  for (const auto& element : elements) {
    auto mode = tiler_of(element);
    if (!mode) return mode;
    modes.push_back(std::move(*mode));
  }
  return Tiler::modes(std::move(modes));
}

/// As Tiler::of_shape, but every integer is its compact layout.
Result<Tiler> compact_tiler(const IntTuple& shape) {
  if (shape.is_underscore()) return Tiler::underscore();
  if (shape.is_tuple()) return tuple_of_tilers(shape.elements(), compact_tiler);
  auto layout = compact_layout(shape);
  if (!layout) return layout.error();
  return Tiler(std::move(*layout));
}

Result<Tiler> tiler_of(const Argument& argument, TilerIntegers integers) {
  if (const auto* list = std::get_if<ArgumentList>(&argument.content)) {
    return tuple_of_tilers(*list, [&](const Argument& element) { return tiler_of(element, integers); });
  }
  const auto* value = std::get_if<Value>(&argument.content);
  if (const auto* layout = value == nullptr ? nullptr : std::get_if<Layout>(value)) return Tiler(*layout);
  if (const auto* shape = value == nullptr ? nullptr : std::get_if<IntTuple>(value)) {
    return integers == TilerIntegers::kCompact ? compact_tiler(*shape) : Tiler::of_shape(*shape);
  }
  return bad_argument("a tiler is made of layouts, tuples and _");
}

}  // namespace

bool Arguments::has(std::size_t i) const {
  return i < list_.size() && !std::holds_alternative<std::monostate>(list_[i].content);
}

template <class Kind>
bool Arguments::holds(std::size_t i) const {
  const auto* value = i < list_.size() ? std::get_if<Value>(&list_[i].content) : nullptr;
  return value != nullptr && std::holds_alternative<Kind>(*value);
}
template bool Arguments::holds<IntTuple>(std::size_t i) const;
template bool Arguments::holds<Layout>(std::size_t i) const;
template bool Arguments::holds<ComposedLayout>(std::size_t i) const;

template <class Kind>
Result<Kind> Arguments::value(std::size_t i, std::string_view what) const {
  if (!holds<Kind>(i)) return expected(i, what);
  return std::get<Kind>(std::get<Value>(list_[i].content));
}

Result<IntTuple> Arguments::tuple(std::size_t i) const {
  return value<IntTuple>(i, "a tuple or an integer");
}

Result<std::int64_t> Arguments::integer(std::size_t i) const {
  const auto tuple = value<IntTuple>(i, "an integer");
  if (!tuple) return tuple.error();
  if (!tuple->is_integer()) return expected(i, "an integer");
  return tuple->value();
}

Result<std::vector<std::int64_t>> Arguments::integers(std::size_t first) const {
  std::vector<std::int64_t> numbers;
  for (std::size_t i = first; i < list_.size(); ++i) {
    if (!has(i)) continue;
    const auto number = integer(i);
    if (!number) return number.error();
    numbers.push_back(*number);
  }
  return numbers;
}

Result<Layout> Arguments::layout(std::size_t i) const {
  if (holds<IntTuple>(i)) return compact_layout(*tuple(i));
  return value<Layout>(i, "a layout");
}

Result<AnyLayout> Arguments::any_layout(std::size_t i) const {
  if (holds<ComposedLayout>(i)) return AnyLayout(*value<ComposedLayout>(i, ""));
  auto plain = layout(i);
  if (!plain) return plain.error();
  return AnyLayout(std::move(*plain));
}

Result<std::vector<Layout>> Arguments::layouts() const {
  const bool one_list = list_.size() == 1 && std::holds_alternative<ArgumentList>(list_[0].content);
  const ArgumentList& list = one_list ? std::get<ArgumentList>(list_[0].content) : list_;
  std::vector<Layout> layouts;
  for (std::size_t i = 0; i < list.size(); ++i) {
    auto layout = Arguments(list).layout(i);
    if (!layout) return layout.error();
    layouts.push_back(std::move(*layout));
  }
  return layouts;
}

bool Arguments::is_swizzle(std::size_t i) const {
  return holds<Swizzle>(i) ||
         (i < list_.size() && std::holds_alternative<ArgumentList>(list_[i].content) && swizzle(i).ok());
}

Result<Swizzle> Arguments::swizzle(std::size_t i) const {
  const auto* list = i < list_.size() ? std::get_if<ArgumentList>(&list_[i].content) : nullptr;
  if (list == nullptr) return value<Swizzle>(i, "a swizzle");
  const auto numbers = Arguments(*list).integers(0);
  if (!numbers) return numbers.error();
  if (numbers->size() != 3) return expected(i, "a swizzle's three numbers");
  return Swizzle::make((*numbers)[0], (*numbers)[1], (*numbers)[2]);
}

Result<Tiler> Arguments::tiler(std::size_t i, TilerIntegers integers) const {
  if (!has(i)) return expected(i, "a tiler");
  return tiler_of(list_[i], integers);
}

Result<IntTuple> Arguments::shape(std::size_t i) const {
  if (holds<Layout>(i)) return std::get<Layout>(std::get<Value>(list_[i].content)).shape();
  if (holds<ComposedLayout>(i)) return std::get<ComposedLayout>(std::get<Value>(list_[i].content)).shape();
  return value<IntTuple>(i, "a tuple or a layout");
}

bool Arguments::is_direction(std::size_t i) const {
  return i < list_.size() && std::holds_alternative<Direction>(list_[i].content);
}

}  // namespace relayout::cute
