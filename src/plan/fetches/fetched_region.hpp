#pragma once

#include <optional>

#include "src/plan/model/plan.hpp"
#include "src/plan/model/target.hpp"

namespace relayout::plan {

/// What the calls of a staged nest fetch together while it moves a region of a few blocks: the lines of the
/// next region, one after the other. Nothing if a region is no stretch of the source that the second cache
/// has room for (Target::longest_fetched_region_bytes), if the next one does not go on there, or if blocks
/// follow rows to read for so long that each fetches the next but one in time.
std::optional<BlockFetch> fetched_region(const Nest& nest, const Target& target);

}  // namespace relayout::plan
