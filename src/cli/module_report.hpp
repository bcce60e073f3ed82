#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "src/cli/movement_report.hpp"

namespace relayout::cli {

/// One module's movements, and what those that were timed take together.
struct ModuleReport {
  std::optional<std::string> name;
  std::vector<MovementReport> movements;
  std::int64_t timed_bytes = 0;
  MovementTimes sum;

  /// The part of the module's relayout time that `movement` takes, 0 to 1: the budget that making it faster
  /// could save. Nothing if it was not timed.
  std::optional<double> share(const MovementReport& movement) const;
};

/// Reports on all movements of a module, calling `done` after each.
ModuleReport report_module(std::optional<std::string> name, std::vector<hlo::Movement> movements,
                           MovementReporter& reporter, const std::function<void()>& done);

}  // namespace relayout::cli
