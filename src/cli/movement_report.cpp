#include "src/cli/movement_report.hpp"

#include <algorithm>
#include <array>

#include "src/cli/copies.hpp"
#include "src/cli/timing.hpp"

namespace relayout::cli {
namespace {

/// Modules repeat themselves over hundreds of instructions: less than `compare` takes for one pair.
constexpr double kSecondsPerPair = 0.1;

Result<bool> is_proved(const Layout& source, const Layout& destination) {
  const auto proof = prove(source, destination);
  if (!proof) return proof.error();
  return proof->ok;
}

}  // namespace

void note_proof(const Result<bool>& proved, MovementReport& report) {
  if (proved) {
    report.verified = *proved;
  } else {
    report.movement.note = proved.error().message;
  }
}

MovementReport MovementReporter::report(hlo::Movement movement) {
  MovementReport report{std::move(movement), {}, std::nullopt, std::nullopt};
  const hlo::Movement& known = report.movement;
  if (known.is_free) {
    // Equal offsets were proved when it was found free; a bitcast is right if its buffers are one size.
    if (tasks_.verify && known.note.empty()) report.verified = true;
  } else if (known.source && known.destination) {
    convert(report);
  }
  return report;
}

void MovementReporter::convert(MovementReport& report) {
  hlo::Movement& movement = report.movement;
  auto compiled = compile(*movement.source, *movement.destination);
  if (!compiled) {
    movement.note = compiled.error().message;
    return;
  }
  report.kernel = compiled->kernel();
  Known& known = known_.try_emplace(&compiled->compiled(), Known{*compiled, {}, {}}).first->second;
  if (tasks_.verify) {
    if (!known.verified) known.verified = is_proved(*movement.source, *movement.destination);
    note_proof(*known.verified, report);
  }
  if (tasks_.bench) {
    if (!known.times) known.times = measure(known.convert);
    if (known.times->ok()) report.times = **known.times;
    if (!known.times->ok()) movement.note = known.times->error().message;
  }
}

Result<MovementTimes> MovementReporter::measure(const Relayout& convert) {
  const std::int64_t longer = std::max(convert.source_bytes(), convert.destination_bytes());
  if (const Status reserved = buffers_.reserve(static_cast<std::size_t>(longer)); !reserved) {
    return reserved.error();
  }
  const std::byte* source = buffers_.source();
  std::byte* destination = buffers_.destination();
  const std::int64_t bytes = convert.source_bytes() + convert.destination_bytes();
  const std::array contenders = {repeated([=] { convert(source, destination); }), repeated([=] {
                                   library_copy(source, destination, static_cast<std::size_t>(bytes / 2));
                                 })};
  Budget budget{.seconds = kSecondsPerPair};
  budget.warm_each_sample = bytes <= kWarmBytes;
  const std::vector<Statistics> seconds = time_in_turns(contenders, budget);
  return MovementTimes{seconds[0].median, seconds[1].median};
}

}  // namespace relayout::cli
