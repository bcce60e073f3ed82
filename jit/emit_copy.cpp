#include <optional>

#include "jit/emit_moves.hpp"
#include "jit/emit_prefetch.hpp"
#include "jit/emit_run_copy.hpp"
#include "jit/emitter.hpp"

// A run is copied by whole vectors and one last vector that ends where the run ends, over bytes already
// written. Never a byte outside the run: shorter runs use shorter moves.

namespace relayout::jit {

namespace {

using asmjit::Label;
using asmjit::x86::Assembler;
using asmjit::x86::Gp;
using registers::kDestination;
using registers::kSource;

constexpr Gp kIndex = registers::kTemporary[0];

/// Runs of a length known when the code is made.
class FixedCopyEmitter final : public KernelEmitter {
 public:
  FixedCopyEmitter(const plan::CopyKernel& kernel, const Target& target, bool in_runs)
      : run_bytes_(kernel.bytes), vector_bytes_(target.vector_bytes), in_runs_(in_runs) {}

  void prepare(Emitter& emitter) override { vector_bytes_ = emitter.copy_vector_bytes(); }

  void body(Emitter& emitter) override {
    if (run_bytes_ <= 0) return;
    if (in_runs_) {
      const std::int64_t ahead = emitter.prefetch_source_bytes();
      const auto fetch = ahead == 0 ? std::nullopt : std::optional(LineFetch{kSource, ahead, true});
      emit_run_copy(emitter, {kSource, kDestination, run_bytes_, emitter.next_run_bytes(), fetch});
      return;
    }
    prefetch_next_run(emitter, run_bytes_);
    if (run_bytes_ <= kUnrolledBytes) {
      prefetch_along_source(emitter, asmjit::x86::ptr(kSource), run_bytes_);
      emit_moves(emitter, asmjit::x86::ptr(kSource), asmjit::x86::ptr(kDestination), moves(run_bytes_));
      return;
    }
    const std::int64_t trip_bytes = std::int64_t{kVectorsPerTrip} * vector_bytes_;
    emit_vectors(emitter, run_bytes_ / trip_bytes * trip_bytes);
    emit_rest(emitter, run_bytes_ % trip_bytes);
  }

 private:
  std::vector<Move> moves(std::int64_t bytes) const {
    std::vector<Move> all = split_run(bytes, vector_bytes_);
    for (Move& move : all) {
      move.streaming = move.bytes == vector_bytes_ && move.offset_bytes % vector_bytes_ == 0;
    }
    return all;
  }

  /// Leaves `bytes` in the index register.
  void emit_vectors(Emitter& emitter, std::int64_t bytes) const {
    Assembler& assembler = emitter.assembler();
    const std::int64_t trip_bytes = std::int64_t{kVectorsPerTrip} * vector_bytes_;
    const Gp end = registers::kTemporary[1];
    const Label top = assembler.newLabel();
    assembler.xor_(kIndex.r32(), kIndex.r32());
    emitter.move_immediate(end, bytes);
    assembler.bind(top);
    prefetch_along_run(emitter, asmjit::x86::ptr(kDestination, kIndex), trip_bytes, run_bytes_);
    prefetch_along_source(emitter, asmjit::x86::ptr(kSource, kIndex), trip_bytes);
    emit_moves(emitter, asmjit::x86::ptr(kSource, kIndex), asmjit::x86::ptr(kDestination, kIndex),
               moves(trip_bytes));
    assembler.add(kIndex, trip_bytes);
    assembler.cmp(kIndex, end);
    assembler.jb(top);
  }

  /// The rest after a multiple of the vector; a rest shorter than a vector overlaps what is before it.
  void emit_rest(Emitter& emitter, std::int64_t bytes) const {
    if (bytes == 0) return;
    prefetch_along_run(emitter, asmjit::x86::ptr(kDestination, kIndex), bytes, run_bytes_);
    prefetch_along_source(emitter, asmjit::x86::ptr(kSource, kIndex), bytes);
    std::vector<Move> all;
    if (bytes >= vector_bytes_) all = moves(bytes / vector_bytes_ * vector_bytes_);
    const std::int64_t short_bytes = bytes % vector_bytes_;
    if (short_bytes != 0) {
      const Move whole = split_run(short_bytes, vector_bytes_).front();
      const int size = whole.bytes == short_bytes ? whole.bytes : whole.bytes * 2;
      all.push_back({bytes - size, size});
    }
    emit_moves(emitter, asmjit::x86::ptr(kSource, kIndex), asmjit::x86::ptr(kDestination, kIndex), all);
  }

  std::int64_t run_bytes_;
  int vector_bytes_;
  bool in_runs_;
};

/// Runs whose length is the current entry's of a run table.
class TableCopyEmitter final : public KernelEmitter {
 public:
  TableCopyEmitter(const plan::CopyKernel& kernel, const Target& target)
      : table_(kernel.bytes_from_table),
        element_bytes_(kernel.element_bytes),
        vector_bytes_(target.vector_bytes) {}

  void prepare(Emitter&) override {}

  void body(Emitter& emitter) override {
    Assembler& assembler = emitter.assembler();
    const Label end = assembler.newLabel();
    emitter.move_immediate(kTotal, element_bytes_);
    assembler.imul(kTotal, emitter.current_length(table_));
    assembler.test(kTotal, kTotal);
    assembler.jle(end);
    for (int size = vector_bytes_; size >= 1; size /= 2) {
      const bool always = size <= element_bytes_;
      const Label shorter = assembler.newLabel();
      if (!always) {
        assembler.cmp(kTotal, size);
        assembler.jb(shorter);
      }
      emit_size_class(emitter, size, end);
      if (!always) assembler.jmp(end);
      assembler.bind(shorter);
      if (always) break;
    }
    assembler.bind(end);
  }

 private:
  static constexpr Gp kTotal = registers::kHoisted[0];
  static constexpr Gp kLast = registers::kHoisted[1];

  /// Runs of `size` bytes and more; below the vector size, fewer than twice as many.
  void emit_size_class(Emitter& emitter, int size, const Label& end) const {
    Assembler& assembler = emitter.assembler();
    assembler.lea(kLast, asmjit::x86::ptr(kTotal, -size));
    if (size == vector_bytes_) {
      emit_vectors(emitter, end);
    } else {
      const Move first[] = {{0, size}};
      emit_moves(emitter, asmjit::x86::ptr(kSource), asmjit::x86::ptr(kDestination), first);
    }
    const Move last[] = {{0, size}};
    emit_moves(emitter, asmjit::x86::ptr(kSource, kLast), asmjit::x86::ptr(kDestination, kLast), last);
  }

  /// Whole vectors before the last one. Where they are streamed, a whole last vector too, so that no line is
  /// written half past the caches and half through them; that ends the run.
  void emit_vectors(Emitter& emitter, const Label& end) const {
    Assembler& assembler = emitter.assembler();
    const Label top = assembler.newLabel();
    const Label check = assembler.newLabel();
    const Move move[] = {{0, vector_bytes_, true}};
    assembler.xor_(kIndex.r32(), kIndex.r32());
    assembler.jmp(check);
    assembler.bind(top);
    emit_moves(emitter, asmjit::x86::ptr(kSource, kIndex), asmjit::x86::ptr(kDestination, kIndex), move);
    assembler.add(kIndex, vector_bytes_);
    assembler.bind(check);
    assembler.cmp(kIndex, kLast);
    if (!emitter.streaming()) {
      assembler.jb(top);
      return;
    }
    assembler.jbe(top);
    assembler.cmp(kIndex, kTotal);
    assembler.je(end);
  }

  int table_;
  std::int64_t element_bytes_;
  int vector_bytes_;
};

}  // namespace

std::unique_ptr<KernelEmitter> make_copy_emitter(const plan::CopyKernel& kernel, const Target& target,
                                                 bool in_runs) {
  if (kernel.bytes_from_table >= 0) return std::make_unique<TableCopyEmitter>(kernel, target);
  return std::make_unique<FixedCopyEmitter>(kernel, target, in_runs);
}

}  // namespace relayout::jit
