#pragma once

#include <cstdint>
#include <optional>

#include "src/plan/boxes.hpp"
#include "src/plan/micro_tile.hpp"
#include "src/plan/pair_sizes.hpp"
#include "src/plan/target.hpp"

namespace relayout::plan {

/// How the loops around a tile that transposes two axes make blocks, of which the next one is fetched row by
/// row (BlockFetch).
struct FetchedBlock {
  std::int64_t source_run_bytes = 0;  ///< that the block's rows grow to
  std::int64_t destination_run_bytes = 0;
  bool along_destination = false;  ///< the next block continues the destination's rows, not the source's
  bool to_write = false;           ///< as BlockFetch has it
};

/// Where that is faster than tiles in any other order; nothing where it is not. `tile` need not be the final
/// one: only its axes count. Measurements: fetched_block.cpp.
std::optional<FetchedBlock> fetched_block(const Box& box, const MicroTile& tile, const PairSizes& sizes,
                                          const Target& target);

}  // namespace relayout::plan
