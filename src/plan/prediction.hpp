#pragma once

#include "src/plan/loops/traffic.hpp"
#include "src/plan/model/plan.hpp"
#include "src/plan/model/target.hpp"

namespace relayout::plan {

/// Cycles that each resource alone would take for one run of a nest or plan, and what it moves.
struct Work {
  double moved_bytes = 0;  ///< read plus written, overlapping tails included
  double lines = 0;        ///< cache lines that pass between registers and the first cache, both sides
  double far_lines = 0;    ///< of these and of evictions, lines that pass between the last cache and memory
  double instructions = 0;
  double load_cycles = 0;
  double shuffle_cycles = 0;
  double store_cycles = 0;
  double memory_cycles = 0;  ///< for what the first cache misses
  double cycles = 0;         ///< of all together
};

/// What a whole plan is predicted to cost when it runs over and over. Explanations and measurements use it;
/// planning does not, being too short for it. Takes up to tens of ms.
Work predict(const Plan& plan, const Target& target);
Work predict(const Nest& nest, const Target& target);

}  // namespace relayout::plan
