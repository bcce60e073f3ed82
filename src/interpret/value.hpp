#pragma once

#include <cstdint>

#include "src/expr/index_expr.hpp"

namespace relayout::interpret {

/// Where a value of the program under construction lives.
enum class Place : std::uint8_t {
  kConstant,  ///< known now: range.lower == range.upper
  kScalar,    ///< one per block
  kLane,      ///< one per element
};

/// A value of the program under construction.
struct Value {
  Place place = Place::kConstant;
  int index = -1;              ///< entry of the scalars, or number of the lane step
  expr::Range range = {0, 0};  ///< holds every value that occurs

  bool is_constant() const noexcept { return place == Place::kConstant; }
  bool is_constant(std::int64_t value) const noexcept { return is_constant() && range.lower == value; }
  bool is_lane() const noexcept { return place == Place::kLane; }
};

}  // namespace relayout::interpret
