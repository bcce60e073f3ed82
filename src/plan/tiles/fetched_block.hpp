#pragma once

#include <optional>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/model/pair_sizes.hpp"
#include "src/plan/model/target.hpp"
#include "src/plan/tiles/block_runs.hpp"
#include "src/plan/tiles/micro_tile.hpp"

namespace relayout::plan {

/// Blocks of tiles that transpose two axes, of which the next one is fetched row by row (BlockFetch).
struct FetchedBlock {
  BlockRuns runs;
  bool to_write = false;       ///< as BlockFetch has it
  bool unless_staged = false;  ///< the same
  /// Of its tiles; nothing: those of tiles without a block.
  std::optional<TileRunLimits> tile_runs = std::nullopt;
};

/// Where that is faster than tiles in any other order; nothing where it is not. `tile` need not be the final
/// one: only its axes count. Measurements: fetched_block.cpp.
std::optional<FetchedBlock> fetched_block(const Box& box, const MicroTile& tile, const PairSizes& sizes,
                                          const Target& target);

}  // namespace relayout::plan
