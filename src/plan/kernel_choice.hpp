#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "relayout/compile.hpp"
#include "src/plan/boxes.hpp"
#include "src/plan/padded_box.hpp"
#include "src/plan/plan.hpp"
#include "src/plan/preferred_runs.hpp"
#include "src/plan/rounded_tile.hpp"
#include "src/plan/target.hpp"

namespace relayout::plan {

/// Elements along the padded axis of a padded box.
struct PaddedRuns {
  std::int64_t data = 0;    ///< that exist at the source
  std::int64_t places = 0;  ///< at the destination
};

/// A kernel for a box: what one call moves, and what it is predicted to cost.
struct KernelCandidate {
  Kernel kernel;
  /// Elements of each axis that one call moves; 1 for axes that loops walk.
  std::vector<std::int64_t> takes;
  /// What `takes` is rounded up from, of networks of rounded tiles.
  std::optional<RoundedTile> rounded;
  /// Of networks of a padded box, whose axes `takes` counts.
  std::optional<PaddedRuns> padded;
  /// Axis whose run length the kernel takes from a table at run time, or -1.
  int run_axis = -1;
  KernelFamily family = KernelFamily::kCopy;
  bool is_preferred =
      false;  ///< as in preferred_runs.hpp; goes before the tile of whole lines, with whose cost it competes
  double cycles_per_byte = 0;
  std::int64_t source_run_bytes = 0;  ///< of networks, as those of their tiles
  std::int64_t destination_run_bytes = 0;
  std::string_view preferred_because;  ///< of preferred ones
};

/// What it does and is predicted to cost, for people.
std::string description_of(const Box& box, const KernelCandidate& candidate);

/// In the description of a preferred candidate, before the reason.
inline constexpr std::string_view kPreferredBecause = ", runs of this length because ";

/// What tells a candidate from the others of its box: `copy`, `scalar`, `gather`, `network-16x16` and
/// `shuffle64-3x64` with the elements that one call takes of each axis.
std::string kernel_name(const KernelCandidate& candidate);

/// All candidates that fit the box and the forced family, best first. Gather always fits, so with
/// kAutomatic the list is never empty.
std::vector<KernelCandidate> kernel_candidates(const Box& box, const PairSizes& sizes, const Target& target,
                                               KernelFamily forced);

/// Networks whose tiles take the padded axis whole, best first; none at levels where that is not measured.
std::vector<KernelCandidate> padded_candidates(const PaddedBox& padded, const PairSizes& sizes,
                                               const Target& target);

}  // namespace relayout::plan
