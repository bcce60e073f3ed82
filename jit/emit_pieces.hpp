#pragma once

#include <cstdint>
#include <span>

#include <asmjit/x86.h>

#include "jit/emitter.hpp"
#include "src/plan/network/network.hpp"

namespace relayout::jit {

/// A vector in memory: the byte with lane index b lies at `base + offset_bytes` plus the lane strides of b's
/// bits, in a rounded tile where its piece does.
struct VectorPlace {
  asmjit::x86::Gp base;
  std::int64_t offset_bytes = 0;
  const plan::Side* side = nullptr;  ///< null for a vector in one piece
  int side_piece_bytes = 0;          ///< of `side`
  int register_number = 0;
  std::span<const int> touched_bytes;  ///< from each piece's front, in rounded tiles; else empty
  /// What of that is data where the rest is to be zeros; empty where all is.
  std::span<const int> data_bytes;

  int piece_bytes(int vector_bytes) const;
  std::int64_t byte_offset(int byte) const;
  /// Of the piece that begins at lane index `byte`.
  int touched(int byte, int vector_bytes) const;
};

/// Registers of one access. `temporary` is overwritten if pieces are shorter than 16 bytes.
struct VectorRegisters {
  int vector = 0;
  int temporary = 0;
  int vector_bytes = 0;
};

/// Loads a vector piece by piece, touching no byte outside them, in rounded tiles none past what they touch.
/// Overwrites registers::kTemporary[0].
void emit_load(Emitter& emitter, const VectorPlace& place, const VectorRegisters& registers);

/// Stores a part of a vector (store_turns.hpp) piece by piece; a whole one past the caches if `may_stream`
/// and the variant is the streaming one. Overwrites registers::kTemporary[0].
void emit_store(Emitter& emitter, const VectorPlace& place, int part, const VectorRegisters& registers,
                bool may_stream);

}  // namespace relayout::jit
