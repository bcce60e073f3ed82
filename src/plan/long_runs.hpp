#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "src/plan/boxes.hpp"
#include "src/plan/micro_tile.hpp"
#include "src/plan/target.hpp"

namespace relayout::plan {

/// Of what a call may use of the stack.
inline constexpr std::int64_t kMaximumLongRunTileBytes = 8192;

/// What is known of a pair before its nests are made.
struct PairSizes {
  std::int64_t element_bytes = 1;
  bool cached = false;  ///< the last cache's share holds both buffers
};

struct LongRuns {
  TileRunLimits limits;
  std::string_view reason;
};

/// Runs of more than a line that pay where the rows of `tile` share cache sets, and where wide elements are
/// streamed; nothing elsewhere. Measurements: long_runs.cpp.
std::optional<LongRuns> long_runs(const Box& box, const MicroTile& tile, const PairSizes& sizes,
                                  const Target& target);

}  // namespace relayout::plan
