#pragma once

#include <optional>
#include <string>

#include "src/cli/plan_measurement.hpp"

namespace relayout::cli {

/// The explanation as one page: layouts drawn, expressions, loops, decisions, the network as wires, rejected
/// plans and annotated code. `measured` as in put_explanation. \error what drawing the layouts gives
Result<std::string> explanation_page(const PairRequest& pair, const Relayout& convert,
                                     const Explanation& explanation,
                                     const std::optional<PlanMeasurement>& measured);

}  // namespace relayout::cli
