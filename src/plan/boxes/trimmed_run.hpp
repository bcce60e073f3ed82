#pragma once

#include <cstdint>
#include <optional>

#include "src/plan/boxes/boxes.hpp"

namespace relayout::plan {

/// Axes that continue one another along a side's run, and whose guard does nothing but cut the end off: the
/// 23 columns of (8,128)(2,1) tiles are 2 x 4 x 3 places of which the last does not exist.
struct TrimmedRun {
  int guard = -1;
  bool at_source = false;         ///< the side
  std::int64_t first_stride = 0;  ///< bytes, on that side
  std::int64_t places_bytes = 0;  ///< of the run, with what the guard cuts off
  std::int64_t data_bytes = 0;
};

/// Kernels take them whole, places included.
inline constexpr std::int64_t kMostTrimmedRunBytes = 128;

/// The guard as such a run; nothing if it is more than that, or if another axis is under it that is not along
/// the run.
std::optional<TrimmedRun> trimmed_run(const Box& box, int guard, bool at_source);

/// The first guard of the box that trims a run of the side of at most kMostTrimmedRunBytes.
std::optional<TrimmedRun> first_trimmed_run(const Box& box, bool at_source);

/// Longer ones are rows to write, which staged blocks take whole.
inline constexpr std::int64_t kMostTrimmedRowBytes = 16 * 1024;

/// The box's only guard, if it trims a row of the destination of at most kMostTrimmedRowBytes, by a quarter
/// of its places at most.
std::optional<TrimmedRun> trimmed_row(const Box& box);

}  // namespace relayout::plan
