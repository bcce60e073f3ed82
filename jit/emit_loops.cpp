#include "jit/emit_loops.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "src/plan/plan_text.hpp"

// The shape of a function, for loops a (counted, cut into parts), b (guarded), c (table):
//
//     save registers; keep first and last; pointers += bases; remaining = limits
//     prepare
//     pointers += first * step; count = last - first; leave if none
//   a:  remaining > 0 or leave; keep pointers and remaining
//   b:    keep pointers; cursor = table
//   c:      pointers = kept + offsets of *cursor; length = length of *cursor
//           body
//           cursor += 1 entry; until count is 0, c
//         pointers = kept, += step; remaining -= guard step, leave if none; until count is 0, b
//       pointers = kept, remaining = kept; pointers += step; until count is 0, a
//     restore registers

namespace relayout::jit {

namespace {

using asmjit::x86::Gp;
using asmjit::x86::Mem;
using plan::Loop;
using registers::kDestination;
using registers::kSource;

constexpr Gp kSavedRegisters[] = {asmjit::x86::rbx, asmjit::x86::rbp, asmjit::x86::r12,
                                  asmjit::x86::r13, asmjit::x86::r14, asmjit::x86::r15};
constexpr Gp kRax = registers::kTemporary[0];
constexpr Gp kFirst = asmjit::x86::rdx;
constexpr Gp kLast = asmjit::x86::rcx;
constexpr std::int32_t kPushBytes = 8;
constexpr std::int64_t kEntryBytes = 24;
constexpr std::uint32_t kLoopAlignmentBytes = 32;

/// Entries as the code reads them: length, source offset, destination offset, 64 bits each.
std::vector<std::uint8_t> table_bytes(const plan::RunTable& table) {
  std::vector<std::uint8_t> bytes(table.size() * kEntryBytes);
  std::uint8_t* to = bytes.data();
  for (const plan::Run& run : table) {
    const std::int64_t entry[] = {run.length, run.source_offset_bytes, run.destination_offset_bytes};
    std::memcpy(to, entry, sizeof entry);
    to += sizeof entry;
  }
  return bytes;
}

}  // namespace

LoopEmitter::LoopEmitter(Emitter& emitter, const plan::Nest& nest, KernelEmitter& kernel)
    : emitter_(emitter), assembler_(emitter.assembler()), nest_(nest), kernel_(kernel) {}

void LoopEmitter::emit() {
  if (!valid()) return;
  allocate();
  emit_prologue();
  if (!never_runs()) {
    emit_guard_limits();
    flush();
    if (!nest_.staging) emit_prepare();
    if (nest_.staging && !nest_.staging->background.empty()) emit_background();
    emit_loop(0);
  }
  emit_epilogue();
  emit_rare_steps();
}

Mem LoopEmitter::slot(std::int32_t offset) {
  return asmjit::x86::qword_ptr(asmjit::x86::rsp, offset);
}

Mem LoopEmitter::remaining(int guard) const {
  return slot(remaining_slots_[static_cast<std::size_t>(guard)]);
}

void LoopEmitter::emit_prologue() {
  emitter_.mark(plan::kNestRow);
  std::int32_t caller_distance = kPushBytes;
  emitter_.mark_frame(caller_distance);
  for (const Gp& saved : kSavedRegisters) {
    assembler_.push(saved);
    emitter_.mark_frame(caller_distance += kPushBytes, &saved);
  }
  assembler_.sub(asmjit::x86::rsp, frame_bytes_);
  emitter_.mark_frame(caller_distance + frame_bytes_);
  assembler_.mov(slot(first_slot_), kFirst);
  assembler_.mov(slot(last_slot_), kLast);
  advance(nest_.source_base_bytes, nest_.destination_base_bytes);
}

void LoopEmitter::emit_epilogue() {
  emitter_.mark(plan::kNestRow);
  assembler_.vzeroupper();
  assembler_.add(asmjit::x86::rsp, frame_bytes_);
  for (std::size_t i = std::size(kSavedRegisters); i-- > 0;) {
    emitter_.mark_frame(static_cast<std::int32_t>(i + 2) * kPushBytes);
    assembler_.pop(kSavedRegisters[i]);
  }
  emitter_.mark_frame(kPushBytes);
  assembler_.ret();
  emitter_.mark_frame(static_cast<std::int32_t>(std::size(kSavedRegisters) + 1) * kPushBytes + frame_bytes_);
}

void LoopEmitter::emit_rare_steps() {
  for (const RareSteps& steps : rare_steps_) {
    assembler_.bind(steps.start);
    emitter_.add_immediate(kSource, steps.source_bytes);
    emitter_.add_immediate(kDestination, steps.destination_bytes);
    assembler_.jmp(steps.back);
  }
}

void LoopEmitter::emit_guard_limits() {
  for (std::size_t i = 0; i < nest_.guards.size(); ++i) {
    const plan::Guard& guard = nest_.guards[i];
    const auto uses = [&](const Loop& l) { return l.guard == static_cast<int>(i); };
    if (std::any_of(nest_.loops.begin(), nest_.loops.end(), uses)) {
      emitter_.move_immediate(kRax, guard.limit);
      assembler_.mov(slot(remaining_slots_[i]), kRax);
    } else if (guard.limit == 1) {
      advance(-guard.source_back_bytes, -guard.destination_back_bytes);
    }
  }
}

void LoopEmitter::emit_prepare() {
  emitter_.note("prepare");
  emitter_.mark_kernel();
  if (nest_.under_masks) emitter_.prepare_mask();
  kernel_.prepare(emitter_);
}

void LoopEmitter::emit_loop(std::size_t depth) {
  if (nest_.block_fetch && nest_.block_fetch->first_loop == depth) emit_fetched_block();
  if (nest_.staging && depth == nest_.staging->first_loop) {
    emit_staged_loops(depth);
  } else {
    emit_one_loop(depth);
  }
}

/// The rows that are fetched while this block is moved.
void LoopEmitter::emit_fetched_block() {
  flush();
  const plan::BlockFetch& fetch = *nest_.block_fetch;
  assembler_.lea(registers::kFetchedSource, emitter_.address(kSource, fetch.source.ahead_bytes));
  if (fetch.destination.rows_per_call > 0)
    assembler_.lea(registers::kFetchedDestination,
                   emitter_.address(kDestination, fetch.destination.ahead_bytes));
}

void LoopEmitter::emit_one_loop(std::size_t depth) {
  if (depth == nest_.loops.size()) {
    flush();
    emitter_.note("body");
    emitter_.mark_kernel();
    kernel_.body(emitter_);
    return;
  }
  note_loop(depth);
  emitter_.mark(plan::loop_row(depth));
  LoopState& state = states_[depth];
  if (state.single_trip) {
    emit_loop(depth + 1);
    return;
  }
  emit_entry(depth);
  if (depth + 1 == nest_.loops.size()) assembler_.align(asmjit::AlignMode::kCode, kLoopAlignmentBytes);
  assembler_.bind(state.top);
  emit_iteration(depth);
  emitter_.mark(plan::loop_row(depth));
  emit_back_edge(depth);
  emit_exit(depth);
}

void LoopEmitter::emit_entry(std::size_t depth) {
  const Loop& l = loop(depth);
  LoopState& state = states_[depth];
  flush();
  if (state.source_slot != kNone) {
    assembler_.mov(slot(state.source_slot), kSource);
    assembler_.mov(slot(state.destination_slot), kDestination);
  }
  if (walks_row(depth)) emit_row_start(depth);
  if (is_cut(depth)) {
    emit_cut_entry(depth);
  } else if (l.trips_from_table >= 0) {
    assembler_.mov(kRax, emitter_.current_length(l.trips_from_table));
  } else if (l.table >= 0) {
    emitter_.move_immediate(
        kRax, static_cast<std::int64_t>(nest_.tables[static_cast<std::size_t>(l.table)].size()));
  } else {
    emitter_.move_immediate(kRax, counts_in_advance(depth) ? fixed_trips(depth) : l.trips);
  }
  const GuardForm form = guard_form(depth);
  if (form == GuardForm::kCounted) emit_counted_guard(depth);
  if (state.counter_slot == kNone) {
    assembler_.mov(state.counter_register, kRax);
  } else {
    assembler_.mov(slot(state.counter_slot), kRax);
  }
  if (form == GuardForm::kStepped) emit_stepped_guard(depth);
  if (l.trips_from_table >= 0 || form == GuardForm::kCounted) {
    assembler_.test(kRax, kRax);
    assembler_.jle(state.end);
  }
  if (l.table >= 0) emit_table_start(depth);
}

/// A part may begin within the row.
void LoopEmitter::emit_row_start(std::size_t depth) {
  if (!is_cut(depth)) {
    assembler_.mov(slot(row_slot_), 0);
    return;
  }
  assembler_.mov(kRax, slot(first_slot_));
  assembler_.mov(slot(row_slot_), kRax);
}

/// Leaves the number of trips in rax, the pointers at trip `first`.
void LoopEmitter::emit_cut_entry(std::size_t depth) {
  const Loop& l = loop(depth);
  const LoopState& state = states_[depth];
  if (state.remaining_slot != kNone) {
    assembler_.mov(kRax, remaining(l.guard));
    assembler_.mov(slot(state.remaining_slot), kRax);
  }
  assembler_.mov(kFirst, slot(first_slot_));
  if (l.table < 0) emit_cut_offset(depth);
  assembler_.mov(kRax, slot(last_slot_));
  assembler_.sub(kRax, kFirst);
  assembler_.jle(state.end);
}

/// Pointers += first * step; remaining -= first * guard step.
void LoopEmitter::emit_cut_offset(std::size_t depth) {
  const Loop& l = loop(depth);
  const auto multiply = [&](std::int64_t factor) {
    emitter_.move_immediate(kRax, factor);
    assembler_.imul(kRax, kFirst);
  };
  if (l.source_step_bytes != 0) {
    multiply(l.source_step_bytes);
    assembler_.add(kSource, kRax);
  }
  if (l.destination_step_bytes != 0) {
    multiply(l.destination_step_bytes);
    assembler_.add(kDestination, kRax);
  }
  if (l.guard >= 0) {
    multiply(l.guard_step);
    assembler_.sub(remaining(l.guard), kRax);
  }
}

/// Lowers the trips in rax to what remains.
void LoopEmitter::emit_counted_guard(std::size_t depth) {
  const Gp rest = registers::kTemporary[1];
  assembler_.mov(rest, remaining(loop(depth).guard));
  assembler_.cmp(kRax, rest);
  assembler_.cmovg(kRax, rest);
  if (states_[depth].beyond_slot == kNone) return;
  assembler_.sub(rest, kRax);
  assembler_.mov(slot(states_[depth].beyond_slot), rest);
}

void LoopEmitter::emit_stepped_guard(std::size_t depth) {
  const LoopState& state = states_[depth];
  const Gp rest = registers::kTemporary[1];
  assembler_.mov(rest, remaining(loop(depth).guard));
  if (state.remaining_slot != kNone && !is_cut(depth)) assembler_.mov(slot(state.remaining_slot), rest);
  assembler_.test(rest, rest);
  assembler_.jle(state.end);
}

void LoopEmitter::emit_table_start(std::size_t depth) {
  const Mem table = emitter_.constant(table_bytes(nest_.tables[static_cast<std::size_t>(loop(depth).table)]));
  assembler_.lea(kRax, table);
  if (is_cut(depth)) {
    const Gp offset = registers::kTemporary[1];
    assembler_.imul(offset, slot(first_slot_), kEntryBytes);
    assembler_.add(kRax, offset);
  }
  assembler_.mov(slot(states_[depth].cursor_slot), kRax);
}

/// The pointers and the length for the entry at the cursor; moves the cursor on.
void LoopEmitter::emit_table_entry(std::size_t depth) {
  const LoopState& state = states_[depth];
  const Gp length = registers::kTemporary[1];
  assembler_.mov(kRax, slot(state.cursor_slot));
  assembler_.mov(kSource, slot(state.source_slot));
  assembler_.mov(kDestination, slot(state.destination_slot));
  assembler_.mov(length, asmjit::x86::qword_ptr(kRax));
  assembler_.add(kSource, asmjit::x86::qword_ptr(kRax, 8));
  assembler_.add(kDestination, asmjit::x86::qword_ptr(kRax, 16));
  assembler_.mov(emitter_.current_length(loop(depth).table), length);
  assembler_.add(kRax, kEntryBytes);
  assembler_.mov(slot(state.cursor_slot), kRax);
}

void LoopEmitter::emit_iteration(std::size_t depth) {
  if (loop(depth).table >= 0) emit_table_entry(depth);
  if (overlaps(depth)) emit_overlap(depth, -1);
  emit_loop(depth + 1);
  if (overlaps(depth)) emit_overlap(depth, 1);
}

/// On the last step of all, moves the pointers by the guard's overlap in `direction`. What remains of a guard
/// is constant within its innermost loop's iteration, so this need not be next to the body.
void LoopEmitter::emit_overlap(std::size_t depth, int direction) {
  const plan::Guard& guard = guard_of(depth);
  const std::int64_t last_step = guard.limit - 1;
  const std::int64_t guard_step = loop(depth).guard_step;
  const bool never = last_step % guard_step != 0 || last_step / guard_step >= fixed_trips(depth);
  if (guard_form(depth) == GuardForm::kFixed && never) return;
  const RareSteps steps{assembler_.newLabel(), assembler_.newLabel(), direction * guard.source_back_bytes,
                        direction * guard.destination_back_bytes};
  emit_compare_remaining_with_1(depth);
  assembler_.je(steps.start);
  assembler_.bind(steps.back);
  rare_steps_.push_back(steps);
}

/// With trips fixed so that 1 can remain at all, it does on the last of them; otherwise as much remains as
/// trips are left and what lies beyond them.
void LoopEmitter::emit_compare_remaining_with_1(std::size_t depth) {
  const LoopState& state = states_[depth];
  if (guard_form(depth) == GuardForm::kStepped) {
    assembler_.cmp(remaining(loop(depth).guard), 1);
    return;
  }
  if (state.counter_slot == kNone && state.beyond_slot == kNone) {
    assembler_.cmp(state.counter_register, 1);
    return;
  }
  if (state.counter_slot == kNone) {
    assembler_.mov(kRax, state.counter_register);
  } else {
    assembler_.mov(kRax, slot(state.counter_slot));
  }
  if (state.beyond_slot != kNone) assembler_.add(kRax, slot(state.beyond_slot));
  assembler_.cmp(kRax, 1);
}

void LoopEmitter::emit_back_edge(std::size_t depth) {
  const Loop& l = loop(depth);
  const LoopState& state = states_[depth];
  if (l.table >= 0) {
    pending_source_bytes_ = 0;  // the next entry starts from the kept pointers
    pending_destination_bytes_ = 0;
  } else {
    advance(l.source_step_bytes, l.destination_step_bytes);
    flush();
  }
  if (walks_row(depth)) assembler_.inc(slot(row_slot_));
  if (guard_form(depth) == GuardForm::kStepped) {
    emitter_.move_immediate(kRax, l.guard_step);
    assembler_.sub(remaining(l.guard), kRax);
    assembler_.jle(state.end);
  }
  if (state.counter_slot == kNone) {
    assembler_.dec(state.counter_register);
  } else {
    assembler_.dec(slot(state.counter_slot));
  }
  assembler_.jnz(state.top);
}

void LoopEmitter::emit_exit(std::size_t depth) {
  const Loop& l = loop(depth);
  const LoopState& state = states_[depth];
  assembler_.bind(state.end);
  if (depth == 0) return;
  if (state.source_slot != kNone) {
    assembler_.mov(kSource, slot(state.source_slot));
    assembler_.mov(kDestination, slot(state.destination_slot));
  } else {
    const std::int64_t trips = fixed_trips(depth);
    advance(-trips * l.source_step_bytes, -trips * l.destination_step_bytes);
  }
  if (state.remaining_slot != kNone) {
    assembler_.mov(kRax, slot(state.remaining_slot));
    assembler_.mov(remaining(l.guard), kRax);
  }
}

void LoopEmitter::note_loop(std::size_t depth) {
  if (!emitter_.annotating()) return;
  const Loop& l = loop(depth);
  std::string text = "loop " + std::to_string(depth) + ": ";
  if (l.table >= 0) {
    text += "entries of table " + std::to_string(l.table);
  } else {
    text += l.trips_from_table >= 0 ? "length of table " + std::to_string(l.trips_from_table)
                                    : std::to_string(l.trips);
    text += " trips, source step " + std::to_string(l.source_step_bytes) + ", destination step " +
            std::to_string(l.destination_step_bytes);
  }
  if (l.guard >= 0) text += ", guard " + std::to_string(l.guard) + " step " + std::to_string(l.guard_step);
  emitter_.note(text);
}

void LoopEmitter::advance(std::int64_t source_bytes, std::int64_t destination_bytes) {
  pending_source_bytes_ += source_bytes;
  pending_destination_bytes_ += destination_bytes;
}

void LoopEmitter::flush() {
  emitter_.add_immediate(kSource, pending_source_bytes_);
  emitter_.add_immediate(kDestination, pending_destination_bytes_);
  pending_source_bytes_ = 0;
  pending_destination_bytes_ = 0;
}

}  // namespace relayout::jit
