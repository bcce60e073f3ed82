#pragma once

#include <cstdint>
#include <vector>

#include "src/plan/plan.hpp"
#include "src/plan/plan_inputs.hpp"
#include "src/plan/plan_notes.hpp"

namespace relayout::plan {

/// Rounds (Plan::rounds) of the nests of a swizzle, which lie between one another.
std::int64_t rounds_of_interleaved(const std::vector<Nest>& nests, const PlanInputs& inputs,
                                   PlanNotes& notes);

/// Rounds of nests that write parts of the same lines, such as data and their padding.
std::int64_t rounds_of_shared_lines(const std::vector<Nest>& nests, const PlanInputs& inputs,
                                    PlanNotes& notes);

}  // namespace relayout::plan
