#pragma once

#include "src/expr/index_expr.hpp"

namespace relayout::expr {

/// A range that holds a ^ b for all a and b of the ranges. An operand in [0, 2^k) changes the low k bits
/// only, so the other's bits above them stay.
Range xor_range(Range a, Range b) noexcept;

/// The values that both ranges hold.
Range intersection(Range a, Range b) noexcept;

/// Bits of the greatest value of a range of non-negative integers; -1 if it has negative ones or no bound.
int bits_of(Range range) noexcept;

}  // namespace relayout::expr
