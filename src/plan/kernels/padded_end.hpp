#pragma once

#include <optional>
#include <vector>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/boxes/cut_box.hpp"
#include "src/plan/model/plan_inputs.hpp"
#include "src/plan/refinement/padding.hpp"

namespace relayout::plan {

/// A box in the caches whose rows at the destination end within a line, counted from a row's front, as the
/// padding behind them does, in the lines before that one and the rest, which is written together with the
/// padding (Target::cuts_before_padding). Nothing where tiles overlap little, or where both parts are
/// predicted to take longer than all of the box and filling the padding.
/// \param padding of the destination, that nothing fills yet and a kernel may
std::optional<CutBox> cut_padded_end(const Box& box, const std::vector<PaddingPiece>& padding,
                                     const PlanInputs& inputs);

}  // namespace relayout::plan
