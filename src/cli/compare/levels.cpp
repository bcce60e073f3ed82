// Every instruction set level side by side.

#include "src/cli/compare/subject.hpp"

namespace relayout::cli {
namespace {

constexpr double kSecondsPerLevel = 0.15;

struct Level {
  Relayout convert;
  double compile_us;
};

/// Levels that cannot do what the job forces (a kernel family) are left out.
Result<std::vector<Level>> compiled_levels(const Subject& subject) {
  std::vector<Level> levels;
  for (const Isa isa : runnable_isas()) {
    ComparisonJob job = subject.job;
    job.options.isa = isa;
    const auto convert = compile(job.source, job.destination, job.options);
    if (!convert) continue;
    const auto run = [&] { (*convert)(subject.buffers.source(), subject.buffers.destination()); };
    if (!subject.reference.is_met_by(run, Padding::kFilled)) return wrong_result(to_string(isa));
    levels.push_back({*convert, compile_seconds(job, 3, 9, 0.01) * 1e6});
  }
  return levels;
}

}  // namespace

Result<std::vector<LevelTiming>> time_levels(const Subject& subject) {
  const auto levels = compiled_levels(subject);
  if (!levels) return levels.error();
  std::vector<Contender> contenders = {copying(subject)};
  for (const Level& level : *levels) contenders.push_back(converting(subject, level.convert));
  const double budget_seconds = kSecondsPerLevel * static_cast<double>(contenders.size());
  const std::vector<Statistics> seconds = time_in_turns(contenders, subject.budget(budget_seconds));
  std::vector<LevelTiming> timings;
  for (std::size_t i = 0; i < levels->size(); ++i) {
    const Level& level = (*levels)[i];
    const Statistics& own = seconds[i + 1];
    const double over_memcpy = seconds.front().median / own.median;
    timings.push_back({level.convert.isa(), level.convert.kernel(), level.convert.code_bytes(),
                       level.compile_us, subject.timing(own), over_memcpy});
  }
  return timings;
}

}  // namespace relayout::cli
