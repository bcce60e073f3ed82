#include <algorithm>
#include <cstring>
#include <limits>

#include "jit/emit_moves.hpp"
#include "jit/emit_short_pieces.hpp"
#include "jit/emitter.hpp"

// Strided elements are moved in blocks of falling size while they last: a vector, 16 bytes, one element. A
// block of a contiguous destination is put together in a register: by a hardware gather, by inserts from
// memory, or by one broadcast where the source does not move.

namespace relayout::jit {

namespace {

using asmjit::Label;
using asmjit::x86::Assembler;
using asmjit::x86::Gp;
using asmjit::x86::Mem;
using asmjit::x86::Vec;
using asmjit::x86::Xmm;

constexpr Gp kFrom = registers::kHoisted[0];
constexpr Gp kTo = registers::kHoisted[1];
constexpr Gp kCount = registers::kHoisted[2];
constexpr Gp kSourceStride = registers::kHoisted[3];
constexpr Gp kDestinationStride = registers::kHoisted[4];
/// Vector registers: blocks are put together in 0 to 3, moves use the same; these are kept.
constexpr int kSplatRegister = 4;
constexpr int kIndexRegister = 5;
constexpr int kMaskRegister = 6;
constexpr std::int64_t kScalarBlockElements = 4;

bool is_power_of_two_to_16(std::int64_t bytes) {
  return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
}

/// Whether `count` strides, and a displacement within them, fit an instruction's 32 bits.
bool fits_displacement(std::int64_t count, std::int64_t stride_bytes) {
  const std::int64_t limit = std::numeric_limits<std::int32_t>::max() / count - 64;
  return stride_bytes <= limit && stride_bytes >= -limit;
}

class GatherEmitter final : public KernelEmitter {
 public:
  GatherEmitter(const plan::GatherKernel& kernel, const Target& target)
      : kernel_(kernel),
        vector_bytes_(target.vector_bytes),
        contiguous_(kernel.destination_stride_bytes == kernel.element_bytes &&
                    is_power_of_two_to_16(kernel.element_bytes)),
        splat_(contiguous_ && kernel.source_stride_bytes == 0),
        hardware_(kernel.hardware && contiguous_ && !splat_ && hardware_can(kernel, vector_bytes_)) {}

  void prepare(Emitter& emitter) override {
    emitter.move_immediate(kSourceStride, kernel_.source_stride_bytes);
    emitter.move_immediate(kDestinationStride, kernel_.destination_stride_bytes);
    if (hardware_) prepare_hardware(emitter);
  }

  void body(Emitter& emitter) override {
    if (kernel_.count <= 0 && kernel_.count_from_table < 0) return;
    Assembler& assembler = emitter.assembler();
    assembler.mov(kFrom, registers::kSource);
    assembler.mov(kTo, registers::kDestination);
    if (kernel_.count_from_table >= 0)
      assembler.mov(kCount, emitter.current_length(kernel_.count_from_table));
    if (splat_) emit_broadcast(emitter);
    std::int64_t left = kernel_.count;
    for (std::int64_t elements : block_sizes()) {
      if (kernel_.count_from_table >= 0) {
        emit_counted_blocks(emitter, elements);
      } else {
        const std::int64_t blocks = left / elements;
        left %= elements;
        emit_fixed_blocks(emitter, elements, blocks, left == 0);
      }
    }
  }

 private:
  /// Index arithmetic is done on 64 bits for 8-byte elements, on 32 for 4-byte ones.
  static bool hardware_can(const plan::GatherKernel& kernel, int vector_bytes) {
    if (kernel.element_bytes == 8) return true;
    return kernel.element_bytes == 4 && fits_displacement(vector_bytes / 4, kernel.source_stride_bytes);
  }

  /// Elements per block, falling; the last is 1.
  std::vector<std::int64_t> block_sizes() const {
    std::vector<std::int64_t> sizes;
    const auto add = [&](std::int64_t elements) {
      const bool fits = fits_displacement(elements, kernel_.source_stride_bytes) &&
                        fits_displacement(elements, kernel_.destination_stride_bytes);
      const bool new_size = elements > 1 && (sizes.empty() || elements < sizes.back());
      if (new_size && (fits || (hardware_ && sizes.empty()))) sizes.push_back(elements);
    };
    if (contiguous_) {
      add(vector_bytes_ / kernel_.element_bytes);
      add(16 / kernel_.element_bytes);
    } else {
      add(kScalarBlockElements);
    }
    sizes.push_back(1);
    return sizes;
  }

  void emit_fixed_blocks(Emitter& emitter, std::int64_t elements, std::int64_t blocks, bool last) const {
    if (blocks <= 0) return;
    Assembler& assembler = emitter.assembler();
    const Label top = assembler.newLabel();
    if (blocks > 1) {
      emitter.move_immediate(kCount, blocks);
      assembler.bind(top);
    }
    emit_block(emitter, elements);
    if (blocks > 1 || !last) emit_advance(emitter, elements);
    if (blocks > 1) {
      assembler.dec(kCount);
      assembler.jnz(top);
    }
  }

  /// While at least `elements` are left in the count register.
  void emit_counted_blocks(Emitter& emitter, std::int64_t elements) const {
    Assembler& assembler = emitter.assembler();
    const Label top = assembler.newLabel();
    const Label check = assembler.newLabel();
    assembler.jmp(check);
    assembler.bind(top);
    emit_block(emitter, elements);
    emit_advance(emitter, elements);
    assembler.sub(kCount, elements);
    assembler.bind(check);
    assembler.cmp(kCount, elements);
    assembler.jge(top);
  }

  void emit_advance(Emitter& emitter, std::int64_t elements) const {
    const auto step = [&](const Gp& pointer, std::int64_t stride_bytes, const Gp& stride) {
      if (elements == 1) {
        emitter.assembler().add(pointer, stride);
      } else {
        emitter.add_immediate(pointer, elements * stride_bytes);
      }
    };
    step(kFrom, kernel_.source_stride_bytes, kSourceStride);
    step(kTo, kernel_.destination_stride_bytes, kDestinationStride);
  }

  void emit_block(Emitter& emitter, std::int64_t elements) const {
    const std::int64_t block_bytes = elements * kernel_.element_bytes;
    if (!contiguous_ || block_bytes < 16 || elements == 1) {
      emit_scalar_block(emitter, elements);
      return;
    }
    const Mem to = asmjit::x86::ptr(kTo);
    const bool whole = block_bytes == vector_bytes_;
    Vec block = Emitter::vector(splat_ ? kSplatRegister : 0, static_cast<int>(block_bytes));
    if (whole && hardware_) {
      emit_hardware_gather(emitter, block);
    } else if (!splat_) {
      emit_inserts(emitter, static_cast<int>(block_bytes));
    }
    if (whole) {
      emitter.store_streaming(to, block);
    } else {
      emitter.store(to, block);
    }
  }

  void emit_scalar_block(Emitter& emitter, std::int64_t elements) const {
    const std::vector<Move> moves = split_run(kernel_.element_bytes, vector_bytes_);
    for (std::int64_t i = 0; i < elements; ++i) {
      const auto from = static_cast<std::int32_t>(i * kernel_.source_stride_bytes);
      const auto to = static_cast<std::int32_t>(i * kernel_.destination_stride_bytes);
      emit_moves(emitter, asmjit::x86::ptr(kFrom, from), asmjit::x86::ptr(kTo, to), moves);
    }
  }

  /// Puts `block_bytes` together in vector register 0 from 16-byte pieces in registers 0 to 3.
  void emit_inserts(Emitter& emitter, int block_bytes) const {
    Assembler& assembler = emitter.assembler();
    const int pieces = block_bytes / 16;
    for (int piece = 0; piece < pieces; ++piece) emit_piece(emitter, piece);
    using namespace asmjit::x86;
    if (pieces >= 2) assembler.vinserti128(ymm0, ymm0, xmm1, 1);
    if (pieces == 4) {
      assembler.vinserti128(ymm2, ymm2, xmm3, 1);
      assembler.vinserti64x4(zmm0, zmm0, ymm2, 1);
    }
  }

  /// The 16 bytes of piece number `piece` in the vector register of that number.
  void emit_piece(Emitter& emitter, int piece) const {
    const int width = static_cast<int>(kernel_.element_bytes);
    const int elements = 16 / width;
    const Xmm to(static_cast<std::uint32_t>(piece));
    for (int i = 0; i < elements; ++i) {
      const std::int64_t offset = (std::int64_t{piece} * elements + i) * kernel_.source_stride_bytes;
      const Mem from =
          asmjit::x86::ptr(kFrom, static_cast<std::int32_t>(offset), static_cast<std::uint32_t>(width));
      if (i == 0) {
        load_first_piece(emitter, to, from);
      } else {
        insert_piece(emitter, to, from, i);
      }
    }
  }

  void emit_broadcast(Emitter& emitter) const {
    Assembler& assembler = emitter.assembler();
    const Vec to = Emitter::vector(kSplatRegister, vector_bytes_);
    const Mem from = asmjit::x86::ptr(kFrom);
    const Label none = assembler.newLabel();
    if (kernel_.count_from_table >= 0) {  // an empty run's element may lie outside the buffer
      assembler.test(kCount, kCount);
      assembler.jle(none);
    }
    switch (kernel_.element_bytes) {
      case 1:
        assembler.vpbroadcastb(to, from);
        break;
      case 2:
        assembler.vpbroadcastw(to, from);
        break;
      case 4:
        assembler.vpbroadcastd(to, from);
        break;
      case 8:
        assembler.vpbroadcastq(to, from);
        break;
      default:
        if (vector_bytes_ == 64) {
          assembler.vbroadcasti32x4(to, from);
        } else {
          assembler.vbroadcasti128(asmjit::x86::Ymm(kSplatRegister), from);
        }
    }
    assembler.bind(none);
  }

  /// Byte offsets of the lanes' elements from the block's first.
  void prepare_hardware(Emitter& emitter) const {
    std::vector<std::uint8_t> index(static_cast<std::size_t>(vector_bytes_));
    const auto width = static_cast<std::size_t>(kernel_.element_bytes);
    for (std::size_t lane = 0; lane < index.size() / width; ++lane) {
      // little endian: the low bytes of a 64-bit offset are the 32-bit one
      const std::uint64_t offset = lane * static_cast<std::uint64_t>(kernel_.source_stride_bytes);
      std::memcpy(index.data() + lane * width, &offset, width);
    }
    emitter.load(Emitter::vector(kIndexRegister, vector_bytes_), emitter.constant(index));
  }

  /// The mask is consumed and the old destination is an operand: both are set anew. The three registers
  /// differ, as the VEX form demands.
  void emit_hardware_gather(Emitter& emitter, const Vec& to) const {
    Assembler& assembler = emitter.assembler();
    const Vec index = Emitter::vector(kIndexRegister, vector_bytes_);
    const Vec mask = Emitter::vector(kMaskRegister, vector_bytes_);
    const Mem from = asmjit::x86::ptr(kFrom, index, 0, 0);
    const Xmm low(to.id());
    const bool wide = kernel_.element_bytes == 8;
    assembler.vpxor(low, low, low);
    if (emitter.target().has_evex) {
      assembler.kxnorw(asmjit::x86::k1, asmjit::x86::k1, asmjit::x86::k1);
      assembler.k(asmjit::x86::k1)
          .emit(wide ? asmjit::x86::Inst::kIdVpgatherqq : asmjit::x86::Inst::kIdVpgatherdd, to, from);
    } else {
      assembler.vpcmpeqd(mask, mask, mask);
      assembler.emit(wide ? asmjit::x86::Inst::kIdVpgatherqq : asmjit::x86::Inst::kIdVpgatherdd, to, from,
                     mask);
    }
  }

  plan::GatherKernel kernel_;
  int vector_bytes_;
  bool contiguous_;
  bool splat_;
  bool hardware_;
};

}  // namespace

std::unique_ptr<KernelEmitter> make_gather_emitter(const plan::GatherKernel& kernel, const Target& target) {
  return std::make_unique<GatherEmitter>(kernel, target);
}

}  // namespace relayout::jit
