#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <asmjit/x86.h>

#include "jit/emitter.hpp"

namespace relayout::jit {

/// Runs up to this length are moved without a loop; longer ones by so many vectors per trip.
constexpr std::int64_t kUnrolledBytes = 256;
constexpr int kVectorsPerTrip = 4;

/// One load and one store of a power of two bytes, up to a vector.
struct Move {
  std::int64_t offset_bytes = 0;
  int bytes = 1;
  bool streaming = false;  ///< past the caches in the streaming variant: the destination is aligned there
};

/// The moves that cover a run exactly: as many of the largest size as fit, then one smaller move for the
/// rest, which may overlap those before it: 20 = 16 + 4, 7 = 4 + 4 overlapping by one. \pre run_bytes > 0
std::vector<Move> split_run(std::int64_t run_bytes, int vector_bytes);

/// Below this, runs are moved by general registers.
constexpr int kNarrowestVectorBytes = 16;

/// Stores what a move has in the vector register of that number, or in a general one if it is shorter than 16
/// bytes.
void store_move(Emitter& emitter, const asmjit::x86::Mem& destination, const Move& move, int vector,
                const asmjit::x86::Gp& shorter);

/// Emits moves relative to two addresses. Overwrites the vector registers 0 to 3 and the last two
/// temporaries. \pre at most two of the moves are shorter than 16 bytes
void emit_moves(Emitter& emitter, const asmjit::x86::Mem& source, const asmjit::x86::Mem& destination,
                std::span<const Move> moves);

}  // namespace relayout::jit
