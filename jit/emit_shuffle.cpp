#include <algorithm>
#include <optional>

#include "jit/emitter.hpp"

// destination[j] = OR over k of vpshufb(source[k], table[j][k]), 16 bytes at a time. Tables stay in registers
// while there are some left, the others are read from memory by the shuffles.

namespace relayout::jit {

namespace {

using asmjit::x86::Assembler;
using asmjit::x86::Gp;
using asmjit::x86::Mem;
using asmjit::x86::Xmm;
using plan::ShuffleKernel;

constexpr std::uint32_t kSum = 0;
constexpr std::uint32_t kPart = 1;
constexpr std::uint32_t kLoaded = 2;  ///< for sources that found no register of their own
constexpr std::uint32_t kFirstSource = 3;
/// Registers that the VEX encoding reaches; the ones past them only hold tables.
constexpr std::uint32_t kVexRegisters = 16;
constexpr std::size_t kMostSources = 9;

Mem piece_address(Emitter& emitter, const Gp& base, const ShuffleKernel::Piece& piece) {
  return emitter.address(base, piece.offset_bytes);
}

/// Calls `visit(offset, size)` for the powers of two that make up `bytes`, largest first.
template <class Visit>
void for_each_part(int bytes, Visit visit) {
  int offset = 0;
  for (int size = 8; size >= 1; size /= 2) {
    if ((bytes & size) == 0) continue;
    visit(offset, size);
    offset += size;
  }
}

/// Loads exactly `bytes` bytes; the others become zero.
void emit_load(Emitter& emitter, const Xmm& to, const Mem& from, int bytes) {
  Assembler& assembler = emitter.assembler();
  if (bytes >= 16) {
    assembler.vmovdqu(to, from);
    return;
  }
  if (bytes < 4) assembler.vpxor(to, to, to);
  for_each_part(bytes, [&](int offset, int size) {
    const Mem part = from.cloneAdjusted(offset);
    const int lane = offset / size;
    switch (size) {
      case 8:
        assembler.vmovq(to, part);
        break;
      case 4:
        offset == 0 ? assembler.vmovd(to, part) : assembler.vpinsrd(to, to, part, lane);
        break;
      case 2:
        assembler.vpinsrw(to, to, part, lane);
        break;
      default:
        assembler.vpinsrb(to, to, part, lane);
        break;
    }
  });
}

/// Stores exactly `bytes` bytes.
void emit_store(Emitter& emitter, const Mem& to, const Xmm& from, const ShuffleKernel::Piece& piece) {
  Assembler& assembler = emitter.assembler();
  if (piece.bytes >= 16) {
    const bool aligned = piece.offset_bytes % 16 == 0;
    aligned ? emitter.store_streaming(to, from) : emitter.store(to, from);
    return;
  }
  for_each_part(piece.bytes, [&](int offset, int size) {
    const Mem part = to.cloneAdjusted(offset);
    const int lane = offset / size;
    switch (size) {
      case 8:
        assembler.vmovq(part, from);
        break;
      case 4:
        assembler.vpextrd(part, from, lane);
        break;
      case 2:
        assembler.vpextrw(part, from, lane);
        break;
      default:
        assembler.vpextrb(part, from, lane);
        break;
    }
  });
}

class ShuffleEmitter final : public KernelEmitter {
 public:
  ShuffleEmitter(const ShuffleKernel& kernel, const Target& target)
      : kernel_(kernel),
        kept_sources_(std::min(kernel.sources.size(), kMostSources)),
        registers_(static_cast<std::uint32_t>(target.vector_registers)) {}

  void prepare(Emitter& emitter) override {
    auto next = static_cast<std::uint32_t>(kFirstSource + kept_sources_);
    for (const auto& terms : kernel_.terms) {
      for (const ShuffleKernel::Term& term : terms) {
        Table table{emitter.constant(term.index), std::nullopt};
        if (next < registers_) {
          table.register_number = next++;
          emitter.load(Xmm(*table.register_number), table.memory);
        }
        tables_.push_back(table);
      }
    }
  }

  void body(Emitter& emitter) override {
    if (emitter.error()) return;
    for (std::size_t i = 0; i < kept_sources_; ++i) {
      const ShuffleKernel::Piece& piece = kernel_.sources[i];
      emit_load(emitter, kept(i), piece_address(emitter, registers::kSource, piece), piece.bytes);
    }
    std::size_t table = 0;
    for (std::size_t i = 0; i < kernel_.destinations.size(); ++i) {
      emit_sum(emitter, kernel_.terms[i], table);
      table += kernel_.terms[i].size();
      const ShuffleKernel::Piece& piece = kernel_.destinations[i];
      emit_store(emitter, piece_address(emitter, registers::kDestination, piece), Xmm(kSum), piece);
    }
  }

 private:
  struct Table {
    Mem memory;
    std::optional<std::uint32_t> register_number;
  };

  static Xmm kept(std::size_t source) { return Xmm(static_cast<std::uint32_t>(kFirstSource + source)); }

  /// The register of a source, loaded now if it is not kept.
  Xmm source_register(Emitter& emitter, int source) const {
    const auto index = static_cast<std::size_t>(source);
    if (index < kept_sources_) return kept(index);
    const ShuffleKernel::Piece& piece = kernel_.sources[index];
    emit_load(emitter, Xmm(kLoaded), piece_address(emitter, registers::kSource, piece), piece.bytes);
    return Xmm(kLoaded);
  }

  void emit_sum(Emitter& emitter, const std::vector<ShuffleKernel::Term>& terms,
                std::size_t first_table) const {
    Assembler& assembler = emitter.assembler();
    if (terms.empty()) assembler.vpxor(Xmm(kSum), Xmm(kSum), Xmm(kSum));
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const Xmm source = source_register(emitter, terms[i].source_piece);
      const Xmm to(i == 0 ? kSum : kPart);
      const Table& table = tables_[first_table + i];
      if (table.register_number) {
        assembler.vpshufb(to, source, Xmm(*table.register_number));
      } else {
        assembler.vpshufb(to, source, table.memory);
      }
      if (i > 0) assembler.vpor(Xmm(kSum), Xmm(kSum), to);
    }
  }

  const ShuffleKernel& kernel_;
  std::size_t kept_sources_;
  std::uint32_t registers_;
  std::vector<Table> tables_;
};

static_assert(kFirstSource + kMostSources < kVexRegisters);

}  // namespace

std::unique_ptr<KernelEmitter> make_shuffle_emitter(const ShuffleKernel& kernel, const Target& target) {
  return std::make_unique<ShuffleEmitter>(kernel, target);
}

}  // namespace relayout::jit
