#pragma once

#include <optional>
#include <vector>

#include "src/plan/boxes.hpp"
#include "src/plan/kernel_candidate.hpp"
#include "src/plan/padded_box.hpp"
#include "src/plan/pair_sizes.hpp"
#include "src/plan/target.hpp"

namespace relayout::plan {

/// Adds the table shuffles that fit the box and are predicted to take less than `most_cycles_per_byte`.
void add_shuffles(const Box& box, const PairSizes& sizes, const Target& target, double most_cycles_per_byte,
                  std::vector<KernelCandidate>& candidates);

/// The cheapest table shuffle of a box with its padding, if it is predicted to take less than that for each
/// byte of data.
std::optional<KernelCandidate> padded_shuffle(const PaddedBox& padded, const PairSizes& sizes,
                                              const Target& target, double most_cycles_per_byte);

}  // namespace relayout::plan
