#pragma once

#include <optional>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/model/pair_sizes.hpp"
#include "src/plan/model/target.hpp"
#include "src/plan/tiles/preferred_runs.hpp"

namespace relayout::plan {

/// Whether bytes to rows that begin anywhere are moved by longer tiles than suit the last cache, which just
/// holds both buffers (Target::lengthens_tiles_of_bytes_early).
bool suits_long_tiles_of_bytes(const Box& box, const PairSizes& sizes, const Target& target);

/// The runs of these tiles; nothing where those of a line each way are better, which are not streamed.
/// \pre suits_long_tiles_of_bytes
std::optional<PreferredRuns> runs_of_long_tiles_of_bytes(const Box& box);

}  // namespace relayout::plan
