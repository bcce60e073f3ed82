#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "src/plan/network/network_cost.hpp"
#include "src/plan/network/network_moves.hpp"

namespace relayout::plan::network {

/// State of a walk: per lane position the destination lane position that its bit must reach, or kInRegister.
/// Bits that end in the register number are alike: renaming registers is free.
using Labels = std::array<std::int8_t, kMaxLanePositions>;
inline constexpr std::int8_t kInRegister = 7;

/// The cheapest next move of every state, found by one backward search from the state in which all bits are
/// where they belong. Moves that bring a bit labelled kInRegister into a lane are left out: they would save a
/// fifth of the cheapest move at most, by weights that only break ties (exhausted over the tables up to 1546
/// states), and without them a walk needs no spare register bit.
class ShortestPaths {
 public:
  struct Step {
    const MoveAction* action = nullptr;  ///< null where all bits are in place
    Labels next{};
  };

  /// Takes up to a few ms for bytes in 64-byte vectors, microseconds for 4-byte elements.
  ShortestPaths(const NetworkTarget& target, int element_bits, Weighting weighting);

  /// Sum of the weights of the cheapest path; -1 if there is none. O(1).
  int distance(const Labels& labels) const;
  /// \pre distance(labels) >= 0
  Step step(const Labels& labels) const;
  std::int64_t states() const { return settled_; }

 private:
  friend class BackwardSearch;
  std::uint32_t pack(const Labels& labels) const;
  Labels unpack(std::uint32_t key) const;

  int lanes_;
  int element_bits_;
  std::vector<MoveAction> moves_;
  std::vector<std::uint32_t>
      entries_;  ///< by packed labels: next state, move + 1, distance; 0 if not reached
  std::int64_t settled_ = 0;
};

/// The table of a target and element width. Built at the first call, then shared by the process. Thread safe.
const ShortestPaths& shortest_paths(const NetworkTarget& target, int element_bits, Weighting weighting);

}  // namespace relayout::plan::network
