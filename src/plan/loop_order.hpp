#pragma once

#include <cstdint>

#include "src/plan/plan.hpp"
#include "src/plan/plan_choice.hpp"

namespace relayout::plan {

/// Contiguous bytes that one call of a nest's kernel covers on either side, from the call's first byte on,
/// and the bytes that it moves.
struct TileRuns {
  std::int64_t source_bytes = 1;
  std::int64_t destination_bytes = 1;
  std::int64_t tile_bytes = 1;
  /// What a block's run grows to along a side of which a call covers one contiguous piece.
  std::int64_t wanted_contiguous_bytes = 1024;
  /// What a block's runs grow to along other sides.
  std::int64_t wanted_bytes = 256;
  /// Where the outermost loop has too few trips to be cut into parts, a loop over shares of the longest goes
  /// around, so that both sides are still walked in long stretches; else the longest loop itself.
  bool shares_longest = false;
};

/// Orders and blocks the loops of `nest`, whose kernel covers `runs`, so that both sides are walked in runs
/// of a few lines: see loop_order.cpp. Loops over run tables keep their order, between the blocks' loops and
/// those inside; loops under the first `ragged_guards` guards move but are not split. Sets the prefetch
/// distance to the next block where the source is not read in one run anyway. Other walks than kBlocked have
/// neither blocks nor a prefetch. Returns how many of the innermost loops make up a block.
std::size_t order_loops(Nest& nest, const TileRuns& runs, int ragged_guards,
                        LoopWalk walk = LoopWalk::kBlocked);

}  // namespace relayout::plan
