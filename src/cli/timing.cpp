#include "src/cli/timing.hpp"

#include <algorithm>
#include <chrono>

namespace relayout::cli {
namespace {

constexpr int kMaxRepetitions = 1 << 20;
/// After another contender's streaming stores one run does not bring the caches back: on a Zen 5, 8 MiB were
/// moved a third slower after one run than in a row, and as fast after two or three.
constexpr int kWarmingRuns = 3;

double seconds_of(const Contender& contender, int repetitions) {
  const double start = now_seconds();
  contender(repetitions);
  return (now_seconds() - start) / repetitions;
}

/// A contender with its samples so far.
struct Entrant {
  const Contender* contender;
  int repetitions = 1;
  std::vector<double> samples;
  bool too_slow = false;
};

void prepare(const Budget& budget) {
  if (budget.before_sample) budget.before_sample();
}

Entrant enter(const Contender& contender, double share_seconds, const Budget& budget) {
  prepare(budget);
  const double first = seconds_of(contender, 1);
  if (first > share_seconds) return {&contender, 1, {first}, true};
  if (budget.before_sample) return {&contender, 1, {}, false};
  return {&contender, repetitions_for(budget.sample_seconds, seconds_of(contender, 1)), {}, false};
}

void take_sample(Entrant& entrant, const Budget& budget) {
  if (entrant.too_slow) return;
  if (budget.warm_each_sample) (*entrant.contender)(kWarmingRuns);
  prepare(budget);
  entrant.samples.push_back(seconds_of(*entrant.contender, entrant.repetitions));
}

}  // namespace

int repetitions_for(double sample_seconds, double seconds) {
  const double wanted = sample_seconds / std::max(seconds, 1e-9);
  return std::clamp(static_cast<int>(std::min<double>(wanted, kMaxRepetitions)), 1, kMaxRepetitions);
}

double now_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::vector<Statistics> time_in_turns(std::span<const Contender> contenders, const Budget& budget) {
  const std::size_t count = contenders.size();
  std::vector<Entrant> entrants;
  for (const Contender& contender : contenders) {
    entrants.push_back(enter(contender, budget.seconds / static_cast<double>(count), budget));
  }
  const double start = now_seconds();
  for (int round = 0; round < budget.maximum_rounds; ++round) {
    if (round >= budget.minimum_rounds && now_seconds() - start > budget.seconds) break;
    for (std::size_t turn = 0; turn < count; ++turn) {
      take_sample(entrants[(turn + static_cast<std::size_t>(round)) % count], budget);
    }
  }
  std::vector<Statistics> statistics;
  for (Entrant& entrant : entrants) statistics.push_back(statistics_of(std::move(entrant.samples)));
  return statistics;
}

}  // namespace relayout::cli
