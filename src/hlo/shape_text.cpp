#include "src/hlo/shape_text.hpp"

#include <algorithm>
#include <optional>

namespace relayout::hlo {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// A layout starts with a number or with its attributes; any other brace is something else's.
bool is_at_layout(Scanner scanner) {
  return scanner.take("{") && (scanner.peek() == ':' || is_digit(scanner.peek()));
}

void append_without_blanks(std::string_view group, std::string& text) {
  Scanner scanner(group);
  while (!scanner.at_end()) {
    const std::string_view word = scanner.take_word();
    if (!word.empty()) {
      text += word;
    } else {
      const char c[] = {scanner.peek(), '\0'};
      scanner.take(std::string_view(c, 1));
      text.push_back(c[0]);
    }
  }
}

Status take_group_into(Scanner& scanner, std::string& text) {
  const auto group = scanner.take_group();
  if (!group) return group.error();
  append_without_blanks(*group, text);
  return {};
}

/// The list between brackets, cut at its own commas.
std::vector<std::string_view> list_items(std::string_view list) {
  std::vector<std::string_view> items;
  std::size_t first = 0;
  int depth = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const char c = list[i];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (c != ',' || depth != 0) continue;
    items.push_back(list.substr(first, i - first));
    first = i + 1;
  }
  if (!list.empty()) items.push_back(list.substr(first));
  return items;
}

void collect_leaves(std::string_view shape, const std::string& path, std::vector<ShapeLeaf>& found) {
  if (!is_tuple(shape)) {
    found.push_back({path, shape});
    return;
  }
  const auto elements = tuple_elements(shape);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    collect_leaves(elements[i], path + "#" + std::to_string(i), found);
  }
}

/// `f32[2,3]{1,0:T(8)}` in its parts.
struct ArrayParts {
  std::string_view type;
  std::vector<std::string_view> dimensions;
  std::vector<std::size_t> minor_to_major;
  std::string_view attributes;  ///< with the colon
};

std::optional<std::size_t> dimension_number(std::string_view text, std::size_t rank) {
  std::size_t number = 0;
  for (const char c : text) {
    if (!is_digit(c) || number >= rank) return std::nullopt;
    number = number * 10 + static_cast<std::size_t>(c - '0');
  }
  if (text.empty() || number >= rank) return std::nullopt;
  return number;
}

std::optional<ArrayParts> array_parts(std::string_view shape) {
  const std::size_t open = shape.find('[');
  const std::size_t close = shape.find(']');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return std::nullopt;
  ArrayParts parts{shape.substr(0, open), list_items(shape.substr(open + 1, close - open - 1)), {}, {}};
  const std::size_t rank = parts.dimensions.size();
  const std::string_view layout = shape.substr(close + 1);
  if (layout.size() < 2) {
    for (std::size_t i = rank; i-- > 0;) parts.minor_to_major.push_back(i);
    return parts;
  }
  const std::string_view inside = layout.substr(1, layout.size() - 2);
  const std::size_t colon = std::min(inside.find(':'), inside.size());
  parts.attributes = inside.substr(colon);
  for (const std::string_view item : list_items(inside.substr(0, colon))) {
    const auto number = dimension_number(item, rank);
    if (!number) return std::nullopt;
    parts.minor_to_major.push_back(*number);
  }
  return parts;
}

bool is_permutation_of(std::span<const std::int64_t> permutation, std::size_t rank) {
  std::vector<bool> seen(rank, false);
  for (const std::int64_t dimension : permutation) {
    if (dimension < 0 || dimension >= static_cast<std::int64_t>(rank)) return false;
    seen[static_cast<std::size_t>(dimension)] = true;
  }
  return permutation.size() == rank && std::all_of(seen.begin(), seen.end(), [](bool one) { return one; });
}

}  // namespace

bool is_at_shape(const Scanner& scanner) {
  Scanner ahead = scanner;
  if (ahead.peek() == '(') return true;
  const std::string_view word = ahead.take_word();
  if (word.empty()) return false;
  return ahead.peek() == '[' || (word == "b" && ahead.peek() == '(');
}

Result<std::string> take_shape(Scanner& scanner) {
  if (!is_at_shape(scanner)) return scanner.error("a shape");
  std::string text(scanner.take_word());
  const bool is_array = scanner.peek() == '[';
  if (const Status taken = take_group_into(scanner, text); !taken) return taken.error();
  if (is_array && is_at_layout(scanner)) {
    if (const Status taken = take_group_into(scanner, text); !taken) return taken.error();
  }
  return text;
}

Result<std::vector<std::string>> take_shape_list(Scanner& scanner) {
  const auto group = scanner.take_group();
  if (!group) return group.error();
  Scanner inside = scanner.inside(*group);
  std::vector<std::string> shapes;
  if (inside.at_end()) return shapes;
  do {
    auto shape = take_shape(inside);
    if (!shape) return shape.error();
    shapes.push_back(std::move(*shape));
  } while (inside.take(","));
  if (!inside.at_end()) return inside.error("',' or ')'");
  return shapes;
}

bool is_tuple(std::string_view shape) {
  return shape.starts_with('(');
}

std::vector<std::string_view> tuple_elements(std::string_view shape) {
  if (!is_tuple(shape)) return {};
  return list_items(shape.substr(1, shape.size() - 2));
}

std::string_view tuple_part(std::string_view shape, std::span<const std::int64_t> index) {
  for (const std::int64_t step : index) {
    const auto elements = tuple_elements(shape);
    if (step < 0 || step >= static_cast<std::int64_t>(elements.size())) return {};
    shape = elements[static_cast<std::size_t>(step)];
  }
  return shape;
}

std::vector<ShapeLeaf> leaves(std::string_view shape) {
  std::vector<ShapeLeaf> found;
  collect_leaves(shape, {}, found);
  return found;
}

std::string transposed_shape(std::string_view shape, std::span<const std::int64_t> permutation) {
  const auto parts = array_parts(shape);
  if (!parts || !is_permutation_of(permutation, parts->dimensions.size())) return {};
  std::string dimensions;
  for (const std::int64_t source : permutation) {
    dimensions += dimensions.empty() ? "" : ",";
    dimensions += parts->dimensions[static_cast<std::size_t>(source)];
  }
  std::string order;
  for (const std::size_t source : parts->minor_to_major) {
    const auto found = std::find(permutation.begin(), permutation.end(), static_cast<std::int64_t>(source));
    order += (order.empty() ? "" : ",") + std::to_string(found - permutation.begin());
  }
  return std::string(parts->type) + "[" + dimensions + "]{" + order + std::string(parts->attributes) + "}";
}

}  // namespace relayout::hlo
