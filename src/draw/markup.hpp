#pragma once

#include <string>
#include <string_view>

namespace relayout::draw {

/// What a character is written as in content and attributes; empty for those that stand for themselves.
constexpr std::string_view entity_of(char character) {
  switch (character) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    default:
      return {};
  }
}

/// `text` for content and attributes. Here, so that the tool, which knows only the library's interface, has
/// it without a symbol of the library's.
inline std::string escaped(std::string_view text) {
  std::string result;
  for (const char character : text) {
    const std::string_view entity = entity_of(character);
    if (entity.empty())
      result += character;
    else
      result += entity;
  }
  return result;
}

}  // namespace relayout::draw
