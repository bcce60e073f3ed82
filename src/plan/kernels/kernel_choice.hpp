#pragma once

#include <optional>
#include <vector>

#include "relayout/compile.hpp"
#include "src/plan/boxes/boxes.hpp"
#include "src/plan/kernels/kernel_candidate.hpp"
#include "src/plan/model/pair_sizes.hpp"
#include "src/plan/model/target.hpp"
#include "src/plan/padding/gapped_box.hpp"
#include "src/plan/padding/padded_box.hpp"

namespace relayout::plan {

/// Whether networks may be chosen.
inline bool allows_networks(KernelFamily forced) {
  return forced == KernelFamily::kAutomatic || forced == KernelFamily::kPermute;
}

/// All candidates that fit the box and the forced family, best first. Gather always fits, so with
/// kAutomatic the list is never empty.
std::vector<KernelCandidate> kernel_candidates(const Box& box, const PairSizes& sizes, const Target& target,
                                               KernelFamily forced);

/// Networks whose tiles take the padded axis whole, best first; none at levels where that is not measured.
std::vector<KernelCandidate> padded_candidates(const PaddedBox& padded, const PairSizes& sizes,
                                               const Target& target);

/// A network of a rounded tile that takes the padded axis whole, however many places that has, in the caches
/// and unless it copies rows (Target::rounds_rows_with_padding).
std::optional<KernelCandidate> rounded_padded_candidate(const PaddedBox& padded, const PairSizes& sizes,
                                                        const Target& target);

/// Networks whose tiles take the groups whole, gaps included, best first.
std::vector<KernelCandidate> gapped_candidates(const GappedBox& gapped, const PairSizes& sizes,
                                               const Target& target);

/// Whether the best kernel of each box does what the box's guard is for (RoundedTile::trimmed), that of the
/// first for several runs a call, and reads nothing past the source.
bool have_kernels_that_trim(const BoxList& list, const PairSizes& sizes, const Target& target);

}  // namespace relayout::plan
