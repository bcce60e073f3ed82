#include "jit/emit_short_pieces.hpp"

namespace relayout::jit {

using asmjit::x86::Mem;
using asmjit::x86::Xmm;

void load_first_piece(Emitter& emitter, const Xmm& to, const Mem& from) {
  auto& assembler = emitter.assembler();
  const auto scalar = registers::kTemporary[0].r32();
  switch (from.size()) {
    case 16:
      return emitter.load_source(to, from);
    case 8:
      assembler.vmovq(to, from);
      return;
    case 4:
      assembler.vmovd(to, from);
      return;
    default:
      assembler.movzx(scalar, from);
      assembler.vmovd(to, scalar);
  }
}

void insert_piece(Emitter& emitter, const Xmm& to, const Mem& from, int index) {
  auto& assembler = emitter.assembler();
  switch (from.size()) {
    case 8:
      assembler.vmovhps(to, to, from);
      return;
    case 4:
      assembler.vpinsrd(to, to, from, index);
      return;
    case 2:
      assembler.vpinsrw(to, to, from, index);
      return;
    default:
      assembler.vpinsrb(to, to, from, index);
  }
}

void store_piece(Emitter& emitter, const Mem& to, const Xmm& from, int index) {
  auto& assembler = emitter.assembler();
  switch (to.size()) {
    case 16:
      return emitter.store_destination(to, from);
    case 8:
      index == 0 ? assembler.vmovq(to, from) : assembler.vmovhps(to, from);
      return;
    case 4:
      index == 0 ? assembler.vmovd(to, from) : assembler.vpextrd(to, from, index);
      return;
    case 2:
      assembler.vpextrw(to, from, index);
      return;
    default:
      assembler.vpextrb(to, from, index);
  }
}

}  // namespace relayout::jit
