// XLA's printing: attributes in the order of its parser, defaults left out, a note before every fifth member
// of a tuple.

#include <array>
#include <charconv>

#include "relayout/xla.hpp"

namespace relayout::xla {
namespace {

constexpr std::size_t kMembersPerNote = 5;
constexpr std::size_t kUsualTextBytes = 64;

void append_number(std::int64_t number, std::string& text) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  text.append(digits.data(), end);
}

void append_joined(std::span<const std::int64_t> numbers, std::string& text) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i != 0) text += ',';
    append_number(numbers[i], text);
  }
}

std::string joined(std::span<const std::int64_t> numbers) {
  std::string text;
  append_joined(numbers, text);
  return text;
}

std::string attribute(std::string_view name, std::int64_t value) {
  return std::string(name) + '(' + std::to_string(value) + ')';
}

void append_tiles(const std::vector<Tile>& tiles, std::string& text) {
  if (!tiles.empty()) text += 'T';
  for (const Tile& tile : tiles) {
    text += '(';
    for (std::size_t i = 0; i < tile.size(); ++i) {
      if (i != 0) text += ',';
      if (tile[i] == kCombine) {
        text += '*';
      } else {
        append_number(tile[i], text);
      }
    }
    text += ')';
  }
}

std::string splits_text(const std::vector<SplitConfig>& splits) {
  std::string text = splits.empty() ? "" : "SC";
  for (const SplitConfig& split : splits) {
    text += '(' + std::to_string(split.physical_dimension) + ':' + joined(split.split_points) + ')';
  }
  return text;
}

void append_attributes(const ArrayLayout& layout, std::string& text) {
  append_tiles(layout.tiles, text);
  if (layout.tail_padding_alignment != 1) text += attribute("L", layout.tail_padding_alignment);
  if (!layout.index_type.empty()) text += "#(" + layout.index_type + ')';
  if (!layout.pointer_type.empty()) text += "*(" + layout.pointer_type + ')';
  if (layout.element_bits != 0) text += attribute("E", layout.element_bits);
  if (layout.memory_space != 0) text += attribute("S", layout.memory_space);
  text += splits_text(layout.split_configs);
  if (layout.metadata_prefix_bytes > 0) text += attribute("M", layout.metadata_prefix_bytes);
  if (!layout.padded_dimensions.empty()) {
    text += "PAD(" + joined(layout.padded_dimensions) + ")=" + to_string(layout.padding_value);
  }
}

void append_dimensions(const ArrayShape& array, std::string& text) {
  for (std::size_t i = 0; i < array.dimensions.size(); ++i) {
    if (i != 0) text += ',';
    if (array.dimensions[i] == kUnbounded) {
      text += '?';
      continue;
    }
    if (i < array.dynamic.size() && array.dynamic[i]) text += "<=";
    append_number(array.dimensions[i], text);
  }
}

void append(const Shape& shape, std::string& text);

void append_tuple(const std::vector<Shape>& members, std::string& text) {
  text += '(';
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (i != 0) text += ", ";
    if (i != 0 && i % kMembersPerNote == 0) text += "/*index=" + std::to_string(i) + "*/";
    append(members[i], text);
  }
  text += ')';
}

void append(const Shape& shape, std::string& text) {
  switch (shape.kind) {
    case ShapeKind::kArray:
      if (shape.array) text += to_string(*shape.array);
      return;
    case ShapeKind::kTuple:
      return append_tuple(shape.members, text);
    case ShapeKind::kToken:
      text += "token[]";
      return;
    case ShapeKind::kOpaque:
      text += "opaque[]";
      return;
    case ShapeKind::kBuffer:
      text += "b(";
      if (!shape.members.empty()) append(shape.members.front(), text);
      text += ')';
      return;
  }
}

}  // namespace

std::string to_string(const ArrayShape& array) {
  std::string text;
  text.reserve(kUsualTextBytes);
  text += array.type.name();
  text += '[';
  append_dimensions(array, text);
  text += ']';
  const std::size_t order = text.size();
  text += '{';
  append_joined(array.layout.minor_to_major, text);
  text += ':';
  const std::size_t attributes = text.size();
  append_attributes(array.layout, text);
  const bool plain = text.size() == attributes;
  if (plain) text.pop_back();
  text += '}';
  if (plain && array.dimensions.empty()) text.resize(order);
  return text;
}

std::string to_string(const Shape& shape) {
  std::string text;
  append(shape, text);
  return text;
}

}  // namespace relayout::xla
