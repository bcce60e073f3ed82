#pragma once

#include <cstdint>
#include <optional>

#include "src/plan/model/plan.hpp"
#include "src/plan/model/plan_choice.hpp"
#include "src/plan/tiles/block_runs.hpp"

namespace relayout::plan {

/// Trips of a loop that three parts share to within 5 percent.
inline constexpr std::int64_t kEvenParts = 64;
/// With fewer, there is hardly anything to share.
inline constexpr std::int64_t kFewTrips = 8;

/// Contiguous bytes that one call of a nest's kernel covers on either side, from the call's first byte on,
/// and the bytes that it moves.
struct TileRuns {
  std::int64_t source_bytes = 1;
  std::int64_t destination_bytes = 1;
  std::int64_t tile_bytes = 1;

  std::int64_t runs_read() const { return tile_bytes / source_bytes; }
  std::int64_t runs_written() const { return tile_bytes / destination_bytes; }
};

/// What goes around an outermost loop of few trips.
struct OutermostRule {
  enum class Outwards : std::uint8_t {
    /// The longest loop itself, unless the loops walk a side in its order. The innermost of the blocks'
    /// loops, along which the next block is near, only where there are kFewTrips.
    kLongest,
    /// As above, the innermost of these included.
    kLongestOfAll,
    /// As kLongest, and only around a loop along which the destination's runs go on that blocks write: that
    /// loop, further in, makes them longer. Not for calls that write one run and read several.
    kLongestAroundContinued,
    /// A loop over kEvenParts shares of the longest, so that both sides are still walked in long stretches.
    /// One too short for shares goes around itself, but one of less than kEvenParts trips only where the
    /// outermost has less than kFewTrips: parts would be less even.
    kSharesOfLongest,
    /// Parts are cut from a loop further in.
    kNothing,
  };
  std::int64_t fewest_trips = kEvenParts;
  Outwards outwards = Outwards::kLongest;

  static OutermostRule shares_if_fewer_than(std::int64_t trips) {
    return {trips, Outwards::kSharesOfLongest};
  }
  static OutermostRule longest_around_continued() { return {kEvenParts, Outwards::kLongestAroundContinued}; }
  static OutermostRule longest_of_all() { return {kEvenParts, Outwards::kLongestOfAll}; }
  static OutermostRule stays() { return {0, Outwards::kNothing}; }
};

/// What loops are to be ordered for.
struct LoopGoals {
  LoopWalk walk = LoopWalk::kBlocked;
  /// What a block's run grows to along a side of which a call covers one contiguous piece.
  std::int64_t contiguous_run_bytes = 1024;
  /// What a block's runs grow to along other sides.
  std::int64_t run_bytes = kBlockRunBytes;
  /// What they grow to instead.
  std::optional<BlockRuns> block = {};
  /// A loop that blocks do not divide, and that takes fewer of them than this, is one block if that moves at
  /// most so many bytes.
  std::int64_t fewest_unequal_blocks = 1;
  std::int64_t undivided_block_bytes = 0;
  /// A loop along which the runs go on that blocks write stays whole where they end within twice
  /// contiguous_run_bytes. Of calls that write one run and read several.
  bool completes_written_runs = false;
  /// Which of two runs of a block that are equally short grows first, its loop being the innermost.
  bool source_runs_grow_first = false;
  OutermostRule outermost = {};
  /// The source is fetched ahead along the innermost of the loops around blocks that has so many trips: the
  /// last of few would fetch in vain.
  std::int64_t fewest_trips_to_fetch_along = 1;
  /// So it is where a call reads or writes one contiguous run, unless blocks of calls that write one read on
  /// in a short stretch.
  bool fetches_single_run = false;
};

/// How far ahead that is on a side for these loops, outermost first; 0 if there are none.
std::int64_t next_bytes(const std::vector<Loop>& loops, std::int64_t Loop::*side_step,
                        std::int64_t fewest_trips);

/// Orders and blocks the loops of `nest`, whose kernel covers `runs`, so that both sides are walked in runs
/// of a few lines: see loop_order.cpp. Loops over run tables keep their order, between the blocks' loops and
/// those inside; loops under the first `ragged_guards` guards move but are not split. Sets the prefetch
/// distance to the next block where the source is not read in one run anyway. Other walks than kBlocked have
/// neither blocks nor a prefetch. Returns how many of the innermost loops make up a block.
std::size_t order_loops(Nest& nest, const TileRuns& runs, int ragged_guards, const LoopGoals& goals = {});

}  // namespace relayout::plan
