#include <algorithm>
#include <limits>
#include <optional>

#include "jit/emit_prefetch.hpp"
#include "jit/emitter.hpp"

// Table shuffles of whole 64-byte vectors: destination[j] takes the bytes that term k selects from source[k]
// under a merge mask, so that no `or` is needed. The widest unit that all tables keep together is permuted.
// Pieces shorter than a vector are loaded and stored under masks, which touch no byte outside them, or whole
// where that is inside the buffer: a Zen 5's prefetch does not follow masked loads (64 MiB of 12-byte pieces
// every 16 bytes: 8.8 GB/s, 28 without masks; bytes 12x1107963 out of tiles of 16: 3.1 times as fast).

namespace relayout::jit {

namespace {

using asmjit::x86::Assembler;
using asmjit::x86::KReg;
using asmjit::x86::Mem;
using asmjit::x86::Zmm;
using plan::ShuffleKernel;

constexpr int kVectorBytes = 64;
constexpr std::uint8_t kUnselected = 0x80;
constexpr std::uint32_t kSums[] = {0, 1};  ///< in turns, so that one destination need not wait for another
constexpr std::uint32_t kLoadedZmm = 2;    ///< for sources that found no register of their own
constexpr std::uint32_t kTable = 3;        ///< for tables that found none
constexpr std::uint32_t kFirstSourceZmm = 4;
constexpr std::size_t kMostZmmSources = 12;
constexpr std::uint32_t kVectorRegisters = 32;
constexpr std::uint32_t kSpareMask = 1;  ///< for masks that found no register of their own
constexpr std::uint32_t kFirstMask = 2;
constexpr std::uint32_t kMaskRegisters = 8;

std::vector<std::uint8_t> bytes_of(std::uint64_t value) {
  std::vector<std::uint8_t> bytes(8);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(value >> (8 * i));
  return bytes;
}

std::uint64_t low_bits(int count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

/// Whether the table moves aligned units of `unit` bytes as a whole.
bool keeps_units(const std::vector<std::uint8_t>& index, std::size_t unit) {
  for (std::size_t i = 0; i < index.size(); i += unit) {
    for (std::size_t byte = 0; byte < unit; ++byte) {
      const bool follows = index[i] == kUnselected
                               ? index[i + byte] == kUnselected
                               : index[i] % unit == 0 && index[i + byte] == index[i] + byte;
      if (!follows) return false;
    }
  }
  return true;
}

class WideShuffleEmitter final : public KernelEmitter {
 public:
  WideShuffleEmitter(const ShuffleKernel& kernel, const Target& target)
      : kernel_(kernel), kept_sources_(std::min(kernel.sources.size(), kMostZmmSources)) {
    choose_unit(target);
    for (const ShuffleKernel::Piece& piece : kernel.sources)
      source_end_ = std::max(source_end_, piece.offset_bytes + piece.bytes);
  }

  void prepare(Emitter& emitter) override {
    if (unit_ == 0) {
      emitter.fail("a wide shuffle moves units that this instruction set cannot permute");
      return;
    }
    for (const ShuffleKernel::Piece& piece : kernel_.sources)
      if (loaded_bytes(piece) == 0) (void)mask(emitter, low_bits(piece.bytes), 1);
    for (const ShuffleKernel::Piece& piece : kernel_.destinations)
      if (!is_register(piece.bytes)) (void)mask(emitter, low_bits(piece.bytes), 1);
    auto next = static_cast<std::uint32_t>(kFirstSourceZmm + kept_sources_);
    for (const auto& terms : kernel_.terms) {
      for (const ShuffleKernel::Term& term : terms) {
        Table table{emitter.constant(unit_table(term)), std::nullopt, selected(term)};
        if (next < kVectorRegisters) {
          table.number = next++;
          emitter.load(Zmm(*table.number), table.memory);
        }
        tables_.push_back(table);
        (void)mask(emitter, table.selected, unit_);
      }
    }
    for (const HeldMask& held : masks_) load_mask(emitter, KReg(held.number), held.bits);
  }

  void body(Emitter& emitter) override {
    if (emitter.error()) return;
    prefetch(emitter);
    for (std::size_t i = 0; i < kept_sources_; ++i) load(emitter, Zmm(kept(i)), kernel_.sources[i]);
    std::size_t first_table = 0;
    for (std::size_t j = 0; j < kernel_.destinations.size(); ++j) {
      const Zmm sum(kSums[j % std::size(kSums)]);
      emit_sum(emitter, j, first_table, sum);
      store(emitter, kernel_.destinations[j], sum);
      first_table += kernel_.terms[j].size();
    }
  }

 private:
  struct Table {
    Mem memory;
    std::optional<std::uint32_t> number;  ///< its register
    std::uint64_t selected = 0;           ///< bit per unit of the destination
  };
  struct HeldMask {
    std::uint64_t bits;
    std::uint32_t number;
  };

  void choose_unit(const Target& target) {
    const auto fits = [this](std::size_t unit) {
      return std::ranges::all_of(kernel_.terms, [unit](const auto& terms) {
        return std::ranges::all_of(terms, [unit](const auto& term) { return keeps_units(term.index, unit); });
      });
    };
    // vpermw takes two operations on Intel, vpermb one.
    for (const int unit : {8, 4, 1, 2}) {
      if (unit == 1 && !target.has_vbmi) continue;
      if (unit_ == 0 && fits(static_cast<std::size_t>(unit))) unit_ = unit;
    }
  }

  std::vector<std::uint8_t> unit_table(const ShuffleKernel::Term& term) const {
    std::vector<std::uint8_t> table(kVectorBytes, 0);
    for (std::size_t i = 0; i < table.size(); i += static_cast<std::size_t>(unit_)) {
      if (term.index[i] != kUnselected) table[i] = static_cast<std::uint8_t>(term.index[i] / unit_);
    }
    return table;
  }

  std::uint64_t selected(const ShuffleKernel::Term& term) const {
    std::uint64_t bits = 0;
    for (int i = 0; i < kVectorBytes / unit_; ++i) {
      if (term.index[static_cast<std::size_t>(i * unit_)] != kUnselected) bits |= std::uint64_t{1} << i;
    }
    return bits;
  }

  static std::uint32_t kept(std::size_t source) {
    return static_cast<std::uint32_t>(kFirstSourceZmm + source);
  }

  static void load_mask(Emitter& emitter, const KReg& to, std::uint64_t bits) {
    emitter.assembler().kmovq(to, emitter.constant(bytes_of(bits)));
  }

  /// The mask register with these bits, or nothing for all of a vector's units. While preparing, registers
  /// are given out; later a mask without one is loaded into the spare.
  std::optional<KReg> mask(Emitter& emitter, std::uint64_t bits, int unit) {
    if (bits == low_bits(kVectorBytes / unit)) return std::nullopt;
    const auto held = std::ranges::find(masks_, bits, &HeldMask::bits);
    if (held != masks_.end()) return KReg(held->number);
    const auto next = static_cast<std::uint32_t>(kFirstMask + masks_.size());
    if (next < kMaskRegisters) {
      masks_.push_back({bits, next});
      return KReg(next);
    }
    load_mask(emitter, KReg(kSpareMask), bits);
    return KReg(kSpareMask);
  }

  static bool is_register(int bytes) { return bytes == 16 || bytes == 32 || bytes == kVectorBytes; }

  /// Bytes of the register that may be filled from a piece's beginning on: what lies between pieces of one
  /// call is inside the buffer. 0 if none may.
  int loaded_bytes(const ShuffleKernel::Piece& piece) const {
    for (const int bytes : {kVectorBytes, 32, 16}) {
      if (bytes >= piece.bytes && piece.offset_bytes + bytes <= source_end_) return bytes;
    }
    return 0;
  }

  void load(Emitter& emitter, const Zmm& to, const ShuffleKernel::Piece& piece) {
    const Mem from = emitter.address(registers::kSource, piece.offset_bytes);
    const int bytes = loaded_bytes(piece);
    if (bytes != 0) return emitter.load(Emitter::vector(static_cast<int>(to.id()), bytes), from);
    if (const auto whole = mask(emitter, low_bits(piece.bytes), 1)) emitter.assembler().k(*whole).z();
    emitter.assembler().vmovdqu8(to, from);
  }

  void store(Emitter& emitter, const ShuffleKernel::Piece& piece, const Zmm& from) {
    const Mem to = emitter.address(registers::kDestination, piece.offset_bytes);
    if (!is_register(piece.bytes)) {
      if (const auto part = mask(emitter, low_bits(piece.bytes), 1)) emitter.assembler().k(*part);
      emitter.assembler().vmovdqu8(to, from);
    } else if (piece.bytes < kVectorBytes) {
      emitter.store(to, Emitter::vector(static_cast<int>(from.id()), piece.bytes));
    } else if (kernel_.stores_halves && !emitter.streaming()) {
      emitter.store(to, from.ymm());
      emitter.assembler().vextracti64x4(to.cloneAdjusted(kVectorBytes / 2), from, 1);
    } else if (piece.offset_bytes % kVectorBytes == 0) {
      emitter.store_streaming(to, from);
    } else {
      emitter.store(to, from);
    }
  }

  /// The first term needs no mask if the others overwrite what it leaves undefined.
  void emit_sum(Emitter& emitter, std::size_t destination, std::size_t first_table, const Zmm& sum) {
    const auto& terms = kernel_.terms[destination];
    if (terms.empty()) emitter.assembler().vpxord(sum, sum, sum);
    std::uint64_t covered = 0;
    for (std::size_t i = 0; i < terms.size(); ++i) covered |= tables_[first_table + i].selected;
    const int units = (kernel_.destinations[destination].bytes + unit_ - 1) / unit_;  // padding may cut one
    const bool complete = (covered & low_bits(units)) == low_bits(units);
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const Table& table = tables_[first_table + i];
      if (!table.number) emitter.load(Zmm(kTable), table.memory);
      const auto source = static_cast<std::size_t>(terms[i].source_piece);
      const Zmm from(source < kept_sources_ ? kept(source) : kLoadedZmm);
      if (source >= kept_sources_) load(emitter, from, kernel_.sources[source]);
      // After the load, whose mask may be in the same register.
      const auto merge = i == 0 && complete ? std::nullopt : mask(emitter, table.selected, unit_);
      if (merge) emitter.assembler().k(*merge);
      if (merge && i == 0) emitter.assembler().z();
      permute(emitter.assembler(), sum, Zmm(table.number.value_or(kTable)), from);
    }
  }

  void permute(Assembler& assembler, const Zmm& to, const Zmm& table, const Zmm& from) const {
    switch (unit_) {
      case 8:
        assembler.vpermq(to, table, from);
        return;
      case 4:
        assembler.vpermd(to, table, from);
        return;
      case 2:
        assembler.vpermw(to, table, from);
        return;
      default:
        assembler.vpermb(to, table, from);
    }
  }

  void prefetch(Emitter& emitter) const {
    if (emitter.prefetch_source_bytes() != 0) touched_runs(kernel_.sources).prefetch_source(emitter);
    if (emitter.prefetch_destination_bytes() != 0)
      touched_runs(kernel_.destinations).prefetch_destination(emitter);
  }

  static TouchedRuns touched_runs(const std::vector<ShuffleKernel::Piece>& pieces) {
    TouchedRuns runs;
    for (const ShuffleKernel::Piece& piece : pieces) runs.add(piece.offset_bytes, piece.bytes);
    return runs;
  }

  const ShuffleKernel& kernel_;
  std::size_t kept_sources_;
  std::int64_t source_end_ = std::numeric_limits<std::int64_t>::min();  ///< one past the last byte read
  int unit_ = 0;                                                        ///< bytes; 0 if none fits
  std::vector<Table> tables_;
  std::vector<HeldMask> masks_;
};

}  // namespace

std::unique_ptr<KernelEmitter> make_wide_shuffle_emitter(const ShuffleKernel& kernel, const Target& target) {
  return std::make_unique<WideShuffleEmitter>(kernel, target);
}

}  // namespace relayout::jit
