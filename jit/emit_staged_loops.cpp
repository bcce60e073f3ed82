#include <optional>

#include "jit/emit_loops.hpp"
#include "jit/emit_run_copy.hpp"
#include "src/plan/plan_text.hpp"

// Blocks that a kernel writes to the scratch, and the runs that leave it for the destination (plan::Staging).

namespace relayout::jit {

namespace {

using asmjit::x86::Gp;
using asmjit::x86::Mem;
using registers::kDestination;
using registers::kSource;

/// While staged runs leave, when neither loops nor kernel need them.
constexpr Gp kStagedRun = registers::kTemporary[2];
constexpr Gp kRunsLeft = registers::kTemporary[1];
constexpr Gp kGroupsLeft = registers::kHoisted[5];
constexpr Gp kFetchedAsRunsLeave = registers::kHoisted[6];

}  // namespace

/// The loops from `depth` on, with the scratch for a destination, then the way of their runs out of it. The
/// copy overwrites registers that the kernel prepares.
void LoopEmitter::emit_staged_loops(std::size_t depth) {
  const plan::Staging& staging = *nest_.staging;
  const Mem scratch = emitter_.address(registers::kScratch, staging.scratch_offset_bytes);
  flush();
  assembler_.mov(slot(staged_slot_), kDestination);
  assembler_.lea(kDestination,
                 emitter_.address(registers::kScratch, staging.scratch_offset_bytes + staging.first_bytes));
  emit_prepare();
  const bool streaming = emitter_.streaming();
  emitter_.set_streaming(false);
  emit_one_loop(depth);
  emitter_.set_streaming(streaming);
  pending_destination_bytes_ = 0;
  flush();
  emitter_.note("staged runs");
  emitter_.mark(plan::loop_row(depth));
  assembler_.mov(kDestination, slot(staged_slot_));
  assembler_.lea(kStagedRun, scratch);
  emit_staged_runs();
  if (staging.all_runs() > 1) assembler_.mov(kDestination, slot(staged_slot_));
}

/// The scratch's runs, and what lies between them, hold padding: once, for blocks write only data. It stays
/// in the cache, and no mask is prepared yet.
void LoopEmitter::emit_background() {
  const plan::Staging& staging = *nest_.staging;
  const bool streaming = emitter_.streaming();
  emitter_.note("background of the scratch");
  assembler_.mov(slot(staged_slot_), kDestination);
  assembler_.lea(kDestination, emitter_.address(registers::kScratch, staging.scratch_offset_bytes));
  emitter_.set_streaming(false);
  emitter_.set_under_masks(false);
  const plan::FillKernel fill{staging.scratch_bytes(), staging.background};
  const auto filler = make_fill_emitter(fill, emitter_.target(), 0);
  filler->prepare(emitter_);
  filler->body(emitter_);
  emitter_.set_streaming(streaming);
  emitter_.set_under_masks(nest_.under_masks);
  assembler_.mov(kDestination, slot(staged_slot_));
}

/// The runs of all groups, from kStagedRun on, to the destination.
void LoopEmitter::emit_staged_runs() {
  const plan::Staging& staging = *nest_.staging;
  const asmjit::Label group = assembler_.newLabel();
  const asmjit::Label run = assembler_.newLabel();
  std::optional<LineFetch> fetch;
  if (staging.fetch_bytes != 0) {
    fetch = LineFetch{kFetchedAsRunsLeave};
    assembler_.lea(kFetchedAsRunsLeave, emitter_.address(kSource, staging.fetch_bytes));
  }
  if (staging.groups > 1) emitter_.move_immediate(kGroupsLeft, staging.groups);
  assembler_.bind(group);
  if (staging.runs > 1) emitter_.move_immediate(kRunsLeft, staging.runs);
  assembler_.bind(run);
  emit_staged_run(fetch);
  if (staging.all_runs() == 1) return;
  if (fetch) emitter_.add_immediate(kFetchedAsRunsLeave, staging.run_bytes);
  emitter_.add_immediate(kStagedRun, staging.scratch_stride_bytes);
  emitter_.add_immediate(kDestination, staging.run_stride_bytes);
  if (staging.runs > 1) {
    assembler_.dec(kRunsLeft);
    assembler_.jnz(run);
  }
  if (staging.groups == 1) return;
  emitter_.add_immediate(kDestination, staging.group_stride_bytes - staging.runs * staging.run_stride_bytes);
  assembler_.dec(kGroupsLeft);
  assembler_.jnz(group);
}

void LoopEmitter::emit_staged_run(const std::optional<LineFetch>& fetch) {
  const plan::Staging& staging = *nest_.staging;
  const RunCopy run{kStagedRun, kDestination, staging.run_bytes, staging.next_bytes, fetch};
  if (staging.overlap_bytes == 0) return emit_run_copy(emitter_, run);
  emit_run_copy(emitter_, run,
                {slot(row_slot_), nest_.loops[staging.row_loop].trips - 1, staging.overlap_bytes});
}

}  // namespace relayout::jit
