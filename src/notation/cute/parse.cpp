// CuTe's text. Tuples nest; the depth is bounded, so they are read by recursion.

#include "relayout/cute/text.hpp"
#include "src/layout/memory_guard.hpp"
#include "src/notation/cute/arithmetic.hpp"
#include "src/notation/cute/modes.hpp"
#include "src/notation/cute/reader.hpp"

namespace relayout::cute {
namespace {

/// Reads all of `text` with `read`. \error kSyntax if something is left
template <class Read>
auto read_all(std::string_view text, Read read) -> decltype(read(std::declval<notation::Cursor&>())) {
  return layout::without_exceptions([&]() -> decltype(read(std::declval<notation::Cursor&>())) {
    notation::Cursor cursor(text);
    auto result = read(cursor);
    if (result && !cursor.at_end()) return cursor.expected("the end");
    return result;
  });
}

Result<AnyLayout> read_any(notation::Cursor& cursor) {
  Reader reader(cursor);
  auto item = reader.read_item();
  if (!item) return item.error();
  if (reader.take_composition()) {
    auto composed = reader.read_composed(std::move(*item));
    if (!composed) return composed.error();
    return AnyLayout(std::move(*composed));
  }
  if (std::holds_alternative<Swizzle>(*item)) return cursor.expected("'o' and a layout");
  auto layout = layout_of_item(std::move(*item));
  if (!layout) return layout.error();
  return AnyLayout(std::move(*layout));
}

}  // namespace

Result<std::int64_t> Reader::read_signed(std::string_view what) {
  const bool negative = cursor_.take('-');
  const auto value = cursor_.integer(what);
  if (!value) return value;
  return negative ? -*value : *value;
}

Result<IntTuple> Reader::read_integer() {
  const bool marked = cursor_.take('_');
  const char next = cursor_.peek();
  if (marked && next != '-' && (next < '0' || next > '9')) return IntTuple::underscore();
  const auto value = read_signed("an integer, '_' or '('");
  if (!value) return value.error();
  return marked ? IntTuple::static_integer(*value) : IntTuple(*value);
}

Result<IntTuple> Reader::read_tuple_at(int depth) {
  if (cursor_.peek() != '(') return read_integer();
  if (depth == kMaximumDepth) return cursor_.expected("no more than 256 nested tuples");
  cursor_.take('(');
  std::vector<IntTuple> elements;
  do {
    auto element = read_tuple_at(depth + 1);
    if (!element) return element;
    elements.push_back(std::move(*element));
  } while (cursor_.take(','));
  if (!cursor_.take(')')) return cursor_.expected("',' or ')'");
  return IntTuple::tuple(std::move(elements));
}

bool Reader::at_swizzle() {
  notation::Cursor ahead = cursor_;
  const std::string_view name = ahead.word();
  return (name == "Sw" || name == "S") && ahead.peek() == '<';
}

Result<Swizzle> Reader::read_swizzle() {
  cursor_.word();
  std::int64_t numbers[3] = {};
  for (int i = 0; i < 3; ++i) {
    if (!cursor_.take(i == 0 ? '<' : ',')) return cursor_.expected("',' and three numbers in all");
    const auto number = read_signed("a number of bits");
    if (!number) return number.error();
    numbers[i] = *number;
  }
  if (!cursor_.take('>')) return cursor_.expected("'>'");
  return Swizzle::make(numbers[0], numbers[1], numbers[2]);
}

Result<Item> Reader::read_item() {
  if (at_swizzle()) {
    const auto swizzle = read_swizzle();
    if (!swizzle) return swizzle.error();
    return Item(*swizzle);
  }
  auto shape = read_tuple();
  if (!shape) return shape.error();
  if (!cursor_.take(':')) return Item(std::move(*shape));
  auto stride = read_tuple();
  if (!stride) return stride.error();
  auto layout = Layout::make(std::move(*shape), std::move(*stride));
  if (!layout) return layout.error();
  return Item(std::move(*layout));
}

bool Reader::take_composition() {
  notation::Cursor ahead = cursor_;
  if (ahead.letters() != "o") return false;
  return cursor_.take('o');
}

Result<Layout> layout_of_item(Item item) {
  if (auto* layout = std::get_if<Layout>(&item)) return std::move(*layout);
  const auto* shape = std::get_if<IntTuple>(&item);
  if (shape == nullptr) {
    return Error{ErrorCode::kSyntax, to_string(std::get<Swizzle>(item)) + " stands where a layout should"};
  }
  return with_marks(Layout::left(*shape), is_static(*shape));
}

Result<ComposedLayout> Reader::read_composed(Item outer) {
  auto inner = read_item();
  if (!inner) return inner.error();
  IntTuple offset(0);
  if (take_composition()) {
    const auto* integer = std::get_if<IntTuple>(&*inner);
    if (integer == nullptr || !integer->is_integer()) return cursor_.expected("an integer before this 'o'");
    offset = *integer;
    inner = read_item();
    if (!inner) return inner.error();
  }
  auto layout = layout_of_item(std::move(*inner));
  if (!layout) return layout.error();
  if (const auto* swizzle = std::get_if<Swizzle>(&outer)) {
    return ComposedLayout::make(*swizzle, std::move(offset), std::move(*layout));
  }
  auto outer_layout = layout_of_item(std::move(outer));
  if (!outer_layout) return outer_layout.error();
  return ComposedLayout::make(std::move(*outer_layout), std::move(offset), std::move(*layout));
}

Result<IntTuple> parse_int_tuple(std::string_view text) {
  return read_all(text, [](notation::Cursor& cursor) { return Reader(cursor).read_tuple(); });
}

Result<Layout> parse_layout(std::string_view text) {
  return read_all(text, [](notation::Cursor& cursor) -> Result<Layout> {
    auto item = Reader(cursor).read_item();
    if (!item) return item.error();
    return layout_of_item(std::move(*item));
  });
}

Result<Swizzle> parse_swizzle(std::string_view text) {
  return read_all(text, [](notation::Cursor& cursor) -> Result<Swizzle> {
    Reader reader(cursor);
    if (!reader.at_swizzle()) return cursor.expected("'Sw<'");
    const auto item = reader.read_item();
    if (!item) return item.error();
    return std::get<Swizzle>(*item);
  });
}

Result<AnyLayout> parse(std::string_view text) {
  return read_all(text, read_any);
}

}  // namespace relayout::cute
