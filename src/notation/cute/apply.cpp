// CuTe's layouts as layouts of arrays. A leaf s:e of a top-level mode adds e * ((x // v) % s),
// where x is the index along that dimension and v the product of the leaf sizes before it.

#include "src/notation/cute/apply.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "relayout/cute/bridge.hpp"
#include "relayout/cute/text.hpp"
#include "src/layout/layout_data.hpp"
#include "src/notation/cute/modes.hpp"

namespace relayout {
namespace cute {
namespace {

using expr::IndexExpr;
using layout::Digit;

/// The digits of one logical dimension, the fastest first. Modes of size 1 have none.
std::vector<Digit> digits_of(const Layout& mode, int dimension) {
  std::vector<Digit> digits;
  std::int64_t place = 1;
  for (const Mode& leaf : modes_of(mode)) {
    if (leaf.size > 1) digits.push_back({dimension, place, leaf.size, leaf.stride});
    place *= leaf.size;
  }
  return digits;
}

IndexExpr term_of(const Digit& digit, const IndexExpr& index, std::int64_t extent) {
  IndexExpr value = digit.place > 1 ? floor_div(index, digit.place) : index;
  if (digit.place * digit.extent != extent) value = floor_mod(value, digit.extent);
  return digit.stride == 1 ? value : value * digit.stride;
}

/// Adds dimensions, digits and offsets; the offset of `lowest` becomes 0.
void add_map(layout::LayoutData& data, const Layout& layout, std::int64_t lowest) {
  const std::vector<Layout> modes = top_modes(layout);
  for (const Layout& mode : modes) data.shape.push_back(mode.size());
  const auto variables = layout::index_variables(data.shape);
  if (lowest != 0) data.raw = IndexExpr::constant(-lowest);
  for (std::size_t i = 0; i < modes.size(); ++i) {
    for (const Digit& digit : digits_of(modes[i], static_cast<int>(i))) {
      data.digits.push_back(digit);
      if (digit.stride == 0) continue;
      const IndexExpr term = term_of(digit, variables[i], data.shape[i]);
      data.raw = data.raw == IndexExpr() ? term : term + data.raw;
    }
  }
}

/// The extents of the buffer, slowest first, where the layout fills it densely; else one for the whole span.
Shape physical_shape_of(const layout::LayoutData& data) {
  const auto digits = layout::merged_digits(data.digits);
  Shape extents;
  std::int64_t expected = 1;
  for (std::size_t i = digits.size(); i-- > 0;) {
    if (digits[i].stride != expected) return {data.physical_elements};
    extents.push_back(digits[i].extent);
    expected *= digits[i].extent;
  }
  std::reverse(extents.begin(), extents.end());
  return extents.empty() ? Shape{data.physical_elements} : extents;
}

bool is_digit_or_mark(char character) {
  return (character >= '0' && character <= '9') || character == '_';
}

}  // namespace

bool starts_layout(std::string_view text) {
  if (text.starts_with("Sw")) return true;
  const std::size_t first = text.find_first_not_of("( \t");
  return first != std::string_view::npos && is_digit_or_mark(text[first]);
}

Result<relayout::Layout> parse_array(ElementType type, std::string_view text) {
  const auto parsed = parse(text);
  if (!parsed) {
    return Error{parsed.error().code, "layout '" + std::string(text) + "': " + parsed.error().message};
  }
  if (const auto* layout = std::get_if<Layout>(&*parsed)) return from_cute(type, *layout);
  const auto& composed = std::get<ComposedLayout>(*parsed);
  const std::string what =
      composed.swizzle() != nullptr ? "the swizzle " + to_string(*composed.swizzle()) : "a composition";
  return Error{ErrorCode::kUnsupported, "'" + to_string(composed) + "': " + what +
                                            " has no layout of an array; only shape:stride has"};
}

}  // namespace cute

Result<Layout> from_cute(ElementType type, const cute::Layout& layout) {
  const std::string name = std::string(type.name()) + " ";
  if (layout.cosize() > layout::kMaximumBytes / type.storage_bytes()) {
    return Error{ErrorCode::kOverflow, name + cute::to_string(layout) + " has more than 2^60 bytes"};
  }
  auto data = std::make_shared<layout::LayoutData>(type);
  data->element_count = layout.size();
  data->physical_elements = layout.cosize();
  data->span_bytes = layout.cosize() * type.storage_bytes();
  data->printed = name + cute::to_string(layout);
  data->canonical = name + to_string(unmarked(layout.shape())) + ':' + to_string(unmarked(layout.stride()));
  cute::add_map(*data, layout, layout.range().lowest);
  data->physical_shape = cute::physical_shape_of(*data);
  return Layout(std::shared_ptr<const layout::LayoutData>(std::move(data)));
}

}  // namespace relayout
