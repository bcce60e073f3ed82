#include "src/interpret/division.hpp"

#include <bit>

namespace relayout::interpret {
namespace {

__extension__ using Unsigned128 = unsigned __int128;

/// With 2^(l-1) < d < 2^l and m = ceil(2^(b+l) / d): floor(n*m / 2^(b+l)) == floor(n/d) for 0 <= n < 2^b,
/// because m*d exceeds 2^(b+l) by less than d <= 2^l (Granlund and Montgomery 1994, theorem 4.2). m <
/// 2^(b+1).
Division division(std::int64_t divisor, int numerator_bits, int lane_bits) {
  const auto unsigned_divisor = static_cast<std::uint64_t>(divisor);
  const int log2_divisor = std::bit_width(unsigned_divisor - 1);
  const int total_shift = numerator_bits + log2_divisor;
  const Unsigned128 multiplier = ((Unsigned128{1} << total_shift) + unsigned_divisor - 1) / unsigned_divisor;
  return {static_cast<std::uint64_t>(multiplier), total_shift - lane_bits};
}

}  // namespace

Division narrow_division(std::int64_t divisor) {
  return division(divisor, 31, 32);
}

Division wide_division(std::int64_t divisor) {
  return division(divisor, 62, 64);
}

}  // namespace relayout::interpret
