#pragma once

#include <vector>

#include "src/plan/planner.hpp"
#include "src/plan/prediction.hpp"

namespace relayout::plan {

/// A plan that the planner could have made, which differs from its own in one decision.
struct Candidate {
  PlanChoice choice;
  Plan plan;
  Work work;
};

/// What a pair could be planned as.
struct CandidateList {
  Candidate chosen;
  std::vector<Candidate> others;  ///< in a fixed order; none is equal to another
};

/// Plans once for each other kernel of the largest box, walk of its loops, width of vectors, store policy and
/// prefetch. `options.choice`, if any, is the one chosen. Takes up to some 100 ms: for people and
/// measurements. \error as make_plan
Result<CandidateList> plan_candidates(const Problem& problem, const LoopNest& nest, const Target& target,
                                      const PlanOptions& options);

}  // namespace relayout::plan
