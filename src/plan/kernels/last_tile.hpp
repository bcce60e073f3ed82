#pragma once

#include <optional>
#include <vector>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/boxes/cut_box.hpp"
#include "src/plan/model/plan_inputs.hpp"
#include "src/plan/refinement/padding.hpp"

namespace relayout::plan {

/// A box in the caches whose last tile would overlap the one before it, in the tiles before that one and what
/// is left, which gets a kernel of its own (Target::cuts_last_tiles). Nothing where that spares little.
/// \param padding of the destination, that nothing fills yet and a kernel may
std::optional<CutBox> cut_last_tile(const Box& box, const std::vector<PaddingPiece>& padding,
                                    const PlanInputs& inputs);

}  // namespace relayout::plan
