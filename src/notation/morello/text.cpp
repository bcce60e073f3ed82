#include <string>

#include "relayout/morello.hpp"
#include "src/notation/text/cursor.hpp"

namespace relayout::morello {
namespace {

using notation::Cursor;

/// `p(4)`, `oe(8)`, or nothing for Dynamic.
Result<PhysicalDimension> parse_kind(Cursor& cursor, int logical) {
  if (cursor.peek() != 'p' && cursor.peek() != 'o') return PhysicalDimension::dynamic(logical);
  const std::size_t position = cursor.position();
  const std::string_view word = cursor.letters();
  if (word != "p" && word != "oe") {
    return Error{ErrorCode::kSyntax, "expected 'p' or 'oe' at position " + std::to_string(position) +
                                         ", found '" + std::string(word) + "'"};
  }
  if (!cursor.take('(')) return cursor.expected("'('");
  const auto size = cursor.integer("a size");
  if (!size) return size.error();
  if (!cursor.take(')')) return cursor.expected("')'");
  return word == "p" ? PhysicalDimension::packed(logical, *size)
                     : PhysicalDimension::odd_even(logical, *size);
}

Result<PhysicalDimension> parse_dimension(Cursor& cursor) {
  const auto logical = cursor.integer("a logical dimension");
  if (!logical) return logical.error();
  if (*logical > INT32_MAX) {
    return Error{ErrorCode::kOverflow, "logical dimension " + std::to_string(*logical) + " is too large"};
  }
  return parse_kind(cursor, static_cast<int>(*logical));
}

}  // namespace

std::string to_string(std::span<const PhysicalDimension> dimensions) {
  std::string text = "[";
  for (const PhysicalDimension& dimension : dimensions) {
    if (text.size() > 1) text += ", ";
    text += std::to_string(dimension.logical_dimension);
    if (dimension.kind == DimensionKind::kPacked) text += " p(" + std::to_string(dimension.size) + ")";
    if (dimension.kind == DimensionKind::kOddEven) text += " oe(" + std::to_string(dimension.size) + ")";
  }
  return text + "]";
}

Result<PhysicalDimensions> parse(std::string_view text) {
  Cursor cursor(text);
  const bool bracketed = cursor.take('[');
  PhysicalDimensions dimensions;
  const auto closed = [&] { return bracketed ? cursor.peek() == ']' : cursor.at_end(); };
  while (!closed()) {
    if (!dimensions.empty() && !cursor.take(',')) return cursor.expected(bracketed ? "',' or ']'" : "','");
    auto dimension = parse_dimension(cursor);
    if (!dimension) return dimension.error();
    dimensions.push_back(*dimension);
  }
  if (bracketed) cursor.take(']');
  if (!cursor.at_end()) return cursor.expected("the end");
  return dimensions;
}

}  // namespace relayout::morello
