#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "jit/emitter.hpp"
#include "src/plan/network/network.hpp"

namespace relayout::jit {

/// Registers of the index tables of a network's stages: tables stay in registers while there are some, the
/// others are loaded where they are used.
class StageTables {
 public:
  /// \param registers the vector registers that the kernel may use, from 0 up
  /// \param first_free the first of them that its vectors do not take
  StageTables(const plan::Network& network, int registers, int first_free);

  /// Loads those that have a register of their own.
  void prepare(Emitter& emitter) const;

  /// The registers of a stage's tables, loaded.
  std::array<int, 2> of_stage(Emitter& emitter, std::size_t index) const;

 private:
  void load(Emitter& emitter, std::size_t index, std::size_t table, int number) const;

  const plan::Network& network_;
  std::vector<std::array<int, 2>> kept_;  ///< per stage
  std::array<int, 2> on_demand_;
};

}  // namespace relayout::jit
