#pragma once

#include <array>
#include <vector>

#include "src/plan/model/plan.hpp"
#include "src/plan/model/target.hpp"

namespace relayout::plan {

/// Lines of one side that pass a border between two levels of memory in one run of a plan.
struct SideTraffic {
  double lines = 0;
  /// Mean number of neighbouring lines that are fetched one after the other: what the processor's own
  /// prefetch needs to find a pattern.
  double lines_in_a_row = 1;
};

/// Between registers and the first cache, and what misses the first, second and last cache.
inline constexpr int kBorders = 4;
struct Traffic {
  std::array<SideTraffic, kBorders> source;
  std::array<SideTraffic, kBorders> destination;
};

/// Lines moved when a nest runs over and over on buffers of these sizes, so that what fits a cache stays
/// there. Per cache: the innermost loops whose lines fit it, set by set, share them; a loop around these
/// fetches its lines anew each time it runs. Slow (up to some ms): for people.
Traffic predict_traffic(const Nest& nest, const Target& target);

}  // namespace relayout::plan
