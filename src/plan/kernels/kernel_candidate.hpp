#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "relayout/compile.hpp"
#include "src/plan/boxes/boxes.hpp"
#include "src/plan/kernels/rounded_tile.hpp"
#include "src/plan/model/plan.hpp"
#include "src/plan/model/plan_choice.hpp"
#include "src/plan/tiles/micro_tile.hpp"

namespace relayout::plan {

/// Elements along the padded axis of a padded box.
struct PaddedRuns {
  std::int64_t data = 0;    ///< that exist at the source
  std::int64_t places = 0;  ///< at the destination
};

/// Elements along the groups of a gapped box.
struct GappedGroups {
  std::int64_t data = 0;    ///< that are written
  std::int64_t places = 0;  ///< that are read
};

/// A kernel for a box: what one call moves, and what it is predicted to cost.
struct KernelCandidate {
  Kernel kernel;
  /// Elements of each axis that one call moves; 1 for axes that loops walk.
  std::vector<std::int64_t> takes;
  /// What `takes` is rounded up from, of networks of rounded tiles.
  std::optional<RoundedTile> rounded;
  /// Of networks and table shuffles of a padded box, whose axes `takes` counts.
  std::optional<PaddedRuns> padded;
  /// Of networks of a gapped box, whose axes `takes` counts.
  std::optional<GappedGroups> gapped;
  /// Axis whose run length the kernel takes from a table at run time, or -1.
  int run_axis = -1;
  KernelFamily family = KernelFamily::kCopy;
  /// As in preferred_runs.hpp; goes before the tile of whole lines, with whose cost it competes.
  bool is_preferred = false;
  bool keeps_sets = false;  ///< of preferred ones: shorter runs of rows that fill sets don't compete
  /// What it goes before others for that cost less: table shuffles for streamed lines, scalar moves for tails
  /// that do not overlap, networks for stores that keep pace.
  ChosenFor chosen_for = ChosenFor::kFewestCycles;
  double cycles_per_byte = 0;
  std::int64_t source_run_bytes = 0;  ///< of networks, as those of their tiles
  std::int64_t destination_run_bytes = 0;
  std::string_view preferred_because;  ///< of preferred ones
  std::optional<LoopWalk> walk = {};   ///< of preferred ones, if it goes with their runs
  bool in_half_vectors = false;        ///< of preferred ones: in vectors of 32 bytes

  /// Whether the pieces of its network are placed one by one (Side::pieces), of which some do not exist.
  bool places_pieces() const { return rounded || padded || gapped; }

  /// Predicted to move all of a box.
  double cycles_for(const Box& box, std::int64_t element_bytes) const {
    return cycles_per_byte * box.elements() * static_cast<double>(element_bytes);
  }

  /// What a call of a network or of shuffles moves.
  void set_tile(const MicroTile& tile);
};

/// What it does and is predicted to cost, for people.
std::string description_of(const Box& box, const KernelCandidate& candidate);

/// Of a candidate that is chosen for what it moves at once.
ChosenFor chosen_for_of(const KernelCandidate& candidate);

/// What tells a candidate from the others of its box: `copy`, `scalar`, `gather`, `network-16x16` and
/// `shuffle64-3x64` with the elements that one call takes of each axis; `padded-8x4` and
/// `padded-shuffle64-4x16` where padding is among them, `gapped-64x4x4` where some are read and not written.
std::string kernel_name(const KernelCandidate& candidate);

}  // namespace relayout::plan
