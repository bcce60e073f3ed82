#pragma once

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/kernels/kernel_choice.hpp"
#include "src/plan/model/plan_inputs.hpp"
#include "src/plan/model/plan_notes.hpp"

namespace relayout::plan {

/// What a candidate moves.
struct MovedBox {
  const Box& box;
  const PaddedBox* padded =
      nullptr;  ///< of which `box` is the box, where the candidate is one of a padded box
  const GappedBox* gapped = nullptr;  ///< of which it is the box, where the candidate is one of a gapped box
};

/// How the network of a candidate is to write lines that several of its vectors share.
LineStores line_stores_for(const Box& box, const KernelCandidate& candidate, const PlanInputs& inputs);

/// Makes the network of a candidate that is one: they take long to make, and only that of the chosen one is
/// of use. Other candidates are complete already. False, with a note why, if there is no such network.
bool complete_network(const MovedBox& moved, KernelCandidate& candidate, LineStores line_stores,
                      const PlanInputs& inputs, PlanNotes& notes);

}  // namespace relayout::plan
