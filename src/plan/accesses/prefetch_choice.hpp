#pragma once

#include <string>

#include "src/plan/model/plan.hpp"
#include "src/plan/model/plan_inputs.hpp"
#include "src/plan/model/plan_notes.hpp"

namespace relayout::plan {

/// Drops the prefetch of the source that the loops' order offers where it is not worth having, and adds one
/// of the destination where that is. \pre the nest's store policy is chosen
/// \param name what notes are about
void choose_prefetch(Nest& nest, const std::string& name, const PlanInputs& inputs, PlanNotes& notes);

}  // namespace relayout::plan
