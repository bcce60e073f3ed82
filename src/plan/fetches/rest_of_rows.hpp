#pragma once

#include <cstdint>
#include <vector>

#include "src/plan/model/kernel_access.hpp"
#include "src/plan/model/plan.hpp"

namespace relayout::plan {

/// How far ahead the rows go on that one call of a permutation writes half a line or more of, a line at
/// least; 0 if no loop walks along them soon, or for other kernels. `written_runs`: the
/// destination's of kernel_runs(nest); `level1_data_bytes`: of the first cache.
std::int64_t bytes_to_rest_of_rows(const Nest& nest, const std::vector<Extent>& written_runs,
                                   std::int64_t level1_data_bytes);

}  // namespace relayout::plan
