// Cutting a given list greedily gives the fewest phases. Lowering the limit while that number stays balances
// them: 3 + 3 slots ran at 0.74 of memcpy where 4 + 2 ran at 0.70 (bytes 64x64, Zen 5).

#include "src/plan/network/network_phases.hpp"

#include <algorithm>
#include <span>

namespace relayout::plan::network {
namespace {

constexpr std::size_t kUsualSlots = 6;

std::vector<Phase> cut_greedily(const std::vector<Stage>& stages, int max_slots) {
  std::vector<Phase> phases(1);
  for (int i = 0; i < static_cast<int>(stages.size()); ++i) {
    const int slot = stages[static_cast<std::size_t>(i)].slot;
    const std::vector<int>& live = phases.back().slots;
    const bool is_new = slot >= 0 && std::find(live.begin(), live.end(), slot) == live.end();
    if (is_new && static_cast<int>(live.size()) == max_slots)
      phases.push_back({.slots = {}, .first_stage = i, .last_stage = i});
    if (is_new) phases.back().slots.push_back(slot);
    phases.back().last_stage = i + 1;
  }
  return phases;
}

void add_missing(std::span<const int> wanted, std::vector<int>& slots) {
  for (const int slot : wanted)
    if (std::find(slots.begin(), slots.end(), slot) == slots.end()) slots.push_back(slot);
}

/// A phase of the stages [first, last) with `lines` live as well.
Phase phase_with(const std::vector<int>& lines, const std::vector<Stage>& stages, int first, int last) {
  Phase phase{.slots = {}, .first_stage = first, .last_stage = last};
  phase.slots.reserve(kUsualSlots);
  for (int i = first; i < last; ++i) {
    const int slot = stages[static_cast<std::size_t>(i)].slot;
    if (slot >= 0) add_missing({&slot, 1}, phase.slots);
  }
  add_missing(lines, phase.slots);
  return phase;
}

/// One phase or two with the lines' slots live where their side is accessed; none if the registers do not
/// hold that.
std::vector<Phase> cut_between_lines(const std::vector<Stage>& stages, int max_slots,
                                     const LineSlots& lines) {
  const int count = static_cast<int>(stages.size());
  const auto limit = static_cast<std::size_t>(max_slots);
  Phase whole = phase_with(lines.source, stages, 0, count);
  add_missing(lines.destination, whole.slots);
  if (whole.slots.size() <= limit) return {whole};
  std::vector<Phase> best;
  std::size_t fewest = limit + 1;
  for (int cut = 0; cut <= count; ++cut) {
    Phase first = phase_with(lines.source, stages, 0, cut);
    Phase last = phase_with(lines.destination, stages, cut, count);
    const std::size_t most = std::max(first.slots.size(), last.slots.size());
    if (most >= fewest) continue;
    fewest = most;
    best = {std::move(first), std::move(last)};
  }
  return best;
}

/// Takes no more registers than its vectors and a spare one.
bool needs_one_spare(const Stage& stage) {
  const bool blends = stage.move == Move::kBlendExchange32 || stage.move == Move::kBlendExchange64;
  return stage.tables.empty() && stage.shift_bits == 0 && !blends;
}

}  // namespace

std::optional<Phase> phase_half_by_half(const std::vector<Stage>& stages, int max_slots) {
  const int count = static_cast<int>(stages.size());
  if (count == 0 || !std::ranges::all_of(stages, needs_one_spare)) return std::nullopt;
  const int last = stages.back().slot;
  if (last < 0 || std::ranges::count(stages, last, &Stage::slot) != 1) return std::nullopt;
  Phase phase = phase_with({}, stages, 0, count);
  if (static_cast<int>(phase.slots.size()) != max_slots + 1) return std::nullopt;
  phase.half_by_half = true;
  return phase;
}

std::vector<Phase> cut_into_phases(const std::vector<Stage>& stages, int max_slots, const LineSlots& lines) {
  if (!lines.source.empty() || !lines.destination.empty()) {
    std::vector<Phase> between = cut_between_lines(stages, max_slots, lines);
    if (!between.empty()) return between;
  }
  std::vector<Phase> phases = cut_greedily(stages, max_slots);
  if (phases.size() == 1) return phases;
  for (int limit = max_slots - 1; limit > 0; --limit) {
    std::vector<Phase> balanced = cut_greedily(stages, limit);
    if (balanced.size() != phases.size()) break;
    phases = std::move(balanced);
  }
  return phases;
}

}  // namespace relayout::plan::network
