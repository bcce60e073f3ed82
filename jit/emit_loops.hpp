#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <asmjit/x86.h>

#include "jit/emit_run_copy.hpp"
#include "jit/emitter.hpp"
#include "src/plan/model/plan.hpp"

namespace relayout::jit {

/// Emits one function: prologue, the loops of a nest around one copy of a kernel's body, epilogue.
///
/// Loops of fixed trips undo their pointer steps by a constant, which is merged with the next step of the
/// loop around them; the other loops save the pointers in the stack frame and load them back.
class LoopEmitter {
 public:
  /// All three outlive this.
  LoopEmitter(Emitter& emitter, const plan::Nest& nest, KernelEmitter& kernel);

  void emit();

 private:
  static constexpr std::int32_t kNone = -1;

  /// How a loop keeps its guard. What remains is only counted down in memory where it has to be: that chain
  /// of loads and stores takes several cycles a trip.
  enum class GuardForm : std::uint8_t {
    kNone,
    kFixed,    ///< the only loop of its guard: its trips are known when the code is made
    kCounted,  ///< the innermost loop of its guard, in steps of 1: trips = min(trips, remaining), once
    kStepped,  ///< what remains is counted down
  };

  /// Where a loop keeps its state; slots are offsets from rsp.
  struct LoopState {
    asmjit::Label top;
    asmjit::Label end;
    bool single_trip = false;  ///< nothing to count
    asmjit::x86::Gp counter_register;
    std::int32_t counter_slot = kNone;
    std::int32_t source_slot = kNone;  ///< pointers at the loop's start, where they have to be loaded back
    std::int32_t destination_slot = kNone;
    std::int32_t remaining_slot = kNone;  ///< what remained of the guard at the loop's start
    std::int32_t beyond_slot = kNone;     ///< what remains of the guard after the loop's last trip
    std::int32_t cursor_slot = kNone;     ///< address of the current entry of the loop's table
  };

  /// Steps of the pointers for the rare case of a branch, kept out of the way of the common one.
  struct RareSteps {
    asmjit::Label start;
    asmjit::Label back;
    std::int64_t source_bytes = 0;
    std::int64_t destination_bytes = 0;
  };

  bool valid();
  bool valid_block_fetch() const;
  bool valid_loop(std::size_t depth);
  bool never_runs() const;
  void allocate();
  void allocate_loop(std::size_t depth);
  std::int32_t new_slot();

  void emit_prologue();
  void emit_epilogue();
  void emit_rare_steps();
  void emit_guard_limits();
  void emit_prepare();
  void emit_loop(std::size_t depth);
  void emit_fetched_block();
  void emit_one_loop(std::size_t depth);
  void emit_staged_loops(std::size_t depth);
  void emit_background();
  void emit_staged_runs();
  void emit_staged_run(const std::optional<LineFetch>& fetch);
  void emit_entry(std::size_t depth);
  void emit_row_start(std::size_t depth);
  void emit_cut_entry(std::size_t depth);
  void emit_cut_offset(std::size_t depth);
  void emit_stepped_guard(std::size_t depth);
  void emit_counted_guard(std::size_t depth);
  void emit_table_start(std::size_t depth);
  void emit_table_entry(std::size_t depth);
  void emit_iteration(std::size_t depth);
  void emit_overlap(std::size_t depth, int direction);
  void emit_compare_remaining_with_1(std::size_t depth);
  void emit_back_edge(std::size_t depth);
  void emit_exit(std::size_t depth);
  void note_loop(std::size_t depth);

  /// Moves the pointers, at the next `flush` at the latest.
  void advance(std::int64_t source_bytes, std::int64_t destination_bytes);
  void flush();

  const plan::Loop& loop(std::size_t depth) const { return nest_.loops[depth]; }
  const plan::Guard& guard_of(std::size_t depth) const {
    return nest_.guards[static_cast<std::size_t>(loop(depth).guard)];
  }
  GuardForm guard_form(std::size_t depth) const;
  /// With the guard's limit all its own: an upper bound of the trips, exact for a loop that counts in
  /// advance.
  std::int64_t fixed_trips(std::size_t depth) const;
  bool overlaps(std::size_t depth) const;
  bool counts_in_advance(std::size_t depth) const;
  bool is_innermost_of_guard(std::size_t depth) const;
  bool is_cut(std::size_t depth) const { return depth == nest_.cut_loop; }
  /// Whether the loop goes from one staged run to the next that overlaps it.
  bool walks_row(std::size_t depth) const {
    return nest_.staging && nest_.staging->overlap_bytes != 0 && depth == nest_.staging->row_loop;
  }
  static asmjit::x86::Mem slot(std::int32_t offset);
  asmjit::x86::Mem remaining(int guard) const;

  Emitter& emitter_;
  asmjit::x86::Assembler& assembler_;
  const plan::Nest& nest_;
  KernelEmitter& kernel_;
  std::vector<LoopState> states_;
  std::vector<RareSteps> rare_steps_;
  std::vector<std::int32_t> remaining_slots_;
  std::int32_t first_slot_ = kNone;
  std::int32_t last_slot_ = kNone;
  std::int32_t staged_slot_ = kNone;  ///< the destination while the scratch takes its place
  std::int32_t row_slot_ = kNone;     ///< which of a row's staged runs is under way, where they overlap
  std::int32_t frame_bytes_ = 0;
  std::int64_t pending_source_bytes_ = 0;
  std::int64_t pending_destination_bytes_ = 0;
};

}  // namespace relayout::jit
