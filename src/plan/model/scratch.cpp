#include "src/plan/model/scratch.hpp"

#include <algorithm>
#include <variant>

namespace relayout::plan {

std::int64_t scratch_bytes(const Nest& nest) {
  if (nest.staging) return nest.staging->scratch_offset_bytes + nest.staging->scratch_bytes();
  const auto* permute = std::get_if<PermuteKernel>(&nest.kernel);
  return permute == nullptr ? 0 : permute->network.scratch_bytes;
}

std::int64_t scratch_bytes(const Plan& plan) {
  std::int64_t most = 0;
  for (const Nest& nest : plan.nests) most = std::max(most, scratch_bytes(nest));
  return most;
}

}  // namespace relayout::plan
