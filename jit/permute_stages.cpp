#include "jit/permute_stages.hpp"

#include <optional>
#include <utility>

namespace relayout::jit {
namespace {

namespace Inst = asmjit::x86::Inst;
using asmjit::x86::Vec;
using plan::Move;
using InstructionId = asmjit::InstId;

/// A two-operand shuffle for each result of a pair.
struct PairForm {
  InstructionId low = Inst::kIdNone;
  InstructionId high = Inst::kIdNone;
  std::optional<std::array<int, 2>> immediates;
};

PairForm with_immediates(InstructionId id, int low, int high) {
  return {id, id, std::array{low, high}};
}

PairForm pair_form(Move move, bool has_evex) {
  switch (move) {
    case Move::kUnpack8:
      return {Inst::kIdVpunpcklbw, Inst::kIdVpunpckhbw, {}};
    case Move::kUnpack16:
      return {Inst::kIdVpunpcklwd, Inst::kIdVpunpckhwd, {}};
    case Move::kUnpack32:
      return {Inst::kIdVpunpckldq, Inst::kIdVpunpckhdq, {}};
    case Move::kUnpack64:
      return {Inst::kIdVpunpcklqdq, Inst::kIdVpunpckhqdq, {}};
    case Move::kShufflePs:
      return with_immediates(Inst::kIdVshufps, 0x88, 0xDD);
    case Move::kShuffleLanes44:
      return with_immediates(Inst::kIdVshufi32x4, 0x44, 0xEE);
    case Move::kShuffleLanes88:
      return with_immediates(Inst::kIdVshufi32x4, 0x88, 0xDD);
    case Move::kPermute128:
      // vperm2i128 has no EVEX form; on 32 bytes vshufi32x4 takes one lane of each operand.
      return has_evex ? with_immediates(Inst::kIdVshufi32x4, 0b00, 0b11)
                      : with_immediates(Inst::kIdVperm2i128, 0x20, 0x31);
    default:
      return {};
  }
}

InstructionId table_instruction(Move move) {
  switch (move) {
    case Move::kTablePermute8:
      return Inst::kIdVpermb;
    case Move::kTablePermute16:
      return Inst::kIdVpermw;
    case Move::kTablePermute32:
      return Inst::kIdVpermd;
    case Move::kTablePermute64:
      return Inst::kIdVpermq;
    case Move::kTwoTablePermute8:
      return Inst::kIdVpermt2b;
    case Move::kTwoTablePermute16:
      return Inst::kIdVpermt2w;
    case Move::kTwoTablePermute32:
      return Inst::kIdVpermt2d;
    case Move::kTwoTablePermute64:
      return Inst::kIdVpermt2q;
    default:
      return Inst::kIdNone;
  }
}

class StageEmitter {
 public:
  StageEmitter(Emitter& emitter, const plan::Stage& stage, const StageOperands& operands, LiveVectors& live)
      : emitter_(emitter), assembler_(emitter.assembler()), stage_(stage), operands_(operands), live_(live) {}

  void emit() {
    if (stage_.slot < 0) {
      for (std::size_t i = 0; i < live_.registers.size(); ++i)
        if (live_.present[i] && wanted(i)) single(vector(live_.registers[i]));
      return;
    }
    const std::size_t partner = std::size_t{1} << operands_.pair_bit;
    for (std::size_t i = 0; i < live_.registers.size(); ++i) {
      if ((i & partner) != 0 || !live_.present[i]) continue;
      results_ = {wanted(i), wanted(i | partner)};
      if (results_.low || results_.high) pair(live_.registers[i], live_.registers[i | partner]);
      live_.present[i | partner] = stage_.move != Move::kJoinBits;
    }
  }

 private:
  struct WantedResults {
    bool low = true;
    bool high = true;
  };

  bool wanted(std::size_t index) const { return live_.wanted.empty() || live_.wanted[index]; }
  Vec vector(int number) const { return Emitter::vector(number, live_.vector_bytes); }
  Vec table(std::size_t index) const { return vector(operands_.tables[index]); }

  void single(const Vec& a) {
    switch (stage_.move) {
      case Move::kPermuteDwords:
        assembler_.vpshufd(a, a, 0xD8);
        return;
      case Move::kSwapLanes:
        assembler_.vshufi32x4(a, a, a, 0xD8);
        return;
      case Move::kByteShuffle:
        assembler_.vpshufb(a, a, table(0));
        return;
      default:
        break;
    }
    if (stage_.move == Move::kTablePermute64 && stage_.tables.empty()) {
      assembler_.vpermq(a, a, 0xD8);
    } else {
      assembler_.emit(table_instruction(stage_.move), a, table(0), a);
    }
  }

  void pair(int& a, int& b) {
    switch (stage_.move) {
      case Move::kBlendExchange32:
        return blend_exchange(vector(a), vector(b), {0xA0, 0xF5, 0b10101010});
      case Move::kBlendExchange64:
        return blend_exchange(vector(a), vector(b), {0x44, 0xEE, 0b11001100});
      case Move::kTwoTablePermute8:
      case Move::kTwoTablePermute16:
      case Move::kTwoTablePermute32:
      case Move::kTwoTablePermute64:
        return two_table_permute(a, b);
      case Move::kExchangeBits:
        return emitter_.target().has_evex ? exchange_bits(a, b) : exchange_bits_avx2(vector(a), vector(b));
      case Move::kSplitBits:
        return split_bits(vector(a), vector(b));
      case Move::kJoinBits:
        return join_bits(a, b);
      default:
        return shuffle(a, b);
    }
  }

  /// The low result goes to the spare register, the high one to b's, and a's becomes the spare.
  void shuffle(int& a, int& b) {
    const PairForm form = pair_form(stage_.move, emitter_.target().has_evex);
    const Vec low = vector(live_.spare[0]);
    const auto emit_half = [&](InstructionId id, const Vec& to, std::size_t half) {
      form.immediates ? assembler_.emit(id, to, vector(a), vector(b), asmjit::imm((*form.immediates)[half]))
                      : assembler_.emit(id, to, vector(a), vector(b));
    };
    if (results_.low) emit_half(form.low, low, 0);
    if (results_.high) emit_half(form.high, vector(b), 1);
    if (results_.low) std::swap(a, live_.spare[0]);
  }

  /// vpermt2* overwrites its first operand, so that one is copied first; b's register becomes the spare.
  void two_table_permute(int& a, int& b) {
    const InstructionId id = table_instruction(stage_.move);
    const Vec low = vector(live_.spare[0]);
    assembler_.vmovdqa64(low, vector(a));
    assembler_.emit(id, low, table(0), vector(b));
    assembler_.emit(id, vector(a), table(1), vector(b));
    const int freed = b;
    b = a;
    a = std::exchange(live_.spare[0], freed);
  }

  // Truth tables of vpternlog.
  static constexpr int kThirdSelectsSecond = 0xD8;  ///< third ? second : first
  static constexpr int kThirdSelectsFirst = 0xE4;   ///< third ? first : second

  // Shifts are of whole words: the mask drops what crosses bytes.

  /// a' = b << s where the mask has zeros, else a; b' = a >> s where it has ones, else b.
  void exchange_bits(int& a, int& b) {
    auto& [low, high] = live_.spare;
    assembler_.vpsllw(vector(low), vector(b), stage_.shift_bits);
    assembler_.vpsrlw(vector(high), vector(a), stage_.shift_bits);
    assembler_.vpternlogd(vector(low), vector(a), table(0), kThirdSelectsSecond);
    assembler_.vpternlogd(vector(high), vector(b), table(0), kThirdSelectsFirst);
    std::swap(a, low);
    std::swap(b, high);
  }

  /// t = ((a >> s) ^ b) & mask; b ^= t; a ^= t << s.
  void exchange_bits_avx2(const Vec& a, const Vec& b) {
    const Vec difference = vector(live_.spare[0]);
    assembler_.vpsrlw(difference, a, stage_.shift_bits);
    assembler_.vpxor(difference, difference, b);
    assembler_.vpand(difference, difference, table(0));
    assembler_.vpxor(b, b, difference);
    assembler_.vpsllw(difference, difference, stage_.shift_bits);
    assembler_.vpxor(a, a, difference);
  }

  void bitwise_and(const Vec& to, const Vec& from) {
    emitter_.target().has_evex ? assembler_.vpandd(to, from, table(0)) : assembler_.vpand(to, from, table(0));
  }

  /// b is not read: there is nothing in it yet.
  void split_bits(const Vec& a, const Vec& b) {
    assembler_.vpsrlw(b, a, stage_.shift_bits);
    bitwise_and(b, b);
    bitwise_and(a, a);
  }

  /// The result is put together in b's register, which becomes a's.
  void join_bits(int& a, int& b) {
    if (emitter_.target().has_evex) {
      assembler_.vpsllw(vector(b), vector(b), stage_.shift_bits);
      assembler_.vpternlogd(vector(b), vector(a), table(0), kThirdSelectsSecond);
    } else {
      bitwise_and(vector(a), vector(a));
      bitwise_and(vector(b), vector(b));
      assembler_.vpsllw(vector(b), vector(b), stage_.shift_bits);
      assembler_.vpor(vector(b), vector(b), vector(a));
    }
    std::swap(a, b);
  }

  struct BlendForm {
    int duplicate_low;
    int duplicate_high;
    int high_mask;
  };

  void blend_exchange(const Vec& a, const Vec& b, const BlendForm& form) {
    const Vec from_a = vector(live_.spare[0]);
    const Vec from_b = vector(live_.spare[1]);
    assembler_.vpshufd(from_b, b, form.duplicate_low);
    assembler_.vpshufd(from_a, a, form.duplicate_high);
    assembler_.vpblendd(a, a, from_b, form.high_mask);
    assembler_.vpblendd(b, b, from_a, ~form.high_mask & 0xFF);
  }

  Emitter& emitter_;
  asmjit::x86::Assembler& assembler_;
  const plan::Stage& stage_;
  const StageOperands& operands_;
  LiveVectors& live_;
  WantedResults results_;  ///< of the pair at hand
};

}  // namespace

void emit_stage(Emitter& emitter, const plan::Stage& stage, const StageOperands& operands,
                LiveVectors& live) {
  StageEmitter(emitter, stage, operands, live).emit();
}

}  // namespace relayout::jit
