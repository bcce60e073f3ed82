#pragma once

#include <cstddef>
#include <vector>

#include "src/plan/model/plan.hpp"
#include "src/plan/refinement/padding.hpp"

namespace relayout::plan {

/// Nests that write `element` over all pieces: one each for the 64 with the most runs, one over a run table
/// for the rest. \error kUnsupported if there are more than 4,096 runs
Result<std::vector<Nest>> padding_nests(const std::vector<PaddingPiece>& pieces,
                                        const std::vector<std::uint8_t>& element);

}  // namespace relayout::plan
