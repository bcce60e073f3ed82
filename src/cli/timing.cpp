#include "src/cli/timing.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>
#include <random>

namespace relayout::cli {
namespace {

constexpr int kMaxRepetitions = 1 << 20;
/// After another contender's streaming stores a few runs do not bring the last cache back: on a Zen 4, f32
/// 8x64x56x56 to NHWC, 12 MiB, needs 13 of them from 14 GB/s to 55, c128 158x2539 nine from 15 to 51, and
/// memcpy six from 26 to 74.
constexpr int kMostWarmingRuns = 24;
/// Warm is what so many runs in a row did not make faster ...
constexpr int kRunsWithoutGain = 3;
/// ... by more than this share.
constexpr double kGain = 0.02;

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

/// Untimed runs until they get no faster.
void warm(const Contender& contender) {
  double fastest = std::numeric_limits<double>::infinity();
  int without_gain = 0;
  for (int run = 0; run < kMostWarmingRuns && without_gain < kRunsWithoutGain; ++run) {
    const double seconds = seconds_of(contender, 1);
    without_gain = seconds > (1 - kGain) * fastest ? without_gain + 1 : 0;
    fastest = std::min(fastest, seconds);
  }
}

void take_sample(Entrant& entrant, const Budget& budget) {
  if (entrant.too_slow) return;
  if (budget.warm_each_sample) warm(*entrant.contender);
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
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937 draw;  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same orders in every run are as good
  const double start = now_seconds();
  for (int round = 0; round < budget.maximum_rounds; ++round) {
    if (round >= budget.minimum_rounds && now_seconds() - start > budget.seconds) break;
    std::ranges::shuffle(order, draw);
    for (const std::size_t turn : order) take_sample(entrants[turn], budget);
  }
  std::vector<Statistics> statistics;
  for (Entrant& entrant : entrants) statistics.push_back(statistics_of(std::move(entrant.samples)));
  return statistics;
}

}  // namespace relayout::cli
