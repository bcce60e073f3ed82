// SPEC = TYPE '[' dims ']' [ layout ], the layout's first character telling its notation.

#include <string>

#include "relayout/layout.hpp"
#include "src/notation/cursor.hpp"

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
                 "expected '[' and Morello's physical dimensions, found '" + std::string(text) + "'"};
  }
  auto dimensions = morello::parse(text);
  if (!dimensions) return in_layout(dimensions.error(), text);
  return Layout::from_morello(type, std::move(shape), std::move(*dimensions));
}

}  // namespace

Result<Layout> Layout::parse(std::string_view spec) {
  Cursor cursor(spec);
  const std::string_view name = cursor.word();
  if (name.empty()) return cursor.expected("an element type");
  auto type = ElementType::parse(name);
  if (!type) return type.error();
  auto shape = parse_shape(cursor);
  if (!shape) return shape.error();
  return apply_layout(*type, std::move(*shape), cursor.rest());
}

Result<Layout> Layout::parse_destination(std::string_view spec, const Layout& source) {
  Cursor cursor(spec);
  if (cursor.peek() != '[') return parse(spec);
  return apply_layout(source.type(), source.shape(), cursor.rest());
}

}  // namespace relayout
