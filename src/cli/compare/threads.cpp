// The same work on one thread and on several.

#include <algorithm>
#include <fmt/format.h>
#include <memory>

#include "src/cli/compare/subject.hpp"
#include "src/cli/copies.hpp"
#include "src/cli/team.hpp"

namespace relayout::cli {
namespace {

constexpr double kThreadedSecondsPerContender = 0.2;
/// Threads that were asleep are woken by the first call of a sample, perhaps on a processor that is busy:
/// samples are long beside the milliseconds that it takes the system to spread them.
constexpr double kThreadedSampleSeconds = 5e-3;
/// Up to here every number of threads is measured, past it powers of two and the last.
constexpr int kEveryNumber = 8;

std::vector<int> thread_counts(int most) {
  std::vector<int> counts;
  for (int threads = 1; threads < most; threads = threads < kEveryNumber ? threads + 1 : threads * 2) {
    counts.push_back(threads);
  }
  counts.push_back(most);
  return counts;
}

void convert_on(Team& team, const Subject& subject) {
  const std::byte* source = subject.buffers.source();
  std::byte* destination = subject.buffers.destination();
  if (team.threads() == 1) return subject.convert(source, destination);
  team.run(team.threads(),
           [&](std::int64_t part) { subject.convert.run_part(source, destination, part, team.threads()); });
}

/// Shares begin at cache lines.
void copy_on(Team& team, const Subject& subject) {
  const std::size_t half = subject.half();
  const auto threads = static_cast<std::size_t>(team.threads());
  const auto start = [&](std::size_t part) {
    return part == threads ? half : half * part / threads / 64 * 64;
  };
  team.run(team.threads(), [&](std::int64_t index) {
    const auto part = static_cast<std::size_t>(index);
    const std::size_t first = start(part);
    library_copy(subject.buffers.source() + first, subject.buffers.destination() + first,
                 start(part + 1) - first);
  });
}

}  // namespace

Result<std::vector<ThreadTiming>> time_threads(const Subject& subject) {
  const std::vector<int> counts = thread_counts(subject.job.tasks.threads);
  std::vector<std::unique_ptr<Team>> teams;
  std::vector<Contender> contenders;
  for (const int threads : counts) {
    Team& team = *teams.emplace_back(std::make_unique<Team>(threads));
    const auto convert = [&team, &subject] { convert_on(team, subject); };
    if (!subject.reference.is_met_by(convert, Padding::kFilled)) {
      return wrong_result(fmt::format("{} threads", threads));
    }
    contenders.push_back(repeated(convert));
    contenders.push_back(repeated([&team, &subject] { copy_on(team, subject); }));
  }
  Budget budget = subject.budget(kThreadedSecondsPerContender * static_cast<double>(contenders.size()));
  budget.sample_seconds = kThreadedSampleSeconds;
  const std::vector<Statistics> seconds = time_in_turns(contenders, budget);
  std::vector<ThreadTiming> timings;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    timings.push_back({counts[i], subject.timing(seconds[2 * i]), subject.timing(seconds[2 * i + 1])});
  }
  return timings;
}

}  // namespace relayout::cli
