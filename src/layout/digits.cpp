#include <algorithm>

#include "src/layout/layout_data.hpp"

namespace relayout::layout {

std::vector<Digit> merged_digits(std::vector<Digit> digits) {
  std::erase_if(digits, [](const Digit& digit) { return digit.extent == 1; });
  std::sort(digits.begin(), digits.end(), [](const Digit& a, const Digit& b) {
    return a.dimension != b.dimension ? a.dimension < b.dimension : a.place < b.place;
  });
  std::vector<Digit> merged;
  for (const Digit& digit : digits) {
    if (!merged.empty()) {
      // stride * ((x // v) % p) + stride * p * ((x // (v p)) % q) == stride * ((x // v) % (p q))
      Digit& inner = merged.back();
      if (inner.dimension == digit.dimension && digit.place == inner.place * inner.extent &&
          digit.stride == inner.stride * inner.extent) {
        inner.extent *= digit.extent;
        continue;
      }
    }
    merged.push_back(digit);
  }
  std::sort(merged.begin(), merged.end(), [](const Digit& a, const Digit& b) { return a.stride > b.stride; });
  return merged;
}

}  // namespace relayout::layout
