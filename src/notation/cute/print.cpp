// CuTe's text of tuples, layouts, swizzles and composed layouts: no blanks but around the `o` of a
// composition.

#include "relayout/cute/swizzle.hpp"

namespace relayout::cute {
namespace {

void append_text(const IntTuple& tuple, std::string& text) {
  if (tuple.is_underscore()) {
    text += '_';
  } else if (tuple.is_integer()) {
    if (tuple.is_static()) text += '_';
    text += std::to_string(tuple.value());
  } else {
    text += '(';
    for (std::size_t i = 0; i < tuple.elements().size(); ++i) {
      if (i != 0) text += ',';
      append_text(tuple.elements()[i], text);
    }
    text += ')';
  }
}

}  // namespace

std::string to_string(const IntTuple& tuple) {
  std::string text;
  append_text(tuple, text);
  return text;
}

std::string to_string(const Layout& layout) {
  return to_string(layout.shape()) + ':' + to_string(layout.stride());
}

std::string to_string(const Swizzle& swizzle) {
  return "Sw<" + std::to_string(swizzle.bits()) + ',' + std::to_string(swizzle.base()) + ',' +
         std::to_string(swizzle.shift()) + '>';
}

std::string to_string(const ComposedLayout& layout) {
  const auto print = [](const auto& outer) { return to_string(outer); };
  return std::visit(print, layout.outer()) + " o " + to_string(layout.offset()) + " o " +
         to_string(layout.inner());
}

std::string to_string(const AnyLayout& layout) {
  return std::visit([](const auto& any) { return to_string(any); }, layout);
}

}  // namespace relayout::cute
