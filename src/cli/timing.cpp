#include "src/cli/timing.hpp"

#include <algorithm>
#include <chrono>

namespace relayout::cli {
namespace {

constexpr int kMaxRepetitions = 1 << 20;

double seconds_of(const Contender& contender, int repetitions) {
  const double start = now_seconds();
  contender(repetitions);
  return (now_seconds() - start) / repetitions;
}

int repetitions_for(double sample_seconds, double seconds) {
  const double wanted = sample_seconds / std::max(seconds, 1e-9);
  return std::clamp(static_cast<int>(std::min<double>(wanted, kMaxRepetitions)), 1, kMaxRepetitions);
}

/// A contender with its samples so far.
struct Entrant {
  const Contender* contender;
  int repetitions = 1;
  std::vector<double> samples;
  bool too_slow = false;
};

Entrant enter(const Contender& contender, double share_seconds, const Budget& budget) {
  const double first = seconds_of(contender, 1);
  if (first > share_seconds) return {&contender, 1, {first}, true};
  return {&contender, repetitions_for(budget.sample_seconds, seconds_of(contender, 1)), {}, false};
}

void take_sample(Entrant& entrant, bool warm) {
  if (entrant.too_slow) return;
  if (warm) (*entrant.contender)(1);
  entrant.samples.push_back(seconds_of(*entrant.contender, entrant.repetitions));
}

}  // namespace

double now_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::vector<double> interleaved_medians(std::span<const Contender> contenders, const Budget& budget) {
  const std::size_t count = contenders.size();
  std::vector<Entrant> entrants;
  for (const Contender& contender : contenders) {
    entrants.push_back(enter(contender, budget.seconds / static_cast<double>(count), budget));
  }
  const double start = now_seconds();
  for (int round = 0; round < budget.maximum_rounds; ++round) {
    if (round >= budget.minimum_rounds && now_seconds() - start > budget.seconds) break;
    for (std::size_t turn = 0; turn < count; ++turn) {
      take_sample(entrants[(turn + static_cast<std::size_t>(round)) % count], budget.warm_each_sample);
    }
  }
  std::vector<double> medians;
  for (const Entrant& entrant : entrants) medians.push_back(median(entrant.samples));
  return medians;
}

}  // namespace relayout::cli
