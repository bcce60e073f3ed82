#pragma once

#include <asmjit/x86.h>

#include "jit/emitter.hpp"

namespace relayout::jit {

// Pieces of 1, 2, 4, 8 or 16 bytes, as many as their memory operand has, in a register of 16. `index` counts
// pieces of that size.

/// The rest of the register becomes zero. Overwrites registers::kTemporary[0] for pieces below 4 bytes.
void load_first_piece(Emitter& emitter, const asmjit::x86::Xmm& to, const asmjit::x86::Mem& from);

/// \pre the piece has less than 16 bytes
void insert_piece(Emitter& emitter, const asmjit::x86::Xmm& to, const asmjit::x86::Mem& from, int index);

void store_piece(Emitter& emitter, const asmjit::x86::Mem& to, const asmjit::x86::Xmm& from, int index);

}  // namespace relayout::jit
