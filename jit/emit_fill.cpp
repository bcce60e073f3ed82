#include <vector>

#include "jit/emit_moves.hpp"
#include "jit/emitter.hpp"

// Padding is written as a run is copied, from a constant that repeats one element: every move's offset is a
// multiple of the element, so each may start at the constant's beginning.

namespace relayout::jit {

namespace {

using asmjit::Label;
using asmjit::x86::Assembler;
using asmjit::x86::Gp;
using asmjit::x86::Mem;

constexpr Gp kFilled = registers::kTemporary[0];

class FillEmitter final : public KernelEmitter {
 public:
  FillEmitter(const plan::FillKernel& kernel, const Target& target)
      : run_bytes_(kernel.bytes), vector_bytes_(target.vector_bytes) {
    while (pattern_.size() < static_cast<std::size_t>(vector_bytes_)) {
      pattern_.insert(pattern_.end(), kernel.element.begin(), kernel.element.end());
    }
  }

  void prepare(Emitter&) override {}

  void body(Emitter& emitter) override {
    if (run_bytes_ <= 0) return;
    if (run_bytes_ <= kUnrolledBytes) {
      emit_run(emitter, asmjit::x86::ptr(registers::kDestination), run_bytes_);
      return;
    }
    const std::int64_t trip_bytes = std::int64_t{kVectorsPerTrip} * vector_bytes_;
    emit_trips(emitter, run_bytes_ / trip_bytes * trip_bytes);
    const std::int64_t rest = run_bytes_ % trip_bytes;
    if (rest > 0) emit_run(emitter, asmjit::x86::ptr(registers::kDestination, kFilled), rest);
  }

 private:
  void emit_run(Emitter& emitter, const Mem& destination, std::int64_t bytes) const {
    const Mem pattern = emitter.constant(pattern_);
    for (Move move : split_run(bytes, vector_bytes_)) {
      const bool whole = move.bytes == vector_bytes_ && move.offset_bytes % vector_bytes_ == 0;
      const Move single[] = {{0, move.bytes, whole}};
      emit_moves(emitter, pattern, destination.cloneAdjusted(move.offset_bytes), single);
    }
  }

  /// Leaves `bytes` in the index register.
  void emit_trips(Emitter& emitter, std::int64_t bytes) const {
    Assembler& assembler = emitter.assembler();
    const std::int64_t trip_bytes = std::int64_t{kVectorsPerTrip} * vector_bytes_;
    const Label top = assembler.newLabel();
    assembler.xor_(kFilled.r32(), kFilled.r32());
    assembler.bind(top);
    emit_run(emitter, asmjit::x86::ptr(registers::kDestination, kFilled), trip_bytes);
    emitter.add_immediate(kFilled, trip_bytes);
    emitter.move_immediate(registers::kTemporary[1], bytes);
    assembler.cmp(kFilled, registers::kTemporary[1]);
    assembler.jb(top);
  }

  std::int64_t run_bytes_;
  int vector_bytes_;
  std::vector<std::uint8_t> pattern_;
};

}  // namespace

std::unique_ptr<KernelEmitter> make_fill_emitter(const plan::FillKernel& kernel, const Target& target) {
  return std::make_unique<FillEmitter>(kernel, target);
}

}  // namespace relayout::jit
