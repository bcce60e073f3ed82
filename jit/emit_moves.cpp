#include "jit/emit_moves.hpp"

#include <algorithm>
#include <bit>

namespace relayout::jit {

namespace {

using asmjit::x86::Gp;
using asmjit::x86::Mem;

/// Loads ahead of stores, so that they do not wait for stores whose addresses agree in their low 12 bits.
constexpr std::size_t kGroup = 4;

Mem sized(const Mem& address, const Move& move) {
  Mem operand = address.cloneAdjusted(move.offset_bytes);
  operand.setSize(static_cast<std::uint32_t>(move.bytes));
  return operand;
}

void emit_short_load(Emitter& emitter, const Gp& to, const Mem& from) {
  asmjit::x86::Assembler& assembler = emitter.assembler();
  if (from.size() == 8) {
    assembler.mov(to, from);
  } else if (from.size() == 4) {
    assembler.mov(to.r32(), from);
  } else {
    assembler.movzx(to.r32(), from);
  }
}

void emit_short_store(Emitter& emitter, const Mem& to, const Gp& from) {
  asmjit::x86::Assembler& assembler = emitter.assembler();
  switch (to.size()) {
    case 8:
      assembler.mov(to, from);
      break;
    case 4:
      assembler.mov(to, from.r32());
      break;
    case 2:
      assembler.mov(to, from.r16());
      break;
    default:
      assembler.mov(to, from.r8());
      break;
  }
}

void emit_group(Emitter& emitter, const Mem& source, const Mem& destination, std::span<const Move> moves) {
  std::size_t temporary = 1;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const Mem from = sized(source, moves[i]);
    if (moves[i].bytes < kNarrowestVectorBytes) {
      emit_short_load(emitter, registers::kTemporary[temporary++], from);
    } else {
      emitter.load_source(Emitter::vector(static_cast<int>(i), moves[i].bytes), from);
    }
  }
  temporary = 1;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const bool is_short = moves[i].bytes < kNarrowestVectorBytes;
    store_move(emitter, destination, moves[i], static_cast<int>(i),
               registers::kTemporary[is_short ? temporary++ : 0]);
  }
}

}  // namespace

void store_move(Emitter& emitter, const Mem& destination, const Move& move, int vector, const Gp& shorter) {
  const Mem to = sized(destination, move);
  if (move.bytes < kNarrowestVectorBytes) {
    emit_short_store(emitter, to, shorter);
  } else if (move.streaming) {
    emitter.store_streaming(to, Emitter::vector(vector, move.bytes));
  } else {
    emitter.store_destination(to, Emitter::vector(vector, move.bytes));
  }
}

std::vector<Move> split_run(std::int64_t run_bytes, int vector_bytes) {
  const auto bytes = static_cast<std::uint64_t>(run_bytes);
  const std::uint64_t size =
      std::min<std::uint64_t>(std::bit_floor(bytes), static_cast<std::uint64_t>(vector_bytes));
  std::vector<Move> moves;
  for (std::uint64_t offset = 0; offset + size <= bytes; offset += size) {
    moves.push_back({static_cast<std::int64_t>(offset), static_cast<int>(size)});
  }
  const std::uint64_t rest = bytes % size;
  if (rest != 0) {
    const std::uint64_t last = std::bit_ceil(rest);
    moves.push_back({static_cast<std::int64_t>(bytes - last), static_cast<int>(last)});
  }
  return moves;
}

void emit_moves(Emitter& emitter, const Mem& source, const Mem& destination, std::span<const Move> moves) {
  while (!moves.empty()) {
    const std::size_t count = std::min(kGroup, moves.size());
    emit_group(emitter, source, destination, moves.first(count));
    moves = moves.subspan(count);
  }
}

}  // namespace relayout::jit
