// SPEC = TYPE '[' dims ']' [ layout ] | TYPE layout, the layout's first character telling its notation: '['
// is Morello's, '{' XLA's, behind the type CuTe's. Dynamic dimensions ('<=') and comments are XLA's too.

#include <string>

#include "relayout/layout.hpp"
#include "src/layout/memory_guard.hpp"
#include "src/notation/cute/apply.hpp"
#include "src/notation/text/cursor.hpp"
#include "src/notation/xla/lexer.hpp"

namespace relayout {
namespace {

using notation::Cursor;

Result<Shape> parse_shape(Cursor& cursor) {
  if (!cursor.take('[')) return cursor.expected("'[' and the shape");
  Shape shape;
  while (!cursor.take(']')) {
    if (!shape.empty() && !cursor.take(',')) return cursor.expected("',' or ']'");
    const auto extent = cursor.integer("an extent");
    if (!extent) return extent.error();
    shape.push_back(*extent);
  }
  return shape;
}

/// Positions in errors of a nested notation count from its own start; say so.
Error in_layout(const Error& error, std::string_view layout_text) {
  if (error.code != ErrorCode::kSyntax) return error;
  return Error{error.code, "layout '" + std::string(layout_text) + "': " + error.message};
}

Result<Layout> apply_layout(ElementType type, Shape shape, std::string_view text) {
  if (text.empty()) return Layout::row_major(type, std::move(shape));
  if (text.front() != '[') {
    return Error{ErrorCode::kSyntax,
                 "expected '[' and Morello's physical dimensions or '{' and XLA's layout, found '" +
                     std::string(text) + "'"};
  }
  auto dimensions = morello::parse(text);
  if (!dimensions) return in_layout(dimensions.error(), text);
  return Layout::from_morello(type, std::move(shape), std::move(*dimensions));
}

/// Whether the text is written in XLA's form: a '{' follows the dimensions, a bound stands in them, or a
/// tuple or buffer begins.
bool is_xla(std::string_view spec) {
  xla::Lexer lexer(spec);
  if (lexer.at_symbol('(') || lexer.at_word("b")) return true;
  if (lexer.current().kind != xla::TokenKind::kWord) return false;
  lexer.advance();
  if (!lexer.at_symbol('[')) return false;
  while (!lexer.at_symbol(']')) {
    if (lexer.current().kind == xla::TokenKind::kAtMost || lexer.at_symbol('?')) return true;
    if (lexer.current().kind == xla::TokenKind::kEnd) return false;
    lexer.advance();
  }
  lexer.advance();
  return lexer.at_symbol('{');
}

Result<Layout> parse_xla(std::string_view spec) {
  auto shape = xla::parse(spec);
  if (!shape) return shape.error();
  if (shape->kind != xla::ShapeKind::kArray) {
    return Error{ErrorCode::kUnsupported, "'" + xla::to_string(*shape) + "' is not an array"};
  }
  return Layout::from_xla(std::move(*shape->array));
}

}  // namespace

namespace {

Result<Layout> parse_spec(std::string_view spec) {
  if (is_xla(spec)) return parse_xla(spec);
  Cursor cursor(spec);
  const std::string_view name = cursor.word();
  if (name.empty()) return cursor.expected("an element type");
  auto type = ElementType::parse(name);
  if (!type) return type.error();
  if (cute::starts_layout(cursor.rest())) return cute::parse_array(*type, cursor.rest());
  auto shape = parse_shape(cursor);
  if (!shape) return shape.error();
  return apply_layout(*type, std::move(*shape), cursor.rest());
}

}  // namespace

Result<Layout> Layout::parse(std::string_view spec) {
  return layout::without_exceptions([&] { return parse_spec(spec); });
}

Result<Layout> Layout::parse_destination(std::string_view spec, const Layout& source) {
  return layout::without_exceptions([&]() -> Result<Layout> {
    Cursor cursor(spec);
    if (cursor.peek() == '[') return apply_layout(source.type(), source.shape(), cursor.rest());
    if (cute::starts_layout(cursor.rest())) return cute::parse_array(source.type(), cursor.rest());
    if (cursor.peek() != '{') return parse_spec(spec);
    auto array = xla::parse_layout(spec, source.type(), source.shape());
    if (!array) return array.error();
    return from_xla(std::move(*array));
  });
}

}  // namespace relayout
