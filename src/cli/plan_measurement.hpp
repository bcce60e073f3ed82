#pragma once

#include <string>
#include <vector>

#include "src/cli/request.hpp"

namespace relayout::cli {

/// What runs of several plans of one pair took.
struct PlanMeasurement {
  std::vector<double> seconds;  ///< medians, by choice
  double gigahertz = 0;         ///< of the core, while they ran
  int page_kib = 4;
};

/// Times the pair compiled with each choice, in turns. \error as compile; kSystem
Result<PlanMeasurement> measure_plans(const PairRequest& pair, const std::vector<std::string>& choices);

}  // namespace relayout::cli
