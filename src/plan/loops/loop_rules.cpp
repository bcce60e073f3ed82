#include "src/plan/loops/loop_rules.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>

#include "src/plan/fetches/block_fetch.hpp"
#include "src/plan/kernels/aligned_stores.hpp"
#include "src/plan/kernels/streamed_runs.hpp"
#include "src/plan/loops/far_copy.hpp"
#include "src/plan/loops/fused_loops.hpp"
#include "src/plan/loops/lines_fetched.hpp"
#include "src/plan/loops/loop_walks.hpp"
#include "src/plan/loops/loops_by_lines.hpp"
#include "src/plan/loops/written_pace.hpp"
#include "src/plan/loops/written_sets.hpp"
#include "src/plan/machine/line.hpp"
#include "src/plan/model/block_lines.hpp"
#include "src/plan/model/streams.hpp"
#include "src/plan/tiles/block_runs.hpp"
#include "src/plan/tiles/fetched_block.hpp"
#include "src/plan/tiles/few_rows.hpp"
#include "src/plan/tiles/row_sets.hpp"

namespace relayout::plan {
namespace {

/// Far pairs keep the source's order around blocks, and parts are cut from a loop further in. With the
/// longest loop around the others, as the caches' pairs have it, 40 random pairs of 10 MiB and more ran at
/// 0.90 of memcpy, in order at 0.95 (Cascade Lake, f64[67259,16,5] into (8) tiles 0.65 and 1.09); on a Zen 4
/// at AVX2 45 pairs at 0.64 where that was done below 64 trips, at 0.68 where below 8.
///
/// The exception: where the longest loop outermost leaves so much of the lines that the second cache fetches.
/// 12 such pairs of 420 ran at 0.57 of memcpy then, at 0.48 in order (bf16[216629,240][1, 0] to {1,0} 0.58
/// and 0.23).
constexpr double kFewerLines = 0.9;

/// Runs of copies in the destination's order (Target::swept_copies_up_to_bytes), whose lines are read again
/// for shorter ones: f64[32,2,12,48,8], 64 bytes, 0.98 of memcpy and 0.52.
constexpr std::int64_t kShortestSweptCopyBytes = 128;

/// What is fetched in blocks whose lines share sets counts without those that are fetched again because of it
/// (Granite Rapids, among the pairs of Target::longest_sweep_past_first_cache_bytes).
constexpr double kMoreLinesOfSweeps = 1.5;

class LoopRules {
 public:
  LoopRules(Nest& nest, const LoopInputs& inputs)
      : nest_(nest),
        inputs_(inputs),
        runs_(inputs.runs),
        sizes_(inputs.sizes),
        target_(inputs.target),
        ragged_guards_(static_cast<int>(inputs.box.guard_limits.size())) {}

  void apply(std::optional<LoopWalk> walk) {
    if (!walk && order_for_block_fetch()) return;
    if (!walk && reads_few_rows(inputs_.box, inputs_.tile, sizes_, target_)) walk = LoopWalk::kDestination;
    order(walk);
    fuse_loops(nest_);
  }

 private:
  LoopGoals goals_of(LoopWalk walk) const { return loop_goals(walk, nest_.kernel, inputs_); }
  std::size_t order_for(Nest& nest, const LoopGoals& goals) const {
    return order_loops(nest, runs_, ragged_guards_, goals);
  }

  /// False, and leaves the loops as they were, if no blocks are fetched.
  bool order_for_block_fetch() {
    if (!std::holds_alternative<PermuteKernel>(nest_.kernel)) return false;
    const auto block = fetched_block(inputs_.box, inputs_.tile, sizes_, target_);
    if (!block) return false;
    Nest ordered = nest_;
    const std::size_t inner = order_for(ordered, {.block = block->runs, .outermost = OutermostRule::stays()});
    ordered.block_fetch = block_fetch(ordered, inner, block->to_write);
    if (!ordered.block_fetch) return false;
    ordered.block_fetch->unless_staged = block->unless_staged;
    nest_ = std::move(ordered);
    return true;
  }

  void order(std::optional<LoopWalk> walk) {
    if (!walk && may_crowd_sets()) return order_by_written_sets();
    if (walk || !counts_lines()) return order_by_rules(walk);
    const LoopsInOrder unordered = LoopsInOrder::of(nest_);
    order_by_rules(walk);
    const LoopGoals blocks = goals_of(LoopWalk::kBlocked);
    LoopGoals third = blocks;
    third.run_bytes *= 2;
    if (target_.counts_lines_in_source_order) third = goals_of(LoopWalk::kSource);
    const std::array others = {blocks, goals_of(LoopWalk::kDestination), third};
    order_by_lines(nest_, unordered, runs_, ragged_guards_, others, target_);
  }

  bool may_crowd_sets() const {
    return target_.spreads_written_lines && sizes_.residence == Residence::kLastCache &&
           nest_.tables.empty() && nest_.loops.size() > 1;
  }

  /// Whether stores wait for each other that the destination's order may keep apart. Of 3200 transposes of 2
  /// to 40 MiB whose rows are nearly a multiple of 4096 bytes or of a part of that apart 132 change, 0.73 and
  /// 0.85 of memcpy, 92 faster by a twentieth and three slower; at AVX2 152, 0.75 and 0.88, 97 and six. Rows
  /// to read that lie in few sets want blocks: 31 others would run 0.84 times as fast (Granite Rapids).
  bool stores_wait() const {
    return target_.orders_loops_by_pace &&
           !read_rows_share_sets(inputs_.box, inputs_.tile, kSetSpanBytes / 8) && !stores_keep_pace(nest_);
  }

  /// As the rules have it, or in the destination's order, if that crowds no sets of the first cache, or keeps
  /// its stores apart, and fetches hardly more lines into it.
  void order_by_written_sets() {
    LoopsInOrder unordered = LoopsInOrder::of(nest_);
    order_by_rules({});
    const bool waits = std::holds_alternative<PermuteKernel>(nest_.kernel) && stores_wait();
    if (!waits && !crowds_written_sets(nest_, target_)) return;
    LoopsInOrder crowded = LoopsInOrder::of(nest_);
    const double fetched = lines_fetched_by_sets(nest_, target_).both();
    std::move(unordered).put_into(nest_);
    order_for(nest_, goals_of(LoopWalk::kDestination));
    const bool spread = waits ? stores_keep_pace(nest_) : writes_to_spread_sets(nest_, runs_, target_);
    const bool suits = spread && lines_fetched_by_sets(nest_, target_).both() <= kHardlyMoreLines * fetched;
    if (!suits) std::move(crowded).put_into(nest_);
  }

  /// Whether orders are compared by the lines that they fetch into the first cache. Copies of short runs take
  /// longer in blocks of few trips, whatever they fetch (bf16[363,17,9] to [1, 0, 2] 0.60 and 0.37).
  bool counts_lines() const {
    return target_.first_cache_destination_line > 0 && sizes_.residence == Residence::kSecondCache &&
           nest_.tables.empty() && nest_.loops.size() > 1 &&
           std::holds_alternative<PermuteKernel>(nest_.kernel);
  }

  /// Orders the loops, in blocks that the second cache holds unless another walk is wanted or suits.
  void order_by_rules(std::optional<LoopWalk> walk) {
    if (!walk && is_short_far_copy() && order_short_far_copy()) return;
    if (!walk && moves_far_stretches()) walk = LoopWalk::kSource;
    if (!walk && is_far_copy()) {
      order_far_copy(nest_, runs_, ragged_guards_, is_streamed());
      return;
    }
    if (!walk && (sweep_destination() || follow_source())) return;
    if (!walk && sweeps_copy()) walk = LoopWalk::kDestination;
    const LoopGoals goals = goals_of(walk.value_or(LoopWalk::kBlocked));
    if (!walk && sweeps_past_first_cache()) {
      order_near(goals);
      return;
    }
    if (!is_past_own_share(sizes_, target_)) {
      nest_ = blocked(std::move(nest_), goals);
      return;
    }
    Nest best = blocked(nest_, goals);
    put_longest_around(best, goals);
    if (!walk) follow_destination(best);
    nest_ = std::move(best);
  }

  /// The nest with its loops in order, and shorter blocks where the second cache would not hold them.
  Nest blocked(Nest nest, LoopGoals goals) const {
    for (; goals.run_bytes > kBlockRunBytes; goals.run_bytes /= 2) {
      Nest ordered = nest;
      const std::size_t inner = order_for(ordered, goals);
      if (block_fits(ordered, inner, second_cache_for_blocks(target_))) return ordered;
    }
    order_for(nest, goals);
    return nest;
  }

  /// Whether a call permutes what lies in one stretch on a side, and writes whole lines of it, as copies do.
  bool moves_far_stretches() const {
    const bool whole = runs_.source_bytes == runs_.tile_bytes || runs_.destination_bytes == runs_.tile_bytes;
    return target_.orders_far_stretches && sizes_.residence == Residence::kMemory && nest_.tables.empty() &&
           std::holds_alternative<PermuteKernel>(nest_.kernel) && whole &&
           runs_.destination_bytes >= kLineBytes;
  }

  /// On a Zen 4; how a Zen 5 fetches ahead is another matter (kCopyRunBytes of loop_goals.cpp).
  bool is_far_copy() const {
    return sizes_.residence == Residence::kMemory && target_.vector_bytes == 32 &&
           target_.far_copy_run_bytes == 0 && nest_.tables.empty() &&
           std::holds_alternative<CopyKernel>(nest_.kernel);
  }

  bool is_short_far_copy() const {
    const auto* copy = std::get_if<CopyKernel>(&nest_.kernel);
    return copy != nullptr && nest_.tables.empty() && sizes_.residence == Residence::kMemory &&
           copy->bytes <= target_.ordered_far_copy_bytes;
  }

  /// The source's order, or blocks: long ones, unless the rows that they read evict each other.
  void order_far_lines() {
    const auto anywhere = [&] { return streams_lines_anywhere(nest_, runs_); };
    if (order_if(LoopWalk::kSource, anywhere)) return;
    Nest longer = nest_;
    order_far_copy(longer, runs_, ragged_guards_, true);
    const LoopGoals blocks = goals_of(LoopWalk::kBlocked);
    nest_ = reads_few_sets(longer) ? blocked(std::move(nest_), blocks) : std::move(longer);
  }

  bool reads_few_sets(const Nest& nest) const {
    if (nest.loops.empty()) return false;
    const Loop& inner = nest.loops.back();
    return inner.source_step_bytes % kSetSpanBytes == 0 && inner.trips > target_.level1_data_ways;
  }

  /// The order of one side that leaves several places in turn to the other, which blocks would stop at each.
  /// Lines' worth that begins anywhere goes through the caches, where the halves of lines in many places do
  /// not last until the next ones complete them.
  bool order_short_far_copy() {
    const bool whole_lines = runs_.tile_bytes % kLineBytes == 0;
    const bool gathers = whole_lines && target_.gathers_lines_written_anywhere && !is_streamed();
    if (whole_lines && !gathers) {
      order_far_lines();
      return true;
    }
    return order_if(LoopWalk::kDestination, [&] { return writes_one_place_from_several(nest_, runs_); }) ||
           (!gathers && order_if(LoopWalk::kSource, [&] { return writes_many_places(nest_, runs_); }));
  }

  bool is_streamed() const { return stores_are_aligned(nest_, target_.line_bytes) || can_stream_runs(nest_); }

  bool sweeps_past_first_cache() const {
    return target_.longest_sweep_past_first_cache_bytes > 0 && sizes_.residence == Residence::kSecondCache &&
           nest_.tables.empty() && !(target_.sweeps_spread_rows_only && reads_rows_of_shared_sets());
  }

  bool reads_rows_of_shared_sets() const {
    return read_rows_share_sets(inputs_.box, inputs_.tile, kSetSpanBytes / 2);
  }

  /// In blocks if the first cache holds their lines, in the destination's order if it does not and that reads
  /// little enough before it comes back, and fetches hardly more.
  void order_near(const LoopGoals& goals) {
    Nest blocks = nest_;
    const std::size_t inner = order_for(blocks, goals);
    const auto fetched = [&](const Nest& nest) { return lines_fetched(nest, target_.level1_data_bytes); };
    const bool sweeps =
        !block_fits(blocks, inner, first_cache(target_)) && order_if(LoopWalk::kDestination, [&] {
          return source_sweep_bytes(nest_.loops, runs_) <= target_.longest_sweep_past_first_cache_bytes &&
                 fetched(nest_) <= kMoreLinesOfSweeps * fetched(blocks);
        });
    if (!sweeps) nest_ = std::move(blocks);
  }

  double fetched_lines(const Nest& nest) const { return lines_fetched(nest, target_.level2_bytes); }

  /// The destination's order, if what is read before the source's lines are needed again is little enough, or
  /// rows side by side would evict each other.
  bool sweep_destination() {
    if (target_.longest_source_sweep_bytes == 0 || sizes_.residence != Residence::kSecondCache) return false;
    const bool any_length = sweeps_rows_of_shared_sets();
    return order_if(LoopWalk::kDestination, [&] {
      return any_length || source_sweep_bytes(nest_.loops, runs_) <= target_.longest_source_sweep_bytes;
    });
  }

  bool sweeps_rows_of_shared_sets() const {
    return target_.narrowest_swept_bytes > 0 && sizes_.element_bytes >= target_.narrowest_swept_bytes &&
           written_rows_share_sets(inputs_.box, inputs_.tile);
  }

  bool sweeps_copy() const {
    const auto* copy = std::get_if<CopyKernel>(&nest_.kernel);
    return copy != nullptr && nest_.tables.empty() && copy->bytes >= kShortestSweptCopyBytes &&
           sizes_.footprint_bytes() <= target_.swept_copies_up_to_bytes;
  }

  /// The source's order, if the processor's own prefetch follows both sides in a last cache that is shared.
  bool follow_source() {
    if (!is_past_fast_share(sizes_, target_)) return false;
    return order_if(LoopWalk::kSource, [&] { return both_sides_go_forwards(nest_.loops, runs_); });
  }

  /// Puts the longest loop around the others where that fetches far fewer lines.
  void put_longest_around(Nest& best, LoopGoals goals) const {
    if (best.cut_loop == 0) return;  // nothing is far longer
    goals.outermost = OutermostRule::longest_of_all();
    Nest longest = blocked(nest_, goals);
    if (fetched_lines(longest) < kFewerLines * fetched_lines(best)) best = std::move(longest);
  }

  /// Takes the destination's order, where the caches help little, if that writes one place after the other,
  /// reads few enough places in turn and hardly more lines. Longer copies are as fast in any order.
  void follow_destination(Nest& best) const {
    if (target_.followed_far_reads == 0 || !nest_.tables.empty()) return;
    const auto* copy = std::get_if<CopyKernel>(&nest_.kernel);
    if (copy != nullptr && copy->bytes >= target_.far_copy_run_bytes) return;
    Nest ordered = nest_;
    order_for(ordered, goals_of(LoopWalk::kDestination));
    if (count_streams(ordered, &Loop::destination_step_bytes, runs_.destination_bytes) == 1 &&
        runs_.runs_read() * count_streams(ordered, &Loop::source_step_bytes, runs_.source_bytes) <=
            target_.followed_far_reads &&
        fetched_lines(ordered) <= kHardlyMoreLines * fetched_lines(best))
      best = std::move(ordered);
  }

  /// Orders the loops without blocks; false, and leaves them as they were, if that does not suit.
  template <class Suits>
  bool order_if(LoopWalk walk, Suits suits) {
    LoopsInOrder unordered = LoopsInOrder::of(nest_);
    order_for(nest_, goals_of(walk));
    if (suits()) return true;
    std::move(unordered).put_into(nest_);
    return false;
  }

  Nest& nest_;
  const LoopInputs& inputs_;
  const TileRuns& runs_;
  const PairSizes& sizes_;
  const Target& target_;
  int ragged_guards_;  ///< loops under the first so many guards are the box's own
};

}  // namespace

void apply_loop_rules(Nest& nest, const LoopInputs& inputs, std::optional<LoopWalk> walk) {
  LoopRules(nest, inputs).apply(walk);
}

}  // namespace relayout::plan
