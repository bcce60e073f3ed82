#pragma once

#include <cstdint>
#include <optional>

#include "src/plan/kernels/kernel_choice.hpp"
#include "src/plan/model/plan_inputs.hpp"
#include "src/plan/model/plan_notes.hpp"
#include "src/plan/padding/padded_box.hpp"
#include "src/plan/staging/staged_block.hpp"

namespace relayout::plan {

/// What is staged of elements of up to so many bytes has limits of its own.
inline constexpr std::int64_t kNarrowElementBytes = 2;

/// Of one block, which the caches hold, of a pair that they need not hold.
PairSizes sizes_of_block(const PlanInputs& inputs);

struct BlockKernel {
  KernelCandidate candidate;
  ChosenFor chosen_for = ChosenFor::kBlockOfRuns;
};

/// The kernel that writes one block to the scratch, complete; nothing if none is cheap enough.
/// \param padded the block's share of the padding that is moved along, or null
/// \param plain what would move all of the box without a scratch, or null: not every kernel is better
std::optional<BlockKernel> choose_block_kernel(const StagedBlock& staged, const PaddedBox* padded,
                                               const Kernel* plain, const PlanInputs& inputs,
                                               PlanNotes& notes);

}  // namespace relayout::plan
