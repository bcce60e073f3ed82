// What a layout is called in another notation, where that can say it. All three go by the layout's digits.

#include "relayout/cute/bridge.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "src/layout/layout_data.hpp"
#include "src/layout/memory_guard.hpp"
#include "src/notation/cute/modes.hpp"
#include "src/notation/morello/apply.hpp"
#include "src/notation/xla/digit_tiles.hpp"

namespace relayout {
namespace {

using layout::Digit;

Error inexpressible(const Layout& layout, const char* what, const std::string& why) {
  return Error{ErrorCode::kUnsupported, layout.to_string() + " is no " + what + ": " + why};
}

std::string dimension_name(int dimension) {
  return "dimension " + std::to_string(dimension);
}

/// Why the map is no sum of digits of whole elements; empty if it is.
std::string obstacle_to_digits(const layout::LayoutData& data) {
  if (data.element_bits != data.type.storage_bits()) return "its elements are packed";
  return std::string(data.obstacle_to_digits);
}

/// Extent by which a dimension's digits differ from its own, if it is padded.
std::string obstacle_of_padding(const layout::LayoutData& data, const std::vector<Digit>& digits) {
  for (std::size_t i = 0; i < data.shape.size(); ++i) {
    std::int64_t size = 1;
    for (const Digit& digit : digits) {
      if (digit.dimension == static_cast<int>(i)) size *= digit.extent;
    }
    if (size == data.shape[i]) continue;
    return dimension_name(static_cast<int>(i)) + " of extent " + std::to_string(data.shape[i]) +
           " is padded to " + std::to_string(size);
  }
  return {};
}

/// Why the digits do not fill the buffer, each from where the one before ends; empty if they do.
std::string obstacle_to_filling(const layout::LayoutData& data, const std::vector<Digit>& digits) {
  for (const Digit& digit : digits) {
    if (digit.stride == 0) return dimension_name(digit.dimension) + " has stride 0";
    if (digit.stride < 0)
      return dimension_name(digit.dimension) + " has the negative stride " + std::to_string(digit.stride);
  }
  std::int64_t filled = 1;
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
    if (digit->stride != filled) {
      return dimension_name(digit->dimension) + " has stride " + std::to_string(digit->stride) +
             (digit->stride > filled ? ", which leaves gaps after " : ", which interleaves with ") +
             std::to_string(filled) + (filled == 1 ? " element" : " elements");
    }
    filled *= digit->extent;
  }
  return data.physical_elements == filled ? "" : "its buffer has padding";
}

/// Why neither Morello's notation nor XLA's without padding has the map; empty if they may.
std::string obstacle_to_a_full_buffer(const layout::LayoutData& data, const std::vector<Digit>& digits) {
  if (std::string why = obstacle_to_digits(data); !why.empty()) return why;
  if (data.element_count == 0) return data.physical_elements == 0 ? "" : "its buffer has padding";
  if (std::string why = obstacle_of_padding(data, digits); !why.empty()) return why;
  return obstacle_to_filling(data, digits);
}

/// The leaves of one dimension, the fastest first.
cute::Modes leaves_of(std::vector<Digit> merged, int dimension) {
  std::erase_if(merged, [&](const Digit& digit) { return digit.dimension != dimension; });
  std::sort(merged.begin(), merged.end(), [](const Digit& a, const Digit& b) { return a.place < b.place; });
  cute::Modes leaves;
  for (const Digit& digit : merged) leaves.push_back({digit.extent, digit.stride});
  if (leaves.empty()) leaves.push_back({1, 0});
  return leaves;
}

/// Why no shape:stride has the layout's map; empty if one may.
std::string obstacle_to_cute(const layout::LayoutData& data, const std::vector<Digit>& digits) {
  if (data.shape.empty()) return "it has no dimensions";
  if (data.element_count == 0) return "it has no elements, and sizes are positive";
  if (std::string why = obstacle_to_digits(data); !why.empty()) return why;
  return obstacle_of_padding(data, digits);
}

Result<cute::Layout> cute_layout(const Layout& layout) {
  const auto digits = layout::merged_digits(layout.data().digits);
  if (const std::string why = obstacle_to_cute(layout.data(), digits); !why.empty()) {
    return inexpressible(layout, "shape:stride of CuTe's", why);
  }
  std::vector<cute::IntTuple> shape;
  std::vector<cute::IntTuple> stride;
  for (int i = 0; i < layout.rank(); ++i) {
    cute::ShapeAndStride tuples = cute::tuples_of(leaves_of(digits, i));
    shape.push_back(std::move(tuples.shape));
    stride.push_back(std::move(tuples.stride));
  }
  const bool vector = shape.size() == 1 && shape.front().is_integer();
  auto result = vector ? cute::Layout::make(shape.front(), stride.front())
                       : cute::Layout::make(cute::IntTuple::tuple(shape), cute::IntTuple::tuple(stride));
  if (result && result->cosize() != layout.physical_elements()) {
    return inexpressible(layout, "shape:stride of CuTe's", "its buffer has padding");
  }
  return result;
}

/// Whether a digit lies outside one of the same dimension with a higher place, other than the two of an
/// odd-even strip.
bool is_out_of_order(const std::vector<Digit>& digits, std::size_t outer) {
  for (std::size_t inner = outer + 1; inner < digits.size(); ++inner) {
    if (digits[outer].dimension != digits[inner].dimension || digits[outer].place > digits[inner].place)
      continue;
    const bool strip =
        inner == outer + 1 && digits[outer].extent == 2 && digits[inner].place == 2 * digits[outer].place;
    if (!strip) return true;
  }
  return false;
}

Result<Layout> morello_layout(const Layout& layout) {
  const auto digits = layout::merged_digits(layout.data().digits);
  if (const std::string why = obstacle_to_a_full_buffer(layout.data(), digits); !why.empty()) {
    return inexpressible(layout, "layout of Morello's", why);
  }
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (!is_out_of_order(digits, i)) continue;
    return inexpressible(layout, "layout of Morello's",
                         "the tiles of " + dimension_name(digits[i].dimension) +
                             " are not in the order of their indices, nor odd-even strips");
  }
  auto result = Layout::from_morello(layout.type(), layout.shape(), morello::canonical(layout.data()));
  return result ? result : inexpressible(layout, "layout of Morello's", result.error().message);
}

Result<Layout> xla_layout(const Layout& layout) {
  if (layout.xla() != nullptr) return layout;
  const auto digits = layout::merged_digits(layout.data().digits);
  if (const std::string why = obstacle_to_a_full_buffer(layout.data(), digits); !why.empty()) {
    return inexpressible(layout, "layout of XLA's", why);
  }
  xla::ArrayShape array = xla::make_array(layout.type(), layout.shape());
  if (layout.element_count() != 0) {
    xla::DigitTiles tiles = xla::tiles_of(layout.shape(), digits);
    array.layout.minor_to_major = std::move(tiles.minor_to_major);
    array.layout.tiles = std::move(tiles.tiles);
  }
  return Layout::from_xla(std::move(array));
}

}  // namespace

Result<cute::Layout> to_cute(const Layout& layout) {
  return layout::without_exceptions([&] { return cute_layout(layout); });
}

Result<std::string> cute_text(const Layout& layout) {
  if (!layout.data().composed.empty()) return layout.data().composed;
  const auto plain = to_cute(layout);
  return plain ? Result<std::string>(cute::to_string(*plain)) : plain.error();
}

Result<Layout> to_morello(const Layout& layout) {
  return layout::without_exceptions([&] { return morello_layout(layout); });
}

Result<Layout> to_xla(const Layout& layout) {
  return layout::without_exceptions([&] { return xla_layout(layout); });
}

}  // namespace relayout
