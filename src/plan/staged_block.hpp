#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "src/plan/boxes.hpp"
#include "src/plan/loops.hpp"
#include "src/plan/plan.hpp"

namespace relayout::plan {

/// A part of a box whose destination is put together in a scratch, in one run or in equal runs.
struct StagedBlock {
  /// Its elements along the box's axes, and where they lie in the scratch instead of the destination. Without
  /// the axes of which it has one element.
  Box block;
  std::vector<std::int64_t> extents;  ///< of all axes of the box
  Staging staging;                    ///< its runs; without loops and the place in the scratch
};

/// The block that reads whole lines and writes the longest runs. None where runs would be short, or the box
/// has guards, tables or parts of bytes.
std::optional<StagedBlock> staged_block(const Box& box, std::int64_t element_bytes);

/// The nest of all blocks of the box around `inner`, the nest of one of them. None if it wants too much
/// scratch.
std::optional<Nest> stage(const Box& box, const StagedBlock& staged, Nest inner, LoopWalk walk);

}  // namespace relayout::plan
