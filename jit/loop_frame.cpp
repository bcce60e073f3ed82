#include <algorithm>
#include <string>
#include <variant>

#include "jit/emit_loops.hpp"

// What the loops need before the first instruction is emitted: whether the nest makes sense, how each loop
// keeps its guard, and where each loop keeps its state.

namespace relayout::jit {

namespace {

using asmjit::x86::Gp;
using plan::Loop;

constexpr std::int32_t kSlotBytes = 8;

template <class Container>
bool is_index(int index, const Container& container) {
  return index >= 0 && static_cast<std::size_t>(index) < container.size();
}

}  // namespace

bool LoopEmitter::valid() {
  if (nest_.loops.empty()) {
    emitter_.fail("a nest without loops");
    return false;
  }
  for (std::size_t depth = 0; depth < nest_.loops.size(); ++depth) {
    if (!valid_loop(depth)) return false;
  }
  const std::size_t cuttable = nest_.staging ? nest_.staging->first_loop : nest_.loops.size();
  if (nest_.cut_loop >= cuttable || loop(nest_.cut_loop).trips_from_table >= 0) {
    emitter_.fail("a nest is cut where it cannot be");
    return false;
  }
  if (nest_.block_fetch && !valid_block_fetch()) {
    emitter_.fail("a nest fetches blocks where it cannot");
    return false;
  }
  if (nest_.staging && nest_.staging->overlap_bytes != 0 && nest_.staging->row_loop >= cuttable) {
    emitter_.fail("staged runs overlap along a loop within their block");
    return false;
  }
  return true;
}

/// Registers of the fetched rows are not those that runs take to leave.
bool LoopEmitter::valid_block_fetch() const {
  if (!std::holds_alternative<plan::PermuteKernel>(nest_.kernel)) return false;
  const plan::BlockFetch& fetch = *nest_.block_fetch;
  if (!nest_.staging) return fetch.first_loop <= nest_.loops.size();
  return fetch.first_loop < nest_.staging->first_loop && fetch.first_loop > nest_.cut_loop &&
         fetch.destination.rows_per_call == 0 && nest_.staging->groups == 1 &&
         nest_.staging->fetch_bytes == 0;
}

bool LoopEmitter::valid_loop(std::size_t depth) {
  const Loop& l = loop(depth);
  const bool over_table = l.table >= 0;
  const bool from_table = l.trips_from_table >= 0;
  bool ok = !(over_table && (from_table || l.guard >= 0));
  if (over_table) ok = ok && is_index(l.table, nest_.tables);
  if (l.guard >= 0) ok = ok && is_index(l.guard, nest_.guards) && l.guard_step > 0;
  if (from_table) {
    const auto walks = [&](const Loop& outer) { return outer.table == l.trips_from_table; };
    ok = ok &&
         std::any_of(nest_.loops.begin(), nest_.loops.begin() + static_cast<std::ptrdiff_t>(depth), walks);
  }
  if (!ok) emitter_.fail("loop " + std::to_string(depth) + " of a nest contradicts itself");
  return ok;
}

bool LoopEmitter::never_runs() const {
  for (std::size_t depth = 0; depth < nest_.loops.size(); ++depth) {
    const Loop& l = loop(depth);
    if (l.table >= 0 && nest_.tables[static_cast<std::size_t>(l.table)].empty()) return true;
    const bool own_trips = l.table < 0 && l.trips_from_table < 0;
    if (own_trips && (l.trips <= 0 || fixed_trips(depth) <= 0)) return true;
  }
  return false;
}

std::int32_t LoopEmitter::new_slot() {
  const std::int32_t offset = frame_bytes_;
  frame_bytes_ += kSlotBytes;
  return offset;
}

void LoopEmitter::allocate() {
  first_slot_ = new_slot();
  last_slot_ = new_slot();
  if (nest_.staging) staged_slot_ = new_slot();
  if (nest_.staging && nest_.staging->overlap_bytes != 0) row_slot_ = new_slot();
  for (std::size_t i = 0; i < nest_.guards.size(); ++i) remaining_slots_.push_back(new_slot());
  std::vector<std::int32_t> lengths;
  for (std::size_t i = 0; i < nest_.tables.size(); ++i) lengths.push_back(new_slot());
  emitter_.set_length_slots(std::move(lengths));
  states_.resize(nest_.loops.size());
  for (std::size_t depth = 0; depth < states_.size(); ++depth) allocate_loop(depth);

  const Gp counters[] = {registers::kInnerCounter, registers::kOuterCounter};
  std::size_t used = 0;
  for (std::size_t depth = states_.size(); depth-- > 0;) {
    if (states_[depth].single_trip) continue;
    if (used < std::size(counters)) {
      states_[depth].counter_register = counters[used++];
    } else {
      states_[depth].counter_slot = new_slot();
    }
  }
}

void LoopEmitter::allocate_loop(std::size_t depth) {
  LoopState& state = states_[depth];
  const Loop& l = loop(depth);
  const GuardForm form = guard_form(depth);
  state.single_trip = !is_cut(depth) && form == GuardForm::kNone && counts_in_advance(depth) && l.trips == 1;
  if (state.single_trip) return;
  state.top = assembler_.newLabel();
  state.end = assembler_.newLabel();
  const bool reload = l.table >= 0 || (depth > 0 && !counts_in_advance(depth));
  if (reload) {
    state.source_slot = new_slot();
    state.destination_slot = new_slot();
  }
  const bool lowers_remaining = form == GuardForm::kStepped || (is_cut(depth) && l.guard >= 0);
  if (lowers_remaining && depth > 0) state.remaining_slot = new_slot();
  if (form == GuardForm::kCounted && overlaps(depth)) state.beyond_slot = new_slot();
  if (l.table >= 0) state.cursor_slot = new_slot();
}

LoopEmitter::GuardForm LoopEmitter::guard_form(std::size_t depth) const {
  const Loop& l = loop(depth);
  if (l.guard < 0) return GuardForm::kNone;
  const auto same_guard = [&](const Loop& other) { return other.guard == l.guard; };
  const bool only = std::count_if(nest_.loops.begin(), nest_.loops.end(), same_guard) == 1;
  if (only && !is_cut(depth) && l.trips_from_table < 0) return GuardForm::kFixed;
  return l.guard_step == 1 && is_innermost_of_guard(depth) ? GuardForm::kCounted : GuardForm::kStepped;
}

bool LoopEmitter::counts_in_advance(std::size_t depth) const {
  const GuardForm form = guard_form(depth);
  return !is_cut(depth) && loop(depth).table < 0 && loop(depth).trips_from_table < 0 &&
         (form == GuardForm::kNone || form == GuardForm::kFixed);
}

std::int64_t LoopEmitter::fixed_trips(std::size_t depth) const {
  const Loop& l = loop(depth);
  return l.guard < 0 ? l.trips : l.trips_within(guard_of(depth).limit);
}

bool LoopEmitter::overlaps(std::size_t depth) const {
  return loop(depth).guard >= 0 && guard_of(depth).overlaps() && is_innermost_of_guard(depth);
}

bool LoopEmitter::is_innermost_of_guard(std::size_t depth) const {
  return std::none_of(nest_.loops.begin() + static_cast<std::ptrdiff_t>(depth) + 1, nest_.loops.end(),
                      [&](const Loop& inner) { return inner.guard == loop(depth).guard; });
}

}  // namespace relayout::jit
