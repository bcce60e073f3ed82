#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "relayout/result.hpp"

namespace relayout::cute {

inline std::optional<std::int64_t> checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

/// a + b * c, or nothing past 64 bits.
inline std::optional<std::int64_t> checked_add_product(std::int64_t a, std::int64_t b, std::int64_t c) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(b, c, &product)) return std::nullopt;
  return checked_add(a, product);
}

/// |value| without overflow.
inline std::uint64_t magnitude(std::int64_t value) {
  return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

/// ceil(a / b). \pre a >= 0, b > 0
inline std::int64_t ceil_quotient(std::int64_t a, std::int64_t b) {
  return a / b + (a % b != 0);
}

inline Error overflow(std::string_view where) {
  return {ErrorCode::kOverflow, std::string(where) + " does not fit in 64 bits"};
}

inline Error bad_argument(std::string message) {
  return {ErrorCode::kBadArgument, std::move(message)};
}

}  // namespace relayout::cute
