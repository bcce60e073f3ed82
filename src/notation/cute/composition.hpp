#pragma once

#include <cstdint>
#include <vector>

#include "src/expr/integer.hpp"
#include "src/notation/cute/modes.hpp"

namespace relayout::cute {

/// coefficient * floor(multiplier * n / modulus), with 0 < multiplier < modulus and no common divisor.
struct FloorTerm {
  std::int64_t multiplier = 1;
  std::int64_t modulus = 1;
  expr::Wide coefficient = 0;
};

/// A layout as a function of all integers: A(x) = sum of ((x / place) % size) * stride over the bounded
/// modes, plus (x / last_place) * last_stride; A(-x) = -A(x). Neighbours that continue one another are
/// merged, which changes no value.
struct LineFunction {
  Modes bounded;
  std::vector<std::int64_t> places;  ///< of the modes after the first, the last one included
  std::int64_t last_stride = 0;

  static LineFunction of(const Layout& layout);
  expr::Wide operator()(std::int64_t x) const;
  /// A(step * n) = n * A(step) + the sum of these terms, for n >= 0. All of them count: no coefficient is 0,
  /// and no two fractions are equal. \pre step > 0
  std::vector<FloorTerm> floors_along(std::int64_t step) const;
};

/// One variable of a composition: an index below `size` that moves the argument by `step`.
struct Variable {
  std::int64_t size = 1;
  std::int64_t step = 0;
  std::int64_t stride = 0;  ///< by how much the value moves: A(step)
};

/// Whether A(sum of index * step) = sum of index * stride for all indices.
/// \error kUnsupported with a coordinate where it is not so, or if there are too many to try
Status check_additive(const LineFunction& a, const std::vector<Variable>& variables);

}  // namespace relayout::cute
