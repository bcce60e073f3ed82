#pragma once

#include "src/plan/model/plan.hpp"
#include "src/plan/model/plan_inputs.hpp"

namespace relayout::plan {

/// Whether a nest goes from row to row of the destination call by call, and the lines that it writes before
/// it has written a stretch of one of them take all the ways of a set of the second cache: what is fetched
/// for the next calls is pushed out before they come. Only of pairs that have little padding to fill.
bool writes_crowded_rows(const Nest& nest, const PlanInputs& inputs);

}  // namespace relayout::plan
