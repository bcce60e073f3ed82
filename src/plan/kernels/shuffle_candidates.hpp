#pragma once

#include <optional>
#include <vector>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/kernels/kernel_candidate.hpp"
#include "src/plan/model/pair_sizes.hpp"
#include "src/plan/model/target.hpp"
#include "src/plan/padding/padded_box.hpp"

namespace relayout::plan {

/// Adds the table shuffles that fit the box and are predicted to take less than `most_cycles_per_byte`.
void add_shuffles(const Box& box, const PairSizes& sizes, const Target& target, double most_cycles_per_byte,
                  std::vector<KernelCandidate>& candidates);

/// The cheapest table shuffle of a box with its padding, if it is predicted to take less than that for each
/// byte of data.
std::optional<KernelCandidate> padded_shuffle(const PaddedBox& padded, const PairSizes& sizes,
                                              const Target& target, double most_cycles_per_byte);

}  // namespace relayout::plan
