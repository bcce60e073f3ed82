// CuTe's layouts as layouts of arrays. A leaf s:e of a top-level mode adds e * ((x // v) % s),
// where x is the index along that dimension and v the product of the leaf sizes before it. Sw<B,M,S> of y is
// y ^ (y // 2^(M + S) % 2^B * 2^M); with a negative S it is y ^ (y // 2^M % 2^B * 2^(M - S)).

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

/// Adds dimensions, digits and offsets, plus `offset`.
void add_map(layout::LayoutData& data, const Layout& layout, std::int64_t offset) {
  const std::vector<Layout> modes = top_modes(layout);
  for (const Layout& mode : modes) data.shape.push_back(mode.size());
  const auto variables = layout::index_variables(data.shape);
  if (offset != 0) data.raw = IndexExpr::constant(offset);
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

IndexExpr swizzled(const IndexExpr& offset, const Swizzle& swizzle) {
  if (swizzle.bits() == 0) return offset;
  const std::int64_t from = std::int64_t{1} << (swizzle.base() + std::max(0, swizzle.shift()));
  const std::int64_t to = std::int64_t{1} << (swizzle.base() + std::max(0, -swizzle.shift()));
  const IndexExpr field = floor_mod(floor_div(offset, from), std::int64_t{1} << swizzle.bits());
  return offset ^ (field * to);
}

/// The swizzled offset where the buffer begins at `lowest`.
expr::PermutedMap permuted(const IndexExpr& offset, const Swizzle& swizzle, std::int64_t lowest) {
  const IndexExpr start = IndexExpr::constant(lowest);
  const IndexExpr place = IndexExpr::variable(0, "x", {0, expr::Range::kNoUpper});
  if (lowest == 0) return {offset, swizzled(place, swizzle)};
  return {offset - start, swizzled(place + start, swizzle) - start};
}

/// The offset that the layout gives to an index that counts its elements; the last leaf's is not reduced.
IndexExpr applied(const Layout& layout, const IndexExpr& index) {
  IndexExpr sum;
  std::int64_t place = 1;
  const Modes modes = modes_of(layout);
  for (std::size_t i = 0; i < modes.size(); ++i) {
    IndexExpr value = place > 1 ? floor_div(index, place) : index;
    if (i + 1 < modes.size()) value = floor_mod(value, modes[i].size);
    if (modes[i].stride != 0) sum = i == 0 ? value * modes[i].stride : sum + value * modes[i].stride;
    place *= modes[i].size;
  }
  return sum;
}

/// Everything but the map. Marks of static integers are printed, but are not part of the canonical text.
Result<std::shared_ptr<layout::LayoutData>> array_of(ElementType type, const std::string& text,
                                                     std::int64_t elements, std::int64_t places) {
  auto data = std::make_shared<layout::LayoutData>(type);
  data->printed = std::string(type.name()) + " " + text;
  if (places > layout::kMaximumBytes / type.storage_bytes()) {
    return Error{ErrorCode::kOverflow, data->printed + " has more than 2^60 bytes"};
  }
  data->canonical = data->printed;
  std::erase(data->canonical, '_');  // nothing but the static mark has one
  data->element_count = elements;
  data->physical_elements = places;
  data->span_bytes = places * type.storage_bytes();
  return data;
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
  return std::visit([&](const auto& layout) { return from_cute(type, layout); }, *parsed);
}

}  // namespace cute

Result<Layout> from_cute(ElementType type, const cute::Layout& layout) {
  auto data = cute::array_of(type, cute::to_string(layout), layout.size(), layout.cosize());
  if (!data) return data.error();
  cute::add_map(**data, layout, -layout.range().lowest);
  (*data)->physical_shape = cute::physical_shape_of(**data);
  return Layout(std::shared_ptr<const layout::LayoutData>(*std::move(data)));
}

Result<Layout> from_cute(ElementType type, const cute::ComposedLayout& layout) {
  const std::string text = cute::to_string(layout);
  const cute::OffsetRange range = layout.range();
  const bool negative = layout.inner().range().lowest + layout.offset().value() < 0;
  if (layout.swizzle() == nullptr && negative) {
    return Error{ErrorCode::kUnsupported, "'" + text + "': negative indices into a layout"};
  }
  const std::int64_t lowest = std::min<std::int64_t>(range.lowest, 0);
  auto made = cute::array_of(type, text, layout.size(), range.highest + 1 - lowest);
  if (!made) return made.error();
  layout::LayoutData& data = **made;
  data.composed = text;
  cute::add_map(data, layout.inner(), layout.offset().value());
  data.digits.clear();
  data.physical_shape = {data.physical_elements};
  if (const cute::Swizzle* swizzle = layout.swizzle()) {
    data.obstacle_to_digits = "it is swizzled";
    data.permuted = cute::permuted(data.raw, *swizzle, lowest);
    data.raw = cute::swizzled(data.raw, *swizzle);
  } else {
    data.obstacle_to_digits = "it is a composition";
    data.raw = cute::applied(std::get<cute::Layout>(layout.outer()), data.raw);
  }
  if (lowest != 0) data.raw = data.raw + cute::IndexExpr::constant(-lowest);
  return Layout(std::shared_ptr<const layout::LayoutData>(*std::move(made)));
}

}  // namespace relayout
