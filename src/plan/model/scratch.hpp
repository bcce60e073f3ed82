#pragma once

#include <cstddef>
#include <cstdint>

#include "src/plan/model/plan.hpp"

namespace relayout::plan {

/// What a staging and its kernel's own scratch take together, but for large blocks (staged_block.hpp).
inline constexpr std::size_t kUsualScratchBytes = 14 * 1024;
/// What they take at most: a call's stack has room for it.
inline constexpr std::size_t kMostScratchBytes = 56 * 1024;

/// Bytes of scratch that the code of one nest, and of all nests of a plan, wants.
std::int64_t scratch_bytes(const Nest& nest);
std::int64_t scratch_bytes(const Plan& plan);

}  // namespace relayout::plan
