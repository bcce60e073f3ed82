// Where one loop continues the source's runs and another the destination's, walking either alone touches a
// new page on the other side at every step. So the innermost loops form a block: runs of a few lines on
// either side. Blocks themselves are visited in the source's order, and while one is moved the source's lines
// of the next are fetched, since the hardware's prefetchers give up on short runs.
//
// Where one call reads or writes a single piece, the hardware's own prefetch mostly suffices
// (single_run.cpp).
//
// Measured on a Zen 4, 2 MiB pages, as ratios to memcpy:
// - f32 4096x4096 transposed: 0.37 without blocks, 0.80 blocked, 0.97 to 1.1 with the next block prefetched.
// - bf16 (8,128)(2,1) unpacked, 256 MiB: 0.77 in the destination's order, 1.65 in the source's, which is
//   contiguous.
// - Runs of 256 bytes, 3 MiB: 0.50 in the source's order, 0.90 in the destination's.
// - NCHW to nChw16c, 12 MiB, one piece written a call: 0.91, and 0.85 with a prefetch.
//
// On a Zen 5: bytes (8,128)(4,1) and (32,128)(4,1) unpacked, 32 MiB, a call reading one piece: 2.4 and 2.6
// times faster in the source's order than in blocks that write 256 bytes; others of the kind 1.0 to 1.3.

#include "src/plan/loops/loop_order.hpp"

#include <algorithm>
#include <cstdlib>

#include "src/plan/machine/line.hpp"

namespace relayout::plan {
namespace {

constexpr std::int64_t kMaximumBlockBytes = 512 * 1024;
constexpr std::int64_t kUsualParts = 4;

/// Blocks of calls that write one run, and that read one stretch, of which the next one is the continuation:
/// 49 of less than 1 KiB ran at 1.00 of the rate with a fetch, nine faster by a twentieth and eight slower,
/// 55 of 1 to 2 KiB at 1.06, 27 and six, 80 of more at 1.20, 64 and four (Zen 3).
constexpr std::int64_t kShortestFetchedStretchBytes = 1024;

bool is_idle(const Loop& loop) {
  return loop.is_counted() && loop.trips <= 1 && loop.guard < 0;
}

class LoopOrder {
 public:
  LoopOrder(Nest& nest, const TileRuns& runs, int ragged_guards, const LoopGoals& goals)
      : nest_(nest), goals_(goals), block_bytes_(runs.tile_bytes), ragged_guards_(ragged_guards) {
    const bool source_whole = runs.source_bytes == runs.tile_bytes;
    const bool destination_whole = runs.destination_bytes == runs.tile_bytes;
    reads_one_run_ = source_whole;
    writes_one_run_ = destination_whole;
    prefetches_ = (!source_whole && !destination_whole) || goals.fetches_single_run;
    source_ = {&Loop::source_step_bytes, runs.source_bytes, goals.run_bytes};
    destination_ = {&Loop::destination_step_bytes, runs.destination_bytes, goals.run_bytes};
    if (destination_whole) {
      destination_.wanted_bytes = goals.contiguous_run_bytes;
    } else if (source_whole) {
      destination_.wanted_bytes = kLineBytes;
    }
    if (goals.block) {
      source_.wanted_bytes = goals.block->source_bytes;
      destination_.wanted_bytes = goals.block->destination_bytes;
    }
    if (goals.walk != LoopWalk::kBlocked) leave_unblocked();
  }

  std::size_t run() {
    for (std::vector<Loop>* loops : {&free_, &outer_, &block_}) loops->reserve(nest_.loops.size() + 2);
    std::vector<Loop> tables;
    for (const Loop& loop : nest_.loops) (loop.is_counted() ? free_ : tables).push_back(loop);
    while (block_bytes_ < kMaximumBlockBytes && extend_block()) {
    }
    outer_.insert(outer_.end(), free_.begin(), free_.end());
    const bool along_destination = goals_.walk == LoopWalk::kDestination || goals_.walk == LoopWalk::kTurns ||
                                   (goals_.block && goals_.block->along_destination);
    const auto step = along_destination ? &Loop::destination_step_bytes : &Loop::source_step_bytes;
    std::stable_sort(outer_.begin(), outer_.end(),
                     [step](const Loop& a, const Loop& b) { return std::abs(a.*step) > std::abs(b.*step); });
    lengthen_outermost();
    if (prefetches_) nest_.prefetch_source_bytes = bytes_to_next_block();
    nest_.follows_rows_to_read = goals_.block && goals_.block->destination_bytes == 0;
    std::erase_if(outer_, is_idle);
    std::erase_if(block_, is_idle);
    nest_.cut_loop = goals_.walk == LoopWalk::kTurns ? 0 : evenly_shared();
    nest_.loops = std::move(outer_);
    nest_.loops.insert(nest_.loops.end(), tables.begin(), tables.end());
    nest_.loops.insert(nest_.loops.end(), block_.rbegin(), block_.rend());
    return block_.size();
  }

 private:
  struct SideRun {
    std::int64_t Loop::*step = nullptr;
    std::int64_t bytes = 1;  ///< of the block's run on this side
    std::int64_t wanted_bytes = 1;
  };

  void leave_unblocked() {
    source_.wanted_bytes = 0;
    destination_.wanted_bytes = 0;
    prefetches_ = false;
  }

  /// How far ahead the source is fetched.
  std::int64_t bytes_to_next_block() const {
    const std::int64_t next =
        next_bytes(outer_, &Loop::source_step_bytes, goals_.fewest_trips_to_fetch_along);
    const bool reads_on = next == block_bytes_;
    return writes_one_run_ && reads_on && next < kShortestFetchedStretchBytes ? 0 : next;
  }

  bool fills_one_run() const { return writes_one_run_ && !reads_one_run_; }

  bool continues_written_runs(const Loop& loop) const {
    return !fills_one_run() && std::abs(loop.destination_step_bytes) <= destination_.bytes;
  }

  /// As the rule for the outermost loop has it.
  void lengthen_outermost() {
    const bool shares = goals_.outermost.outwards == OutermostRule::Outwards::kSharesOfLongest;
    if (!shares && goals_.walk != LoopWalk::kBlocked) return;
    if (outer_.empty() || outer_.front().trips >= goals_.outermost.fewest_trips) return;
    if (goals_.outermost.outwards == OutermostRule::Outwards::kLongestAroundContinued &&
        !continues_written_runs(outer_.front()))
      return;
    const bool all = goals_.outermost.outwards == OutermostRule::Outwards::kLongestOfAll;
    const bool few = outer_.front().trips < kFewTrips;
    const auto end = shares || all || few ? outer_.end() : outer_.end() - 1;
    const auto longest =
        std::max_element(outer_.begin(), end, [](const Loop& a, const Loop& b) { return a.trips < b.trips; });
    if (longest == end) return;
    if (shares && longest->trips >= 2 * kEvenParts && may_be_split(*longest))
      outer_.insert(outer_.begin(), split(*longest, (longest->trips + kEvenParts - 1) / kEvenParts));
    else if (!shares || few || longest->trips >= kEvenParts)
      std::rotate(outer_.begin(), longest, longest + 1);
  }

  /// The loop around blocks that parts share: the outermost, or one further in whose shares are far more
  /// even. Two and four parts of 49 trips are up to 6 percent apart, of 8 trips they are equal.
  std::size_t evenly_shared() const {
    std::size_t cut = 0;
    for (std::size_t i = 1; i < outer_.size() && outer_[cut].trips < kEvenParts; ++i) {
      const std::int64_t trips = outer_[i].trips;
      const bool less_even =
          outer_[cut].trips % kUsualParts == 0 && trips % kUsualParts != 0 && trips < kEvenParts;
      if (!less_even && trips >= 2 * outer_[cut].trips) cut = i;
    }
    return cut;
  }

  /// Adds a loop that lengthens the shorter of the runs that are not long enough. False if there is none.
  bool extend_block() {
    const auto along_source = shortest_step(source_);
    const auto along_destination = shortest_step(destination_);
    const bool source = source_.bytes < source_.wanted_bytes && along_source != free_.end();
    const bool destination =
        destination_.bytes < destination_.wanted_bytes && along_destination != free_.end();
    if (!source && !destination) return false;
    const bool write_first =
        destination && (!source || destination_.bytes < source_.bytes ||
                        (destination_.bytes == source_.bytes && !goals_.source_runs_grow_first));
    take(write_first ? along_destination : along_source, write_first ? destination_ : source_);
    return true;
  }

  std::vector<Loop>::iterator shortest_step(const SideRun& side) {
    auto shortest = free_.end();
    for (auto loop = free_.begin(); loop != free_.end(); ++loop) {
      const std::int64_t step = std::abs((*loop).*side.step);
      if (step != 0 && (shortest == free_.end() || step < std::abs((*shortest).*side.step))) shortest = loop;
    }
    return shortest;
  }

  void take(std::vector<Loop>::iterator chosen, SideRun& side) {
    Loop loop = *chosen;
    free_.erase(chosen);
    const std::int64_t step = std::abs(loop.*side.step);
    const std::int64_t most = std::min(side.wanted_bytes / step, kMaximumBlockBytes / block_bytes_);
    const std::int64_t steps = std::max<std::int64_t>(1, most);
    if (may_be_split(loop) && steps < loop.trips && !stays_whole(loop, steps))
      outer_.push_back(split(loop, steps));
    block_bytes_ *= loop.trips;
    side.bytes = std::max(side.bytes, step * loop.trips);
    for (SideRun* run : {&source_, &destination_}) {
      const std::int64_t reach = std::abs(loop.*(run->step));
      if (reach <= run->bytes) run->bytes = std::max(run->bytes, reach * loop.trips);
    }
    block_.push_back(loop);
  }

  bool stays_whole(const Loop& loop, std::int64_t steps) const {
    const bool goes_on = std::abs(loop.destination_step_bytes) == destination_.bytes;
    if (goals_.completes_written_runs && fills_one_run() && goes_on &&
        destination_.bytes * loop.trips <= 2 * goals_.contiguous_run_bytes)
      return true;
    return loop.trips % steps != 0 && loop.trips < goals_.fewest_unequal_blocks * steps &&
           loop.trips * block_bytes_ <= std::min(goals_.undivided_block_bytes, kMaximumBlockBytes);
  }

  /// Splits a loop into blocks of `steps`; the blocks' loop is returned, `loop` becomes the one inside.
  Loop split(Loop& loop, std::int64_t steps) {
    Loop outer = loop;
    if (steps == 1) {
      loop = {};  // the blocks' loop has its guard
      return outer;
    }
    outer.trips = (loop.trips + steps - 1) / steps;
    outer.source_step_bytes *= steps;
    outer.destination_step_bytes *= steps;
    if (loop.trips % steps != 0 && loop.guard < 0) {
      loop.guard = static_cast<int>(nest_.guards.size());
      loop.guard_step = 1;
      nest_.guards.push_back({loop.trips, 0, 0});
    }
    outer.guard = loop.guard;
    outer.guard_step = loop.guard_step * steps;
    loop.trips = steps;
    return outer;
  }

  /// A loop under a ragged guard would need a second guard for its blocks.
  bool may_be_split(const Loop& loop) const { return loop.guard < 0 || loop.guard >= ragged_guards_; }

  Nest& nest_;
  const LoopGoals& goals_;
  std::int64_t block_bytes_;
  int ragged_guards_;
  bool reads_one_run_ = false;
  bool writes_one_run_ = false;
  bool prefetches_ = false;
  SideRun source_;
  SideRun destination_;
  std::vector<Loop> free_;
  std::vector<Loop> block_;  ///< innermost first
  std::vector<Loop> outer_;
};

}  // namespace

std::int64_t next_bytes(const std::vector<Loop>& loops, std::int64_t Loop::*side_step,
                        std::int64_t fewest_trips) {
  std::int64_t step = 0;
  std::int64_t trips = 0;
  for (std::size_t i = loops.size(); i > 0 && trips < fewest_trips;) {
    const Loop& loop = loops[--i];
    const bool goes_on = trips > 0 && loop.*side_step == step * trips;
    if (!goes_on) step = loop.*side_step;
    trips = goes_on ? trips * loop.trips : loop.trips;
  }
  return step;
}

std::size_t order_loops(Nest& nest, const TileRuns& runs, int ragged_guards, const LoopGoals& goals) {
  return LoopOrder(nest, runs, ragged_guards, goals).run();
}

}  // namespace relayout::plan
