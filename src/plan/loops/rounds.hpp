#pragma once

#include <cstdint>
#include <vector>

#include "src/plan/model/plan.hpp"
#include "src/plan/model/plan_inputs.hpp"
#include "src/plan/model/plan_notes.hpp"

namespace relayout::plan {

/// Rounds (Plan::rounds) of the nests of a swizzle, which lie between one another.
std::int64_t rounds_of_interleaved(const std::vector<Nest>& nests, const PlanInputs& inputs,
                                   PlanNotes& notes);

/// Rounds of nests that write parts of the same lines, such as data and their padding. On some processors
/// none where other nests would be scattered by them.
/// \param places in which a share of a nest writes (take_turns_in_places)
std::int64_t rounds_of_shared_lines(const std::vector<Nest>& nests, const PlanInputs& inputs,
                                    PlanNotes& notes, std::int64_t places = 1);

/// Rounds of nests of padding alone, of data elsewhere, which are cut in other loops for them: 1, and nothing
/// changes, where they find none.
std::int64_t rounds_of_padding(std::vector<Nest>& nests, const PlanInputs& inputs, PlanNotes& notes);

/// Cuts nests so that they can take as many turns as are best, or as many as pay at least, if there are loops
/// for that (cut_in_places). \return the places in which a share then writes; 1 if nothing changes
std::int64_t take_turns_in_places(std::vector<Nest>& nests, const PlanInputs& inputs);

/// Whether padding is written before data in each round, so that its lines are there already.
bool padding_goes_first(const PlanInputs& inputs);

/// Whether a pair whose nests find no rounds in the loops that suit them best may gain by those of
/// LoopWalk::kTurns: most of the destination is padding, and the source is near in any order.
bool may_turns_pay(const PlanInputs& inputs);

/// Whether the plan with these loops does: it has rounds, not fewer than `plan`, which the second cache
/// holds. On some processors not if it fetches many more of the source's lines
/// (Target::most_source_lines_added_by_turns), which takes a few microseconds for each nest.
bool pays_for_turns(const Plan& turns, const Plan& plan, const Target& target);

}  // namespace relayout::plan
