#pragma once

#include <optional>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/model/pair_sizes.hpp"
#include "src/plan/tiles/fetched_block.hpp"
#include "src/plan/tiles/transposed_rows.hpp"

namespace relayout::plan {

/// A fetched block of what is past the last cache, or is to be streamed anyway. `wide`: vectors of 64 bytes.
/// Measurements: fetched_far_block.cpp.
std::optional<FetchedBlock> fetched_far_block(const Box& box, const TransposedRows& rows,
                                              const PairSizes& sizes, bool wide);

}  // namespace relayout::plan
