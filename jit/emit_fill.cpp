#include <algorithm>
#include <cstring>
#include <vector>

#include "jit/emit_moves.hpp"
#include "jit/emit_prefetch.hpp"
#include "jit/emitter.hpp"
#include "src/plan/machine/line.hpp"

// Padding is written as a run is copied, from registers that repeat one element: every move's offset is a
// multiple of the element, so each may start at a register's beginning. Where it is streamed, the parts of
// lines at its ends, which hold data as well, are stored plainly.
//
// The registers are filled once. With a load of the constant for each store 128 MiB of zeros were streamed in
// 1.5 to 3.4 ms, by where the constant lay in its page, without in 1.5 (a Zen 4, which streams lines of zeros
// three times as fast as others). 452 pairs with padding 1.06 and 1.12 of memcpy, 110 faster by a twentieth
// and 21 slower.

namespace relayout::jit {

namespace {

using asmjit::Label;
using asmjit::x86::Assembler;
using asmjit::x86::Gp;
using asmjit::x86::Mem;

constexpr Gp kFilled = registers::kTemporary[0];
constexpr Gp kShortPattern = registers::kHoisted[0];  // its first eight bytes
constexpr int kVectorPattern = 0;                     // number of the vector register that has all

class FillEmitter final : public KernelEmitter {
 public:
  FillEmitter(const plan::FillKernel& kernel, const Target& target, std::int64_t line_offset_bytes)
      : run_bytes_(kernel.bytes), vector_bytes_(target.vector_bytes), line_offset_bytes_(line_offset_bytes) {
    while (pattern_.size() < static_cast<std::size_t>(vector_bytes_)) {
      pattern_.insert(pattern_.end(), kernel.element.begin(), kernel.element.end());
    }
  }

  void prepare(Emitter& emitter) override {
    if (run_bytes_ <= 0) return;
    std::int64_t first = 0;
    std::memcpy(&first, pattern_.data(), sizeof first);
    emitter.move_immediate(kShortPattern, first);
    if (std::ranges::all_of(pattern_, [](std::uint8_t byte) { return byte == 0; })) {
      const auto vector = Emitter::vector(kVectorPattern, kNarrowestVectorBytes);
      emitter.assembler().vpxor(vector, vector, vector);
    } else {
      emitter.load(Emitter::vector(kVectorPattern, vector_bytes_), emitter.constant(pattern_));
    }
  }

  void body(Emitter& emitter) override {
    if (run_bytes_ <= 0) return;
    const std::int64_t to_line = (plan::kLineBytes - line_offset_bytes_) % plan::kLineBytes;
    const std::int64_t head = emitter.streaming() ? std::min(to_line, run_bytes_) : 0;
    const std::int64_t tail = emitter.streaming() ? (run_bytes_ - head) % plan::kLineBytes : 0;
    const Mem destination = asmjit::x86::ptr(registers::kDestination);
    prefetch_next_run(emitter, run_bytes_);
    emit_run(emitter, destination, head, false);
    emit_long_run(emitter, head, run_bytes_ - head - tail);
    emit_run(emitter, destination.cloneAdjusted(run_bytes_ - tail), tail, false);
  }

 private:
  /// `bytes` from `offset_bytes` on, their whole vectors streamed where the nest's are.
  void emit_long_run(Emitter& emitter, std::int64_t offset_bytes, std::int64_t bytes) const {
    const Mem start = asmjit::x86::ptr(registers::kDestination).cloneAdjusted(offset_bytes);
    if (bytes <= kUnrolledBytes) {
      emit_run(emitter, start, bytes, true);
      return;
    }
    const std::int64_t trip_bytes = std::int64_t{kVectorsPerTrip} * vector_bytes_;
    Mem moving = asmjit::x86::ptr(registers::kDestination, kFilled).cloneAdjusted(offset_bytes);
    emit_trips(emitter, moving, bytes / trip_bytes * trip_bytes);
    prefetch_along_run(emitter, moving, bytes % trip_bytes, run_bytes_);
    emit_run(emitter, moving, bytes % trip_bytes, true);
  }

  void emit_run(Emitter& emitter, const Mem& destination, std::int64_t bytes, bool streaming) const {
    if (bytes == 0) return;
    for (Move move : split_run(bytes, vector_bytes_)) {
      const bool whole = move.bytes == vector_bytes_ && move.offset_bytes % vector_bytes_ == 0;
      move.streaming = streaming && whole;
      store_move(emitter, destination, move, kVectorPattern, kShortPattern);
    }
  }

  /// Leaves `bytes` in the index register.
  void emit_trips(Emitter& emitter, const Mem& destination, std::int64_t bytes) const {
    Assembler& assembler = emitter.assembler();
    const std::int64_t trip_bytes = std::int64_t{kVectorsPerTrip} * vector_bytes_;
    const Label top = assembler.newLabel();
    assembler.xor_(kFilled.r32(), kFilled.r32());
    assembler.bind(top);
    prefetch_along_run(emitter, destination, trip_bytes, run_bytes_);
    emit_run(emitter, destination, trip_bytes, true);
    emitter.add_immediate(kFilled, trip_bytes);
    emitter.move_immediate(registers::kTemporary[1], bytes);
    assembler.cmp(kFilled, registers::kTemporary[1]);
    assembler.jb(top);
  }

  std::int64_t run_bytes_;
  int vector_bytes_;
  std::int64_t line_offset_bytes_;  ///< of the run's first byte where the destination begins on a line
  std::vector<std::uint8_t> pattern_;
};

}  // namespace

std::unique_ptr<KernelEmitter> make_fill_emitter(const plan::FillKernel& kernel, const Target& target,
                                                 std::int64_t line_offset_bytes) {
  return std::make_unique<FillEmitter>(kernel, target, line_offset_bytes);
}

}  // namespace relayout::jit
