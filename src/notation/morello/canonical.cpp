#include <algorithm>

#include "src/layout/layout_data.hpp"
#include "src/notation/morello/apply.hpp"

namespace relayout::morello {
namespace {

using layout::Digit;

/// OddEven(s) is two neighbours in memory with their place values exchanged: x % 2 outside (x // 2) % (s /
/// 2).
bool is_odd_even(const Digit& outer, const Digit& inner) {
  return outer.dimension == inner.dimension && outer.extent == 2 && inner.place == 2 * outer.place &&
         outer.stride == inner.stride * inner.extent;
}

bool is_top_digit(const std::vector<Digit>& digits, const Digit& digit) {
  return std::none_of(digits.begin(), digits.end(), [&](const Digit& other) {
    return other.dimension == digit.dimension && other.place > digit.place;
  });
}

}  // namespace

PhysicalDimensions canonical(const layout::LayoutData& layout) {
  if (layout.element_count == 0) return row_major(static_cast<int>(layout.shape.size()));
  const std::vector<Digit> digits = layout::merged_digits(layout.digits);
  PhysicalDimensions dimensions;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const Digit& digit = digits[i];
    if (i + 1 < digits.size() && is_odd_even(digit, digits[i + 1])) {
      dimensions.push_back(PhysicalDimension::odd_even(digit.dimension, 2 * digits[i + 1].extent));
      ++i;
    } else if (is_top_digit(digits, digit)) {
      dimensions.push_back(PhysicalDimension::dynamic(digit.dimension));
    } else {
      dimensions.push_back(PhysicalDimension::packed(digit.dimension, digit.extent));
    }
  }
  return dimensions;
}

}  // namespace relayout::morello
