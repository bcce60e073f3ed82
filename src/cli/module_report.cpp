#include "src/cli/module_report.hpp"

namespace relayout::cli {

std::optional<double> ModuleReport::share(const MovementReport& movement) const {
  if (!movement.times || sum.seconds <= 0) return std::nullopt;
  return movement.times->seconds / sum.seconds;
}

ModuleReport report_module(std::optional<std::string> name, std::vector<hlo::Movement> movements,
                           MovementReporter& reporter, const std::function<void()>& done) {
  ModuleReport module{std::move(name), {}, 0, {}};
  for (hlo::Movement& movement : movements) {
    const MovementReport& report = module.movements.emplace_back(reporter.report(std::move(movement)));
    done();
    if (!report.times) continue;
    module.timed_bytes += report.movement.bytes;
    module.sum.seconds += report.times->seconds;
    module.sum.memcpy_seconds += report.times->memcpy_seconds;
  }
  return module;
}

}  // namespace relayout::cli
