#pragma once

#include <cstdint>

#include "src/plan/model/plan.hpp"

namespace relayout::plan {

/// Whether all calls of the kernel write to the same place of a line, up to the nest's base.
bool steps_are_aligned(const Nest& nest, std::int64_t alignment_bytes);

/// Whether all whole-vector stores are aligned to `alignment_bytes` when the destination buffer is; of long
/// padding, those to lines that it fills whole.
bool stores_are_aligned(const Nest& nest, std::int64_t alignment_bytes);

}  // namespace relayout::plan
