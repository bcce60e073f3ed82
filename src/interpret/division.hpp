#pragma once

#include <cstdint>

namespace relayout::interpret {

/// Division by a constant as multiplication: n / divisor == high half of (n * multiplier) >> shift.
struct Division {
  std::uint64_t multiplier = 0;
  int shift = 0;
};

/// For 32-bit lanes, exact for 0 <= n < 2^31. \pre 3 <= divisor < 2^31, not a power of two
Division narrow_division(std::int64_t divisor);

/// For 64-bit lanes, exact for 0 <= n < 2^62. \pre 3 <= divisor < 2^62, not a power of two
Division wide_division(std::int64_t divisor);

}  // namespace relayout::interpret
