#pragma once

#include <optional>

#include "src/cli/json.hpp"
#include "src/cli/plan_measurement.hpp"

namespace relayout::cli {

/// Puts `choice`, `bound`, `predicted`, `kernels` and `rejected` into `answer`; null and empty where nothing
/// is generated. `measured`, if given, begins with the plan itself, then those rejected, in their order.
void put_explanation(const Explanation& explanation, const std::optional<PlanMeasurement>& measured,
                     std::int64_t elements, Json& answer);

}  // namespace relayout::cli
