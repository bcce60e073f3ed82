#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "src/plan/tiles/micro_tile.hpp"

namespace relayout::plan {

/// For elements of 1, 2, 4, 8 and 16 bytes.
using LimitsByWidth = std::array<std::optional<TileRunLimits>, 5>;

inline std::optional<TileRunLimits> limits_of(const LimitsByWidth& limits, std::int64_t element_bytes) {
  return limits[static_cast<std::size_t>(std::countr_zero(static_cast<std::uint64_t>(element_bytes)))];
}

}  // namespace relayout::plan
