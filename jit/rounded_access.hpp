#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "jit/store_turns.hpp"
#include "src/plan/network/live_registers.hpp"
#include "src/plan/network/network.hpp"

namespace relayout::jit {

/// What code for a network of a rounded tile (rounded_tile.hpp), or of one with gaps (gapped_box.hpp),
/// touches and computes, of all that the larger tile has.
class RoundedAccess {
 public:
  /// `stored` are the parts of registers in the order in which they are stored.
  RoundedAccess(const plan::Network& network, std::span<const StoredPart> stored);

  /// Bytes to access of each piece of a register, from its front on. More than exist are read where the tile
  /// goes on, and written where later stores of the same call put right what follows.
  std::span<const int> touched(bool source, unsigned register_number) const;

  /// Whether a register holds anything before this stage.
  bool holds(int stage, unsigned register_number) const;
  /// Whether anything of a register is used from this stage on.
  bool wants(int stage, unsigned register_number) const;
  /// Of each of these registers.
  std::vector<bool> wanted_after(int stage, std::span<const unsigned> register_numbers) const;

 private:
  std::size_t pieces_per_register_ = 1;
  std::size_t destination_pieces_per_register_ = 1;
  std::vector<int> source_;
  std::vector<int> destination_;
  plan::LiveRegisters live_;
};

}  // namespace relayout::jit
