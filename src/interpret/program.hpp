#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "relayout/result.hpp"
#include "src/interpret/lane_program.hpp"
#include "src/plan/refinement/problem.hpp"

namespace relayout::interpret {

/// Steps on scalars, run once per block: `result`, `left` and `right` are entries of the scalars.
enum class ScalarOperation : std::uint8_t { kAdd, kMultiply, kFloorDiv, kFloorMod, kXor };
struct ScalarStep {
  ScalarOperation operation = ScalarOperation::kAdd;
  int result = 0;
  int left = 0;
  int right = 0;
};

/// More scalars than this would not fit the interpreter's stack.
inline constexpr std::size_t kMostScalars = 256;

/// Both expressions of a problem as straight-line code. The row-major domain is cut into blocks of
/// `block_elements` consecutive elements, the trailing variables' box; what depends on the leading variables
/// only is computed once per block by `scalar_steps`, the rest once per element by `lane_steps`.
///
/// Scalars: entry 0 is the block number, then the constants, then the results of scalar steps.
struct Program {
  std::vector<ScalarStep> scalar_steps;
  std::vector<LaneStep> lane_steps;
  std::vector<std::int64_t> scalars;  ///< initial values
  int slot_count = 0;
  int source_slot = 0;       ///< source offsets, in elements
  int destination_slot = 0;  ///< destination offsets, in elements
  bool wide = false;         ///< some value needs 64-bit lanes
  std::int64_t block_elements = 1;
  std::int64_t total_elements = 0;
};

/// Compiles both expressions. Shared subexpressions are computed once. O(nodes log nodes).
/// \error kOverflow if an intermediate value may exceed 2^62, kUnsupported past expr::kMaximumDepth
Result<Program> compile_program(const plan::Problem& problem);

}  // namespace relayout::interpret
