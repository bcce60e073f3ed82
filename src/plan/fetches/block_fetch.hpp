#pragma once

#include <cstddef>
#include <optional>

#include "src/plan/model/plan.hpp"

namespace relayout::plan {

/// The rows of the block that the innermost `loops_inside` loops of a nest make up, and how far the next
/// block is; nothing if rows are not equally long and equally far apart on both sides, or there is no next
/// block.
std::optional<BlockFetch> block_fetch(const Nest& nest, std::size_t loops_inside, bool to_write);

}  // namespace relayout::plan
