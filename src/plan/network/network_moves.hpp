#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "src/plan/network/network.hpp"

namespace relayout::plan::network {

/// Positions of index bits: 0 .. log2(vector bytes) - 1 inside a vector, kSlot in the register number.
inline constexpr int kMaxLanePositions = 6;
inline constexpr int kSlot = 7;
/// `from[p]` is the position whose bit comes to position p.
using Positions = std::array<std::int8_t, 8>;
inline constexpr Positions kIdentity = {0, 1, 2, 3, 4, 5, 6, 7};

/// What limits the throughput of a move.
enum class Resource : std::uint8_t {
  kAnyPipe,   ///< every vector pipe executes it
  kCrossing,  ///< only the pipes with the wide shuffle unit
  kTwoTable,  ///< vpermt2*: two slots, and in the way of a store (section 4 of the cost measurements on Zen
              ///< 5)
};

/// What a move does to index bits.
struct MoveAction {
  Move move{};
  bool takes_slot = false;     ///< works on pairs of registers
  bool has_table = false;      ///< any permutation of positions [low, high) (and kSlot, if it takes one)
  Positions from = kIdentity;  ///< of moves without a table
  int low = 0;
  int high = 0;
  int granule = 0;  ///< log2 of the bytes that one index of the table stands for
};

/// The moves of a target that keep the lowest `element_bits` positions in place.
std::vector<MoveAction> available_moves(const NetworkTarget& target, int element_bits);

Resource resource_of(Move move);

/// vpshufb and vperm*: moves whose permutation is data. (vpermq on 32-byte vectors is one by its immediate.)
bool permutes_by_table(Move move);

/// Instructions per vector, without register copies.
double operations_per_vector(Move move);

/// `vpunpckl/hbw`, `vpermb`, ...
std::string_view move_name(Move move);

/// log2 of a vector's bytes.
int lane_positions(const NetworkTarget& target);

}  // namespace relayout::plan::network
