#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <asmjit/x86.h>

#include "jit/marks.hpp"
#include "jit/target.hpp"
#include "relayout/result.hpp"
#include "src/plan/model/plan.hpp"

namespace relayout::jit {

/// General registers of a generated function, allocated by hand.
///
/// Kernels address memory relative to `kSource` and `kDestination`, which the loops move; a body may move
/// them too but has to leave them as it found them. rsp, `kInnerCounter` and `kOuterCounter` belong to the
/// loops, the 128 bytes below rsp to bodies, so that nothing is pushed or called between them.
namespace registers {
inline constexpr asmjit::x86::Gp kSource = asmjit::x86::rdi;
inline constexpr asmjit::x86::Gp kDestination = asmjit::x86::rsi;
/// Memory for networks of several phases, from the caller; 64-byte alignment is not promised. Never moved.
inline constexpr asmjit::x86::Gp kScratch = asmjit::x86::r8;
inline constexpr asmjit::x86::Gp kInnerCounter = asmjit::x86::r12;
inline constexpr asmjit::x86::Gp kOuterCounter = asmjit::x86::r13;
/// Free within prepare and within a body; the loops overwrite them between bodies.
inline constexpr asmjit::x86::Gp kTemporary[] = {asmjit::x86::rax, asmjit::x86::rcx, asmjit::x86::rdx};
/// Set in prepare, kept over all bodies: stride multiples, lengths, table addresses.
inline constexpr asmjit::x86::Gp kHoisted[] = {asmjit::x86::r9,  asmjit::x86::r10, asmjit::x86::r11,
                                               asmjit::x86::rbx, asmjit::x86::rbp, asmjit::x86::r14,
                                               asmjit::x86::r15};
/// Where a nest fetches blocks (plan::BlockFetch), the rows to be fetched next: set by the loops as a block
/// begins, moved on by its bodies.
inline constexpr asmjit::x86::Gp kFetchedSource = kHoisted[5];
inline constexpr asmjit::x86::Gp kFetchedDestination = kHoisted[6];
/// The mask of Emitter::under_masks, with and without AVX-512.
inline constexpr asmjit::x86::KReg kMaskOfOnes = asmjit::x86::k7;
inline constexpr asmjit::x86::Ymm kVectorOfOnes = asmjit::x86::ymm15;
}  // namespace registers

/// What all emitters of one plan share: the assembler, the target, the constants and the first error. All
/// vector and mask registers belong to the kernel: the loops touch none.
class Emitter final : private asmjit::ErrorHandler {
 public:
  /// `code` must be initialised and outlive the emitter.
  Emitter(asmjit::CodeHolder& code, Isa isa);
  ~Emitter() override;
  Emitter(const Emitter&) = delete;
  Emitter& operator=(const Emitter&) = delete;

  asmjit::x86::Assembler& assembler() { return assembler_; }
  const Target& target() const { return target_; }

  /// True while the streaming variant of a nest is emitted.
  bool streaming() const { return streaming_; }
  void set_streaming(bool streaming) { streaming_ = streaming; }

  /// True while the variant of a nest is emitted that only runs where destinations are not aligned: its code
  /// is to be short.
  bool compact() const { return compact_; }
  void set_compact(bool compact) { compact_ = compact; }

  /// Distance in bytes at which kernels prefetch the source's lines that they load; 0: not at all.
  std::int64_t prefetch_source_bytes() const { return prefetch_source_bytes_; }
  void set_prefetch_source_bytes(std::int64_t distance) { prefetch_source_bytes_ = distance; }
  plan::SourceFetches source_fetches() const {
    return streaming_ ? source_fetches_ : plan::SourceFetches::kAfterLoads;
  }
  void set_source_fetches(plan::SourceFetches fetches) { source_fetches_ = fetches; }
  /// As above, of the destination's lines that a permutation stores; 0 while the streaming variant is
  /// emitted.
  std::int64_t prefetch_destination_bytes() const { return streaming_ ? 0 : prefetch_destination_bytes_; }
  /// The same for runs that are streamed whatever their alignment (RunCopy::next_bytes).
  std::int64_t next_run_bytes() const { return prefetch_destination_bytes_; }
  void set_prefetch_destination_bytes(std::int64_t distance) { prefetch_destination_bytes_ = distance; }

  /// Whole vectors of both buffers are moved under a mask of all ones (plan::Nest::under_masks).
  bool under_masks() const { return under_masks_; }
  void set_under_masks(bool under_masks) { under_masks_ = under_masks; }
  /// Once, before the loops, if they are: fills the mask's register, kMaskOfOnes or kVectorOfOnes.
  void prepare_mask();

  /// Rows of the next block that a permutation's body fetches, if any.
  const std::optional<plan::BlockFetch>& block_fetch() const { return block_fetch_; }
  void set_block_fetch(const std::optional<plan::BlockFetch>& fetch) { block_fetch_ = fetch; }

  /// Of the vectors that copies move.
  int copy_vector_bytes() const { return std::min(target_.vector_bytes, widest_copy_bytes_); }
  void set_widest_copy_bytes(int bytes) { widest_copy_bytes_ = bytes; }

  /// A 64-byte aligned constant behind the instructions, addressed relative to rip; equal constants are
  /// stored once.
  asmjit::x86::Mem constant(std::span<const std::uint8_t> bytes);

  /// Vector register `index` of 16, 32 or 64 bytes. \pre index < 16, or target().has_evex
  static asmjit::x86::Vec vector(int index, int bytes);
  /// Unaligned load of a whole register.
  void load(const asmjit::x86::Vec& to, const asmjit::x86::Mem& from);
  /// Unaligned store of a whole register.
  void store(const asmjit::x86::Mem& to, const asmjit::x86::Vec& from);
  /// As `load`, of the source; as `store`, of the destination: under the mask where there is one.
  void load_source(const asmjit::x86::Vec& to, const asmjit::x86::Mem& from);
  void store_destination(const asmjit::x86::Mem& to, const asmjit::x86::Vec& from);
  /// As `store_destination`, past the caches in the streaming variant. \pre there the address is a multiple
  /// of the register size
  void store_streaming(const asmjit::x86::Mem& to, const asmjit::x86::Vec& from);
  /// The address `register + displacement`. Displacements past 32 bits are added up in `temporary` first.
  asmjit::x86::Mem address(const asmjit::x86::Gp& base, std::int64_t displacement_bytes,
                           const asmjit::x86::Gp& temporary = registers::kTemporary[0]);
  /// Loads an immediate in its shortest form. Leaves the flags alone.
  void move_immediate(const asmjit::x86::Gp& to, std::int64_t value);
  /// Adds an immediate of any size; nothing for 0. `temporary` is overwritten if it is past 32 bits.
  void add_immediate(const asmjit::x86::Gp& to, std::int64_t value,
                     const asmjit::x86::Gp& temporary = registers::kTemporary[0]);

  /// Within a body: the memory that holds the length of the current entry of table `table`, 64 bits.
  asmjit::x86::Mem current_length(int table) const;
  /// For the loops: where `current_length` finds the lengths, relative to rsp.
  void set_length_slots(std::vector<std::int32_t> offsets) { length_slots_ = std::move(offsets); }

  /// True when a listing is being made: only then is the text for `note` worth building.
  bool annotating() const { return assembler_.logger() != nullptr; }
  /// A line of commentary in the listing.
  void note(const std::string& text);

  /// From now on marks are recorded.
  void record_marks() { recording_ = true; }
  /// What follows is the code of nest `nest`, whose kernel is at row `kernel_row` of its text.
  void enter_nest(int nest, int kernel_row);
  /// What follows belongs to this row of the nest's text, or of its kernel's.
  void mark(int row);
  void mark_kernel(int row = 0) { mark(kernel_row_ + row); }
  /// As FrameMark has it.
  void mark_frame(std::int32_t caller_distance_bytes, const asmjit::x86::Gp* saved = nullptr);
  CodeMarks take_marks() { return std::move(marks_); }

  /// Records an error of the emitter's own; the first one is kept.
  void fail(std::string message);
  /// The first error, of the assembler or from `fail`.
  const std::optional<Error>& error() const { return error_; }

  /// Emits the constants. Call once, after the last instruction.
  void finish();

 private:
  struct Constant {
    asmjit::Label label;
    std::vector<std::uint8_t> bytes;
  };
  void handleError(asmjit::Error code, const char* message, asmjit::BaseEmitter* origin) override;

  Target target_;
  asmjit::x86::Assembler assembler_;
  std::vector<Constant> constants_;
  std::vector<std::int32_t> length_slots_;
  std::optional<Error> error_;
  bool streaming_ = false;
  bool compact_ = false;
  std::int64_t prefetch_source_bytes_ = 0;
  plan::SourceFetches source_fetches_ = plan::SourceFetches::kAfterLoads;
  std::int64_t prefetch_destination_bytes_ = 0;
  bool under_masks_ = false;
  std::optional<plan::BlockFetch> block_fetch_;
  int widest_copy_bytes_ = 64;
  CodeMarks marks_;
  int nest_ = 0;
  int kernel_row_ = 0;
  bool recording_ = false;
};

/// Emits one kernel. Created anew for each function, so that members may name the registers it hoists into.
class KernelEmitter {
 public:
  virtual ~KernelEmitter() = default;
  /// Once, before the loops: loads what all bodies share into hoisted and vector registers. The pointers are
  /// the buffers' starts plus the nest's bases there.
  virtual void prepare(Emitter& emitter) = 0;
  /// Innermost; emitted exactly once. Falls through at its end.
  virtual void body(Emitter& emitter) = 0;
};

// The kernel outlives its emitter in all of these.
/// `in_runs`: as StorePolicy::kStreamingRuns has it, of runs of 128 bytes and more.
std::unique_ptr<KernelEmitter> make_copy_emitter(const plan::CopyKernel& kernel, const Target& target,
                                                 bool in_runs);
/// `vector_registers`: that it may use, from 0 up. `in_runs`: as StorePolicy::kStreamingRuns has it; the
/// network must have a scratch then.
std::unique_ptr<KernelEmitter> make_permute_emitter(const plan::PermuteKernel& kernel, int vector_registers,
                                                    bool in_runs);
std::unique_ptr<KernelEmitter> make_gather_emitter(const plan::GatherKernel& kernel, const Target& target);
/// `line_offset_bytes`: where in a line the runs begin if the destination begins on one, of streamed nests.
std::unique_ptr<KernelEmitter> make_fill_emitter(const plan::FillKernel& kernel, const Target& target,
                                                 std::int64_t line_offset_bytes);
/// \pre pieces of 16 bytes
std::unique_ptr<KernelEmitter> make_shuffle_emitter(const plan::ShuffleKernel& kernel, const Target& target);
/// \pre pieces of 64 bytes, target.has_evex
std::unique_ptr<KernelEmitter> make_wide_shuffle_emitter(const plan::ShuffleKernel& kernel,
                                                         const Target& target);

/// Emits a whole function of type KernelFunction: the nest's loops around one copy of the kernel's body.
/// The first instruction is at the assembler's present offset.
void emit_nest(Emitter& emitter, const plan::Nest& nest);

}  // namespace relayout::jit
