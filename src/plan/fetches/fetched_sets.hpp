#pragma once

#include <cstdint>
#include <vector>

#include "src/plan/model/kernel_access.hpp"
#include "src/plan/model/target.hpp"

namespace relayout::plan {

/// Whether the lines `ahead_bytes` further on than the runs of a call lie in the very sets of the first cache
/// of one of which these have half the lines or more: fetched, they and what the call needs push each other
/// out. Offsets are taken as of a call that begins on a line.
bool fetches_into_full_sets(const std::vector<Extent>& runs, std::int64_t ahead_bytes, const Target& target);

}  // namespace relayout::plan
