#include "src/plan/loops.hpp"

#include <algorithm>
#include <array>
#include <variant>

#include "src/plan/block_fetch.hpp"
#include "src/plan/block_lines.hpp"
#include "src/plan/block_runs.hpp"
#include "src/plan/far_copy.hpp"
#include "src/plan/fetched_block.hpp"
#include "src/plan/followed_rows.hpp"
#include "src/plan/fused_loops.hpp"
#include "src/plan/line.hpp"
#include "src/plan/lines_fetched.hpp"
#include "src/plan/loop_order.hpp"
#include "src/plan/loop_walks.hpp"
#include "src/plan/loops_by_lines.hpp"
#include "src/plan/row_sets.hpp"
#include "src/plan/shuffle.hpp"
#include "src/plan/single_run.hpp"
#include "src/plan/streamed_runs.hpp"
#include "src/plan/streams.hpp"
#include "src/plan/written_sets.hpp"

namespace relayout::plan {
namespace {

/// Contiguous bytes per step when a box is one long run: enough steps to cut into parts.
constexpr std::int64_t kChunkBytes = 32 * 1024;

/// What blocks of copies grow to. Longer ones are copied in the source's order, whose hardware prefetch is
/// worth more than longer runs to write. Measured on a Zen 5 as ratios to memcpy, against blocks of 1 KiB:
/// f32 (8,128) of 256 MiB 1.15 and back 1.32 (0.99, 0.64), of 512 KiB 0.83 and 0.85 (0.51, 0.60), runs of
/// 256 bytes in 400 MiB 1.39 (0.94), runs of 64 bytes in DRAM 1.04 (0.88), in the last cache with 512 bytes
/// 0.58 to 0.82 (0.44 to 0.83), with 256 less than 0.5.
constexpr std::int64_t kCopyRunBytes = 256;
constexpr std::int64_t kCachedCopyRunBytes = 512;
/// Longer ones past the last cache (Target::far_copy_run_bytes) are of few runs, each from another place:
/// runs of 64 bytes in 64 MiB ran at 0.99 of memcpy four at a time, at 0.89 sixteen (Cascade Lake).
constexpr std::int64_t kFewRunsRead = 4;

/// Past the last cache, instead of kBlockRunBytes.
constexpr std::int64_t kFarBlockRunBytes = 1024;
/// Bytes of an element; 17 transposes of 8 bytes ran at 0.97 of the rate with larger blocks.
constexpr std::int64_t kWidestInFarBlocks = 4;
/// Far pairs keep the source's order around blocks, and parts are cut from a loop further in. With the
/// longest loop around the others, as the caches' pairs have it, 40 random pairs of 10 MiB and more ran at
/// 0.90 of memcpy, in order at 0.95 (Cascade Lake, f64[67259,16,5] into (8) tiles 0.65 and 1.09); on a Zen 4
/// at AVX2 45 pairs at 0.64 where that was done below 64 trips, at 0.68 where below 8.
///
/// The exception: where the longest loop outermost leaves so much of the lines that the second cache fetches.
/// 12 such pairs of 420 ran at 0.57 of memcpy then, at 0.48 in order (bf16[216629,240][1, 0] to {1,0} 0.58
/// and 0.23).
constexpr double kFewerLines = 0.9;
/// So much more the destination's order may fetch where it is followed (Target::followed_far_reads), and
/// where other orders crowd sets of the first cache: with a third more 10 other pairs gained and lost (Zen
/// 4).
constexpr double kHardlyMoreLines = 1.05;

/// Runs of copies in the destination's order (Target::swept_copies_up_to_bytes), whose lines are read again
/// for shorter ones: f64[32,2,12,48,8], 64 bytes, 0.98 of memcpy and 0.52.
constexpr std::int64_t kShortestSweptCopyBytes = 128;

/// What is fetched in blocks whose lines share sets counts without those that are fetched again because of it
/// (Granite Rapids, among the pairs of Target::longest_sweep_past_first_cache_bytes).
constexpr double kMoreLinesOfSweeps = 1.5;

/// 56 random pairs of 26 to 200 MiB ran at 0.54 of memcpy where the next block was always fetched, at 0.58
/// with this, at 0.58 with 5, each pair that lost with more of them up to half of its rate (AVX2, an early
/// version on a Zen 4, which has eight today). In the caches none won.
constexpr std::int64_t kFarTripsToFetchAlong = 3;

/// Padding that begins or ends within a line is streamed where it fills two lines at least.
constexpr std::int64_t kShortestStreamedFillBytes = 192;

/// Of a run cut into chunks of at most kChunkBytes, of whole lines: the last one, which overlaps the one
/// before, should not move much of it again.
std::int64_t even_chunk_bytes(std::int64_t run_bytes) {
  const std::int64_t chunks = (run_bytes + kChunkBytes - 1) / kChunkBytes;
  const std::int64_t lines = (run_bytes + kLineBytes * chunks - 1) / (kLineBytes * chunks);
  return lines * kLineBytes;
}

class NestMaker {
 public:
  NestMaker(const Box& box, KernelCandidate candidate, const PairSizes& sizes, const Target& target)
      : box_(box), candidate_(std::move(candidate)), sizes_(sizes), target_(target) {}

  Nest run(std::optional<LoopWalk> walk) {
    if (!walk) walk = candidate_.walk;
    nest_.source_base_bytes = box_.source_base;
    nest_.destination_base_bytes = box_.destination_base;
    for (const std::int64_t limit : box_.guard_limits) nest_.guards.push_back({limit, 0, 0});
    nest_.tables = box_.tables;
    add_table_loops();
    chunk_long_runs();
    for (std::size_t i = box_.axes.size(); i-- > 0;) add_axis(i);
    const TileRuns runs = tile_runs();
    nest_.kernel = std::move(candidate_.kernel);
    if (walk || !order_for_block_fetch(runs)) {
      order(runs, walk);
      fuse_loops(nest_);
    }
    if (nest_.loops.empty()) nest_.loops.push_back({});
    nest_.destination_aligned = stores_are_aligned(nest_, target_.line_bytes);
    return std::move(nest_);
  }

 private:
  /// False, and leaves the loops as they were, if no blocks are fetched.
  bool order_for_block_fetch(const TileRuns& runs) {
    if (!std::holds_alternative<PermuteKernel>(nest_.kernel)) return false;
    const auto block = fetched_block(box_, MicroTile{candidate_.takes}, sizes_, target_);
    if (!block) return false;
    LoopGoals goals{.block = block->runs, .outermost = OutermostRule::stays()};
    Nest ordered = nest_;
    const std::size_t inner = order_loops(ordered, runs, static_cast<int>(box_.guard_limits.size()), goals);
    ordered.block_fetch = block_fetch(ordered, inner, block->to_write);
    if (!ordered.block_fetch) return false;
    ordered.block_fetch->unless_staged = block->unless_staged;
    nest_ = std::move(ordered);
    return true;
  }

  void order(const TileRuns& runs, std::optional<LoopWalk> walk) {
    const auto ragged_guards = static_cast<int>(box_.guard_limits.size());
    if (!walk && may_crowd_sets()) return order_by_written_sets(runs, ragged_guards);
    if (walk || !counts_lines()) return order_by_rules(runs, walk, ragged_guards);
    const LoopsInOrder unordered = LoopsInOrder::of(nest_);
    order_by_rules(runs, walk, ragged_guards);
    const LoopGoals blocks = loop_goals(LoopWalk::kBlocked, runs);
    LoopGoals third = blocks;
    third.run_bytes *= 2;
    if (target_.counts_lines_in_source_order) third = loop_goals(LoopWalk::kSource, runs);
    const std::array others = {blocks, loop_goals(LoopWalk::kDestination, runs), third};
    order_by_lines(nest_, unordered, runs, ragged_guards, others, target_);
  }

  bool may_crowd_sets() const {
    return target_.spreads_written_lines && sizes_.residence == Residence::kLastCache &&
           nest_.tables.empty() && nest_.loops.size() > 1;
  }

  /// As the rules have it, or in the destination's order, if that crowds no sets of the first cache and
  /// fetches hardly more lines into it.
  void order_by_written_sets(const TileRuns& runs, int ragged_guards) {
    LoopsInOrder unordered = LoopsInOrder::of(nest_);
    order_by_rules(runs, {}, ragged_guards);
    if (!crowds_written_sets(nest_, target_)) return;
    LoopsInOrder crowded = LoopsInOrder::of(nest_);
    const double fetched = lines_fetched_by_sets(nest_, target_).both();
    std::move(unordered).put_into(nest_);
    order_loops(nest_, runs, ragged_guards, loop_goals(LoopWalk::kDestination, runs));
    const bool suits = writes_to_spread_sets(nest_, runs, target_) &&
                       lines_fetched_by_sets(nest_, target_).both() <= kHardlyMoreLines * fetched;
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
  void order_by_rules(const TileRuns& runs, std::optional<LoopWalk> walk, int ragged_guards) {
    if (!walk && is_short_far_copy() && order_short_far_copy(runs, ragged_guards)) return;
    if (!walk && moves_far_stretches(runs)) walk = LoopWalk::kSource;
    if (!walk && is_far_copy()) {
      const bool streamed = stores_are_aligned(nest_, target_.line_bytes) || can_stream_runs(nest_);
      order_far_copy(nest_, runs, ragged_guards, streamed);
      return;
    }
    if (!walk && (sweep_destination(runs, ragged_guards) || follow_source(runs, ragged_guards))) return;
    if (!walk && sweeps_copy()) walk = LoopWalk::kDestination;
    const LoopGoals goals = loop_goals(walk.value_or(LoopWalk::kBlocked), runs);
    if (!walk && sweeps_past_first_cache()) {
      order_near(runs, ragged_guards, goals);
      return;
    }
    if (!is_past_own_share(sizes_, target_)) {
      nest_ = blocked(std::move(nest_), runs, ragged_guards, goals);
      return;
    }
    Nest best = blocked(nest_, runs, ragged_guards, goals);
    put_longest_around(best, runs, ragged_guards, goals);
    if (!walk) follow_destination(best, runs, ragged_guards);
    nest_ = std::move(best);
  }

  /// The nest with its loops in order, and shorter blocks where the second cache would not hold them.
  Nest blocked(Nest nest, const TileRuns& runs, int ragged_guards, LoopGoals goals) const {
    for (; goals.run_bytes > kBlockRunBytes; goals.run_bytes /= 2) {
      Nest ordered = nest;
      const std::size_t inner = order_loops(ordered, runs, ragged_guards, goals);
      if (block_fits(ordered, inner, second_cache_for_blocks(target_))) return ordered;
    }
    order_loops(nest, runs, ragged_guards, goals);
    return nest;
  }

  /// Whether a call permutes what lies in one stretch on a side, and writes whole lines of it, as copies do.
  bool moves_far_stretches(const TileRuns& runs) const {
    const bool whole = runs.source_bytes == runs.tile_bytes || runs.destination_bytes == runs.tile_bytes;
    return target_.orders_far_stretches && sizes_.residence == Residence::kMemory && nest_.tables.empty() &&
           std::holds_alternative<PermuteKernel>(nest_.kernel) && whole &&
           runs.destination_bytes >= kLineBytes;
  }

  bool is_short_far_copy() const {
    const auto* copy = std::get_if<CopyKernel>(&nest_.kernel);
    return copy != nullptr && nest_.tables.empty() && sizes_.residence == Residence::kMemory &&
           copy->bytes <= target_.ordered_far_copy_bytes;
  }

  /// The source's order, or blocks: long ones, unless the rows that they read evict each other.
  void order_far_lines(const TileRuns& runs, int ragged_guards) {
    const auto anywhere = [&] { return streams_lines_anywhere(nest_, runs); };
    if (order_if(LoopWalk::kSource, runs, ragged_guards, anywhere)) return;
    Nest longer = nest_;
    order_far_copy(longer, runs, ragged_guards, true);
    nest_ = reads_few_sets(longer)
                ? blocked(std::move(nest_), runs, ragged_guards, loop_goals(LoopWalk::kBlocked, runs))
                : std::move(longer);
  }

  bool reads_few_sets(const Nest& nest) const {
    if (nest.loops.empty()) return false;
    const Loop& inner = nest.loops.back();
    return inner.source_step_bytes % kSetSpanBytes == 0 && inner.trips > target_.level1_data_ways;
  }

  /// The order of one side that leaves several places in turn to the other, which blocks would stop at each.
  bool order_short_far_copy(const TileRuns& runs, int ragged_guards) {
    if (runs.tile_bytes % kLineBytes == 0) {
      order_far_lines(runs, ragged_guards);
      return true;
    }
    return order_if(LoopWalk::kDestination, runs, ragged_guards,
                    [&] { return writes_one_place_from_several(nest_, runs); }) ||
           order_if(LoopWalk::kSource, runs, ragged_guards, [&] { return writes_many_places(nest_, runs); });
  }

  bool sweeps_past_first_cache() const {
    return target_.longest_sweep_past_first_cache_bytes > 0 && sizes_.residence == Residence::kSecondCache &&
           nest_.tables.empty() && !(target_.sweeps_spread_rows_only && reads_rows_of_shared_sets());
  }

  bool reads_rows_of_shared_sets() const {
    return read_rows_share_sets(box_, MicroTile{candidate_.takes}, kSetSpanBytes / 2);
  }

  /// In blocks if the first cache holds their lines, in the destination's order if it does not and that reads
  /// little enough before it comes back, and fetches hardly more.
  void order_near(const TileRuns& runs, int ragged_guards, const LoopGoals& goals) {
    Nest blocks = nest_;
    const std::size_t inner = order_loops(blocks, runs, ragged_guards, goals);
    const auto fetched = [&](const Nest& nest) { return lines_fetched(nest, target_.level1_data_bytes); };
    const bool sweeps =
        !block_fits(blocks, inner, first_cache(target_)) &&
        order_if(LoopWalk::kDestination, runs, ragged_guards, [&] {
          return source_sweep_bytes(nest_.loops, runs) <= target_.longest_sweep_past_first_cache_bytes &&
                 fetched(nest_) <= kMoreLinesOfSweeps * fetched(blocks);
        });
    if (!sweeps) nest_ = std::move(blocks);
  }

  double fetched_lines(const Nest& nest) const { return lines_fetched(nest, target_.level2_bytes); }

  /// The destination's order, if what is read before the source's lines are needed again is little enough, or
  /// rows side by side would evict each other.
  bool sweep_destination(const TileRuns& runs, int ragged_guards) {
    if (target_.longest_source_sweep_bytes == 0 || sizes_.residence != Residence::kSecondCache) return false;
    const bool any_length = sweeps_rows_of_shared_sets();
    return order_if(LoopWalk::kDestination, runs, ragged_guards, [&] {
      return any_length || source_sweep_bytes(nest_.loops, runs) <= target_.longest_source_sweep_bytes;
    });
  }

  bool sweeps_rows_of_shared_sets() const {
    return target_.narrowest_swept_bytes > 0 && sizes_.element_bytes >= target_.narrowest_swept_bytes &&
           written_rows_share_sets(box_, MicroTile{candidate_.takes});
  }

  bool sweeps_copy() const {
    const auto* copy = std::get_if<CopyKernel>(&nest_.kernel);
    return copy != nullptr && nest_.tables.empty() && copy->bytes >= kShortestSweptCopyBytes &&
           sizes_.footprint_bytes() <= target_.swept_copies_up_to_bytes;
  }

  /// The source's order, if the processor's own prefetch follows both sides in a last cache that is shared.
  bool follow_source(const TileRuns& runs, int ragged_guards) {
    if (!is_past_fast_share(sizes_, target_)) return false;
    return order_if(LoopWalk::kSource, runs, ragged_guards,
                    [&] { return both_sides_go_forwards(nest_.loops, runs); });
  }

  /// Puts the longest loop around the others where that fetches far fewer lines.
  void put_longest_around(Nest& best, const TileRuns& runs, int ragged_guards, LoopGoals goals) const {
    if (best.cut_loop == 0) return;  // nothing is far longer
    goals.outermost = OutermostRule::longest_of_all();
    Nest longest = blocked(nest_, runs, ragged_guards, goals);
    if (fetched_lines(longest) < kFewerLines * fetched_lines(best)) best = std::move(longest);
  }

  /// Takes the destination's order, where the caches help little, if that writes one place after the other,
  /// reads few enough places in turn and hardly more lines. Longer copies are as fast in any order.
  void follow_destination(Nest& best, const TileRuns& runs, int ragged_guards) const {
    if (target_.followed_far_reads == 0 || !nest_.tables.empty()) return;
    const auto* copy = std::get_if<CopyKernel>(&nest_.kernel);
    if (copy != nullptr && copy->bytes >= target_.far_copy_run_bytes) return;
    Nest ordered = nest_;
    order_loops(ordered, runs, ragged_guards, loop_goals(LoopWalk::kDestination, runs));
    if (count_streams(ordered, &Loop::destination_step_bytes, runs.destination_bytes) == 1 &&
        runs.runs_read() * count_streams(ordered, &Loop::source_step_bytes, runs.source_bytes) <=
            target_.followed_far_reads &&
        fetched_lines(ordered) <= kHardlyMoreLines * fetched_lines(best))
      best = std::move(ordered);
  }

  /// Orders the loops without blocks; false, and leaves them as they were, if that does not suit.
  template <class Suits>
  bool order_if(LoopWalk walk, const TileRuns& runs, int ragged_guards, Suits suits) {
    LoopsInOrder unordered = LoopsInOrder::of(nest_);
    order_loops(nest_, runs, ragged_guards, loop_goals(walk, runs));
    if (suits()) return true;
    std::move(unordered).put_into(nest_);
    return false;
  }

  LoopGoals loop_goals(LoopWalk walk, const TileRuns& runs) const {
    const bool far = sizes_.residence == Residence::kMemory;
    LoopGoals goals{.walk = walk,
                    .run_bytes = kBlockRunBytes,
                    .fewest_unequal_blocks = target_.fewest_unequal_blocks,
                    .undivided_block_bytes = target_.level2_bytes / 4,
                    .source_runs_grow_first = target_.source_runs_grow_first,
                    .fewest_trips_to_fetch_along = target_.fewest_trips_to_fetch_along,
                    .fetches_single_run = fetches_single_run(runs, sizes_, target_)};
    if (walk == LoopWalk::kBlocked && std::holds_alternative<PermuteKernel>(nest_.kernel))
      goals.block = followed_rows(box_, MicroTile{candidate_.takes}, sizes_, target_);
    if (const auto* copy = std::get_if<CopyKernel>(&nest_.kernel))
      goals.contiguous_run_bytes = far ? far_copy_run_bytes(*copy) : kCachedCopyRunBytes;
    goals.completes_written_runs =
        target_.completes_written_runs && sizes_.residence == Residence::kLastCache;
    if (far && target_.vector_bytes == 32)
      goals.fewest_trips_to_fetch_along = std::max(goals.fewest_trips_to_fetch_along, kFarTripsToFetchAlong);
    if (is_past_own_share(sizes_, target_) || walk == LoopWalk::kTurns)
      goals.outermost = OutermostRule::stays();
    else if (target_.fewest_trips_without_shares > 0 && sizes_.residence == Residence::kLastCache)
      goals.outermost = OutermostRule::shares_if_fewer_than(target_.fewest_trips_without_shares);
    else if (target_.lengthens_written_runs)
      goals.outermost = OutermostRule::longest_around_continued();
    if (goals.block) return goals;  // runs have their lengths
    if (far && target_.far_block_run_bytes > 0 && runs.runs_read() >= target_.fewest_runs_of_far_blocks)
      goals.run_bytes = target_.far_block_run_bytes;
    else if (far && target_.vector_bytes == 64 && grows_far_blocks() &&
             std::holds_alternative<PermuteKernel>(nest_.kernel))
      goals.run_bytes = kFarBlockRunBytes;
    return goals;
  }

  bool grows_far_blocks() const {
    return sizes_.element_bytes <= kWidestInFarBlocks &&
           (sizes_.element_bytes > 1 || target_.grows_far_blocks_of_bytes);
  }

  /// On a Zen 4; how a Zen 5 fetches ahead is another matter (kCopyRunBytes).
  bool is_far_copy() const {
    return sizes_.residence == Residence::kMemory && target_.vector_bytes == 32 &&
           target_.far_copy_run_bytes == 0 && nest_.tables.empty() &&
           std::holds_alternative<CopyKernel>(nest_.kernel);
  }

  std::int64_t far_copy_run_bytes(const CopyKernel& copy) const {
    return std::clamp(kFewRunsRead * copy.bytes, kCopyRunBytes,
                      std::max(kCopyRunBytes, target_.far_copy_run_bytes));
  }

  void add_table_loops() {
    for (std::size_t i = 0; i < nest_.tables.size(); ++i) {
      Loop loop;
      loop.trips = static_cast<std::int64_t>(nest_.tables[i].size());
      loop.table = static_cast<int>(i);
      nest_.loops.push_back(loop);
    }
  }

  /// A box that is nothing but one long run gets a loop over chunks of it.
  void chunk_long_runs() {
    auto* copy = std::get_if<CopyKernel>(&candidate_.kernel);
    if (copy == nullptr || candidate_.run_axis >= 0 || copy->bytes < 2 * kChunkBytes) return;
    const std::int64_t chunk_bytes = even_chunk_bytes(copy->bytes);
    for (std::size_t i = 0; i < candidate_.takes.size(); ++i) {
      if (candidate_.takes[i] == 1) continue;
      candidate_.takes[i] = chunk_bytes / sizes_.element_bytes;
      copy->bytes = candidate_.takes[i] * sizes_.element_bytes;
    }
  }

  void add_axis(std::size_t index) {
    if (static_cast<int>(index) == candidate_.run_axis || is_trimmed(box_.axes[index])) return;
    const Loop loop = stepped_loop(box_.axes[index], candidate_.takes[index], nest_.guards);
    if (loop.trips > 1 || loop.trips_from_table >= 0 || loop.guard >= 0) nest_.loops.push_back(loop);
  }

  const TrimmedRun* trimmed() const {
    return candidate_.rounded && candidate_.rounded->trimmed ? &*candidate_.rounded->trimmed : nullptr;
  }

  /// Whether the kernel does what the axis's guard is for.
  bool is_trimmed(const Axis& axis) const {
    return axis.guard >= 0 && trimmed() != nullptr && trimmed()->guard == axis.guard;
  }

  /// Contiguous bytes from a tile's first byte on.
  std::int64_t run_bytes(std::int64_t Axis::*stride) const {
    const bool ends = trimmed() != nullptr && trimmed()->at_source == (stride == &Axis::source_stride);
    std::int64_t bytes = sizes_.element_bytes;
    for (bool longer = true; longer;) {
      if (ends && bytes == trimmed()->places_bytes) bytes = trimmed()->data_bytes;
      longer = sub_byte_bit_continues(box_, bytes, stride == &Axis::source_stride);
      if (longer) bytes *= 2;
      for (std::size_t i = 0; i < box_.axes.size(); ++i) {
        if (candidate_.takes[i] == 1 || box_.axes[i].*stride != bytes) continue;
        bytes *= candidate_.takes[i];
        longer = true;
      }
    }
    return bytes;
  }

  TileRuns tile_runs() const {
    TileRuns runs{run_bytes(&Axis::source_stride), run_bytes(&Axis::destination_stride),
                  sizes_.element_bytes};
    for (const std::int64_t take : candidate_.takes) runs.tile_bytes *= take;
    runs.tile_bytes <<= box_.sub_byte_bits.size();
    return runs;
  }

  const Box& box_;
  KernelCandidate candidate_;
  const PairSizes& sizes_;
  const Target& target_;
  Nest nest_;
};

bool kernel_stores_are_aligned(const Kernel& kernel, std::int64_t alignment_bytes) {
  if (const auto* copy = std::get_if<CopyKernel>(&kernel)) {
    return copy->bytes_from_table < 0 && copy->bytes % alignment_bytes == 0;
  }
  if (const auto* fill = std::get_if<FillKernel>(&kernel)) return fill->bytes % alignment_bytes == 0;
  if (const auto* shuffle = std::get_if<ShuffleKernel>(&kernel))
    return writes_whole_lines(*shuffle, alignment_bytes);
  const auto* permute = std::get_if<PermuteKernel>(&kernel);
  if (permute == nullptr || permute->network.destination.piece_bytes() < permute->network.vector_bytes ||
      !permute->network.destination.pieces.empty())
    return false;
  const auto& strides = permute->network.destination.register_stride_bytes;
  const std::int64_t vector_bytes = permute->network.vector_bytes;
  // Vectors of half a line have to come in pairs: c128 into (4,1) tiles of which 2 of 4 are data, streamed in
  // halves, ran at 0.20 of memcpy, through the caches at 0.57 (Zen 4).
  const bool whole_lines =
      vector_bytes % alignment_bytes == 0 || std::ranges::find(strides, vector_bytes) != strides.end();
  return whole_lines && std::ranges::all_of(strides, [&](std::int64_t stride) {
           return stride % alignment_bytes == 0 || stride == vector_bytes;
         });
}

}  // namespace

Loop stepped_loop(const Axis& axis, std::int64_t take, std::vector<Guard>& guards) {
  Loop loop;
  loop.trips = (axis.extent + take - 1) / take;
  loop.source_step_bytes = take * axis.source_stride;
  loop.destination_step_bytes = take * axis.destination_stride;
  loop.guard = axis.guard;
  loop.guard_step = axis.guard_step;
  loop.trips_from_table = axis.run_table;
  if (axis.extent % take != 0) {
    const std::int64_t back = take - axis.extent % take;
    loop.guard = static_cast<int>(guards.size());
    loop.guard_step = 1;
    guards.push_back({loop.trips, back * axis.source_stride, back * axis.destination_stride});
  }
  return loop;
}

Nest make_nest(const Box& box, KernelCandidate candidate, const PairSizes& sizes, const Target& target,
               std::optional<LoopWalk> walk) {
  return NestMaker(box, std::move(candidate), sizes, target).run(walk);
}

bool steps_are_aligned(const Nest& nest, std::int64_t alignment_bytes) {
  const auto aligned = [alignment_bytes](std::int64_t offset) { return offset % alignment_bytes == 0; };
  for (const Loop& loop : nest.loops) {
    if (!aligned(loop.destination_step_bytes)) return false;
  }
  for (const Guard& guard : nest.guards) {
    if (!aligned(guard.destination_back_bytes)) return false;
  }
  for (const RunTable& table : nest.tables) {
    for (const Run& run : table) {
      if (!aligned(run.destination_offset_bytes)) return false;
    }
  }
  return true;
}

bool stores_are_aligned(const Nest& nest, std::int64_t alignment_bytes) {
  if (!steps_are_aligned(nest, alignment_bytes)) return false;
  const auto* fill = std::get_if<FillKernel>(&nest.kernel);
  if (fill != nullptr && fill->bytes >= kShortestStreamedFillBytes) return true;
  return nest.destination_base_bytes % alignment_bytes == 0 &&
         kernel_stores_are_aligned(nest.kernel, alignment_bytes);
}

}  // namespace relayout::plan
