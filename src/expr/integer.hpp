#pragma once

#include <cstdint>

namespace relayout::expr {

/// 128-bit intermediate of sums and products of 64-bit values. __extension__: not in ISO C++, in gcc and
/// clang.
__extension__ using Wide = __int128;

/// floor(a / b), the only division of this library. \pre b > 0
template <class Integer>
constexpr Integer floor_quotient(Integer a, Integer b) noexcept {
  const Integer quotient = a / b;
  return a % b < 0 ? quotient - 1 : quotient;
}

/// a - b * floor(a / b), which lies in [0, b). \pre b > 0
template <class Integer>
constexpr Integer floor_remainder(Integer a, Integer b) noexcept {
  const Integer remainder = a % b;
  return remainder < 0 ? remainder + b : remainder;
}

constexpr bool fits_64_bits(Wide value) noexcept {
  return value == static_cast<std::int64_t>(value);
}

}  // namespace relayout::expr
