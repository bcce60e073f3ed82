#include "src/expr/xor_range.hpp"

#include <algorithm>
#include <bit>

namespace relayout::expr {
namespace {

/// As many ones as bits, which are at most 63.
std::int64_t ones(int bits) {
  return static_cast<std::int64_t>((std::uint64_t{1} << bits) - 1);
}

/// The range with its low bits set free.
Range with_free_bits(Range range, int bits) {
  const std::int64_t mask = ones(bits);
  if (range.lower != Range::kNoLower) range.lower &= ~mask;
  if (range.upper != Range::kNoUpper) range.upper |= mask;
  return range;
}

/// Bits below the sign that both ends need.
int magnitude_bits(Range range) {
  const auto bits = [](std::int64_t end) {
    return std::bit_width(static_cast<std::uint64_t>(end < 0 ? ~end : end));
  };
  return std::max(bits(range.lower), bits(range.upper));
}

}  // namespace

Range intersection(Range a, Range b) noexcept {
  return {std::max(a.lower, b.lower), std::min(a.upper, b.upper)};
}

int bits_of(Range range) noexcept {
  const bool known = range.lower != Range::kNoLower && range.lower >= 0 && range.upper != Range::kNoUpper;
  return known ? std::bit_width(static_cast<std::uint64_t>(range.upper)) : -1;
}

Range xor_range(Range a, Range b) noexcept {
  Range result;
  if (a.bounded() && b.bounded()) {
    const std::int64_t highest = ones(std::max(magnitude_bits(a), magnitude_bits(b)));
    result = {a.lower >= 0 && b.lower >= 0 ? 0 : -highest - 1, highest};
  }
  for (const auto& [base, field] : {std::pair{a, b}, std::pair{b, a}}) {
    if (bits_of(field) < 0) continue;
    result = intersection(result, with_free_bits(base, bits_of(field)));
  }
  return result;
}

}  // namespace relayout::expr
