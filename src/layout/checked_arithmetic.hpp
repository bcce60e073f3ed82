#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>

namespace relayout::layout {

/// a * b, or nothing past 64 bits.
inline std::optional<std::int64_t> checked_multiply(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

/// Product of non-negative extents, or nothing past 64 bits; 0 as soon as one extent is 0.
inline std::optional<std::int64_t> checked_product(std::span<const std::int64_t> extents) {
  for (const std::int64_t extent : extents) {
    if (extent == 0) return 0;
  }
  std::int64_t product = 1;
  for (const std::int64_t extent : extents) {
    if (__builtin_mul_overflow(product, extent, &product)) return std::nullopt;
  }
  return product;
}

/// Places of `step` that reach `extent` and more.
inline std::int64_t divided_up(std::int64_t extent, std::int64_t step) {
  return extent / step + (extent % step != 0 ? 1 : 0);
}

/// Bytes of so many elements of so many bits, the last one filled up, or nothing past 64 bits.
inline std::optional<std::int64_t> checked_bytes(std::int64_t elements, std::int64_t bits) {
  __extension__ using Wide = __int128;
  const Wide bytes = (Wide{elements} * bits + 7) / 8;
  if (bytes > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  return static_cast<std::int64_t>(bytes);
}

}  // namespace relayout::layout
