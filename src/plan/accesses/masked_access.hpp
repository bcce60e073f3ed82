#pragma once

#include <string>

#include "src/plan/model/plan.hpp"
#include "src/plan/model/plan_inputs.hpp"
#include "src/plan/model/plan_notes.hpp"

namespace relayout::plan {

/// Whether the nest's whole vectors are loaded and stored under a mask of all ones (Nest::under_masks).
/// \pre the nest's stores and prefetches are chosen
/// \param name what notes are about
void choose_masks(Nest& nest, const std::string& name, const PlanInputs& inputs, PlanNotes& notes);

}  // namespace relayout::plan
