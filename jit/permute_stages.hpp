#pragma once

#include <array>
#include <vector>

#include "jit/emitter.hpp"
#include "src/plan/network/network.hpp"

namespace relayout::jit {

/// The vectors of one group while stages pass over them. A pair move writes one result to a spare register
/// and frees another, so the numbers change as stages are emitted.
struct LiveVectors {
  std::vector<int> registers;  ///< by the index of a vector in its group
  std::array<int, 2> spare{};
  std::vector<bool> present;  ///< whether they hold anything: not before bytes are split, not after a join
  std::vector<bool> wanted;   ///< whether the next stage's results are; empty: all
  int vector_bytes = 0;
};

/// What a stage works with besides the vectors.
struct StageOperands {
  int pair_bit = -1;            ///< bit of the index in the group that tells the vectors of a pair apart
  std::array<int, 2> tables{};  ///< registers that hold the stage's index tables
};

/// Emits one stage on all vectors of a group.
void emit_stage(Emitter& emitter, const plan::Stage& stage, const StageOperands& operands, LiveVectors& live);

}  // namespace relayout::jit
