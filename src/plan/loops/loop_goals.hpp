#pragma once

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/loops/loop_order.hpp"
#include "src/plan/model/pair_sizes.hpp"
#include "src/plan/model/plan.hpp"
#include "src/plan/model/plan_choice.hpp"
#include "src/plan/model/target.hpp"
#include "src/plan/tiles/micro_tile.hpp"

namespace relayout::plan {

/// What the order of a nest's loops depends on besides the nest.
struct LoopInputs {
  const Box& box;
  MicroTile tile;  ///< what the kernel takes of each axis of the box
  TileRuns runs;   ///< that one call of it covers
  const PairSizes& sizes;
  const Target& target;
};

/// What the loops around `kernel` are to be ordered for in a walk: how long a block's runs are, what goes
/// around the outermost loop, along which loop the source is fetched ahead.
LoopGoals loop_goals(LoopWalk walk, const Kernel& kernel, const LoopInputs& inputs);

}  // namespace relayout::plan
