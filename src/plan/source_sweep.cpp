#include "src/plan/source_sweep.hpp"

#include <cstdlib>

namespace relayout::plan {

std::int64_t source_sweep_bytes(const std::vector<Loop>& loops, const TileRuns& runs) {
  std::int64_t bytes = runs.tile_bytes;
  for (std::size_t i = loops.size(); i-- > 0;) {
    if (std::abs(loops[i].source_step_bytes) <= runs.source_bytes) break;
    bytes *= loops[i].trips;
  }
  return bytes;
}

}  // namespace relayout::plan
