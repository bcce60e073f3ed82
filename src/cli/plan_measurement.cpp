#include "src/cli/plan_measurement.hpp"

#include <algorithm>

#include "src/cli/huge_buffer.hpp"
#include "src/cli/timing.hpp"

namespace relayout::cli {
namespace {

constexpr double kSecondsEach = 0.15;

/// The core's frequency, from additions that wait for each other: one a cycle on every processor with AVX2,
/// if they are of registers. Golden Cove adds constants while it renames registers, several a cycle.
double measured_gigahertz() {
  constexpr std::int64_t kAdditions = 1 << 20;
  double least = 1;
  for (int round = 0; round < 5; ++round) {
    const double start = now_seconds();
    std::int64_t sum = 0;
    const std::int64_t one = 1;
    for (std::int64_t i = 0; i < kAdditions; i += 8) {
      asm volatile(
          "add %1, %0\n add %1, %0\n add %1, %0\n add %1, %0\n"
          "add %1, %0\n add %1, %0\n add %1, %0\n add %1, %0"
          : "+r"(sum)
          : "r"(one));
    }
    least = std::min(least, now_seconds() - start);
  }
  return static_cast<double>(kAdditions) / least / 1e9;
}

}  // namespace

Result<PlanMeasurement> measure_plans(const PairRequest& pair, const std::vector<std::string>& choices) {
  std::vector<Relayout> plans;
  for (const std::string& choice : choices) {
    CompileOptions options = pair.options;
    options.choice = choice;
    options.tune = Tuning::kPredict;
    const auto plan = compile(pair.source, pair.destination, options);
    if (!plan) return plan.error();
    plans.push_back(*plan);
  }
  const auto source = HugeBuffer::allocate(static_cast<std::size_t>(pair.source.size_bytes()));
  if (!source) return source.error();
  const auto destination = HugeBuffer::allocate(static_cast<std::size_t>(pair.destination.size_bytes()), 64);
  if (!destination) return destination.error();
  std::vector<Contender> contenders;
  for (const Relayout& plan : plans) {
    contenders.push_back(repeated([&] { plan(source->data(), destination->data()); }));
  }
  Budget budget{.seconds = kSecondsEach * static_cast<double>(plans.size())};
  budget.warm_each_sample = pair.source.size_bytes() + pair.destination.size_bytes() <= kWarmBytes;
  PlanMeasurement measurement;
  for (const Statistics& one : time_in_turns(contenders, budget)) measurement.seconds.push_back(one.median);
  measurement.gigahertz = measured_gigahertz();
  measurement.page_kib = std::min(source->page_kib(), destination->page_kib());
  return measurement;
}

}  // namespace relayout::cli
