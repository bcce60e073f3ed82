#include "src/plan/staging/staged_nest.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "src/plan/accesses/store_policy.hpp"
#include "src/plan/fetches/fetched_region.hpp"
#include "src/plan/kernels/streamed_runs.hpp"
#include "src/plan/loops/lines_fetched.hpp"
#include "src/plan/loops/loops.hpp"
#include "src/plan/machine/line.hpp"
#include "src/plan/model/block_lines.hpp"
#include "src/plan/model/streams.hpp"
#include "src/plan/staging/block_kernel.hpp"
#include "src/plan/staging/staged_block.hpp"
#include "src/plan/staging/staged_fetch.hpp"
#include "src/plan/tiles/one_channel.hpp"

namespace relayout::plan {
namespace {

/// Of rows along two axes, each read by two lines: u8[3055,126,345][2, 0, 1] to (4,1) tiles, 276 bytes, 0.58
/// and 0.49; 544 bytes 0.48 and 0.57.
constexpr std::int64_t kShortestRunOfGroups = 512;

/// A destination that the last cache holds beside a larger source is better left there:
/// bf16[11,3,31,174,12] out of (8,128) tiles 0.62 of memcpy, and 0.34 staged.
bool leaves_last_cache(const PlanInputs& inputs) {
  const std::int64_t half = inputs.target.streaming_threshold_bytes / 2;
  const std::int64_t narrow = inputs.target.narrow_destinations_staged_from_bytes;
  const bool is_narrow = narrow > 0 && inputs.sizes.element_bytes <= kNarrowElementBytes;
  return inputs.is_past_last_cache() && inputs.sizes.destination_bytes > (is_narrow ? narrow : half);
}

/// The same of what the last cache just holds, on a processor that stages more blocks: 270 of 16000 random
/// pairs out of tiles of 18 MiB and more, mostly padding, with destinations of less than half of that (now of
/// 22), 90 of them 1.24 times as fast left there, 65 by a twentieth and 15 slower (c128[12,24,7,3,4] out of
/// (8,128) 7.8 and 19.7, f32[24,31814]{0,1:T(32,128)(4,1)} 1.2 and 2.4, bf16[128,5,1212] 2.7 and 1.4; Zen 3).
bool leaves_nearly_full_cache(const PlanInputs& inputs) {
  return inputs.leave_last_cache_early() &&
         (!inputs.target.stages_more_blocks ||
          2 * inputs.sizes.destination_bytes > inputs.left_early_from_bytes());
}

bool stages_destination(const PlanInputs& inputs) {
  const StreamingStores wanted = inputs.options.wanted_streaming();
  if (wanted != StreamingStores::kAuto) return wanted == StreamingStores::kAlways;
  return leaves_nearly_full_cache(inputs) || leaves_last_cache(inputs);
}

bool gives_way_to_staging(const Kernel& plain, const Target& target) {
  const auto* copy = std::get_if<CopyKernel>(&plain);
  return copy == nullptr || (target.stages_more_blocks && copy->bytes <= target.longest_staged_copy_bytes);
}

/// The shortest runs in which it pays to stage what `plain` moves, bytes: any where it is not streamed, or
/// slowly, else longer ones than it streams itself. Nothing: in none.
std::optional<std::int64_t> shortest_run_worth_staging(const Nest& plain, const PlanInputs& inputs) {
  const Target& target = inputs.target;
  if (!may_be_staged(inputs) || !gives_way_to_staging(plain.kernel, target)) return std::nullopt;
  if (plain.store == StorePolicy::kTemporal ||
      (!inputs.options.are_stores_forced() && streams_parts_of_rows_to_one_channel(plain, target)))
    return 0;
  const std::int64_t instead_bytes = target.shortest_run_staged_instead_bytes;
  if (plain.store != StorePolicy::kStreamingRuns || instead_bytes == 0) return std::nullopt;
  return instead_bytes;
}

/// Whether the plain nest fetches lines `least` times on average, or need not, being told to be staged.
bool fetches_lines_again(const Nest& plain, double least, const PlanInputs& inputs) {
  if (inputs.options.are_stores_forced() || least <= 1) return true;
  const double once = lines_touched(plain).both();
  return lines_fetched(plain, inputs.target.level1_data_bytes) >= least * once;
}

/// Places that the processor follows. 13 pairs of 18 to 120 MiB that read more and write one run at 0.59 of
/// memcpy staged and at 0.61 not, five faster and three slower; of those that write several up to 16 gain by
/// being left to the caches, with 32 no more (Zen 4).
constexpr std::int64_t kMostPlacesFollowed = 16;
/// Predicted for a vector, of the kernel in a block. Of pairs of 20 to 24 MiB on a Zen 4 51 with faster ones
/// ran at 0.75 staged and at 0.72 not, 17 faster and 30 slower, 20 with slower ones at 0.61 and 0.80, 16 and
/// none.
constexpr double kMostCyclesOfFastBlocks = 3.3;

bool is_fast_block(const KernelCandidate& chosen, const Target& target) {
  return chosen.cycles_per_byte * target.vector_bytes <= kMostCyclesOfFastBlocks;
}

/// Rows to read that share sets of the second cache are read line by line by the plain nest too: of 726
/// random pairs past the last cache with powers of two among their extents 33 were not staged for that, 0.59
/// of memcpy, and 0.75 staged, 27 faster and three slower; of 790 others 11, 0.60 and 0.74 (Emerald Rapids).
/// Table shuffles read such rows once: u8[3,87,512,1000][1,2,3,0] to (4,1) tiles 0.63, and 0.28 staged.
bool may_share_sets(const Nest& plain, const Target& target) {
  return target.stages_rows_of_shared_sets && std::holds_alternative<PermuteKernel>(plain.kernel);
}

/// What is moved in blocks.
struct StagedBox {
  const Box& box;
  const Nest* plain = nullptr;          ///< what would move it otherwise; null: blocks are the only way
  const PaddedBox* padded = nullptr;    ///< the padding that is moved along, if any
  const TrimmedRun* trimmed = nullptr;  ///< of its rows, if any
  const PaddedRows* rows = nullptr;     ///< of which `box` is the box, if the scratch holds padding
  std::int64_t shortest_run_bytes = 0;  ///< in which a block may leave
  bool only_fast = false;               ///< by blocks of slow kernels the box would be no faster
};

/// The nest of one block, which the caches hold, with its reason.
std::optional<Nest> block_nest(const StagedBlock& staged, const StagedBox& moved, const PaddedBox* padded,
                               const PlanInputs& inputs, PlanNotes& notes) {
  const Kernel* const plain = moved.plain == nullptr ? nullptr : &moved.plain->kernel;
  auto chosen = choose_block_kernel(staged, padded, plain, inputs, notes);
  if (!chosen || (moved.only_fast && !is_fast_block(chosen->candidate, inputs.target))) return std::nullopt;
  std::string reason;
  if (notes.wanted()) reason = description_of(staged.block, chosen->candidate);
  const PairSizes near = sizes_of_block(inputs);
  Nest nest = make_nest(staged.block, std::move(chosen->candidate), near, inputs.target, LoopWalk::kSource);
  nest.reason = std::move(reason);
  nest.chosen_for = chosen->chosen_for;
  return nest;
}

/// In blocks of what size a nest may be staged, and how often it has to fetch lines to be.
struct BlockGoals {
  BlockRoom room;
  double least_fetched = 1;
};

BlockGoals goals_of(BlockRoom room, double least_fetched, const PlanInputs& inputs) {
  const Target& target = inputs.target;
  room.keeps_whole_axes = target.stages_more_blocks;
  room.overlaps_runs = target.overlaps_staged_runs;
  room.orders_to_overlap = target.orders_blocks_to_overlap && !inputs.options.wanted_loops();
  if (target.stages_more_blocks) room.row_axes = 2;
  room.fewest_to_fetch_along = target.fewest_blocks_to_fetch_along;
  return {room, least_fetched};
}

std::optional<StagedBlock> block_of(const BlockGoals& goals, const StagedBox& moved,
                                    const PlanInputs& inputs) {
  return staged_block(moved.box, inputs.sizes.element_bytes, goals.room, moved.trimmed);
}

/// In such blocks, if there are any and they suit.
std::optional<Nest> staged_as(std::optional<StagedBlock> staged, const BlockGoals& goals,
                              const StagedBox& moved, const PlanInputs& inputs, PlanNotes& notes) {
  const Target& target = inputs.target;
  const Nest* const plain = moved.plain;
  if (!staged || staged->staging.run_bytes < moved.shortest_run_bytes) return std::nullopt;
  if (plain != nullptr && !fetches_lines_again(*plain, goals.least_fetched, inputs)) return std::nullopt;
  if (staged->staging.groups > 1 && goals.room.read_bytes > kLineBytes &&
      staged->staging.run_bytes < kShortestRunOfGroups)
    return std::nullopt;
  const auto in_block = moved.padded == nullptr ? std::nullopt : part_of(*moved.padded, staged->block);
  if (moved.padded != nullptr && !in_block) return std::nullopt;
  if (moved.rows != nullptr) {
    auto data = data_of(*moved.rows, staged->block, staged->staging.run_bytes);
    if (!data) return std::nullopt;
    staged->block = std::move(*data);
    staged->staging.background = inputs.options.fill;
  }
  auto inner = block_nest(*staged, moved, in_block ? &*in_block : nullptr, inputs, notes);
  if (!inner) return std::nullopt;
  auto nest = stage(moved.box, *staged, std::move(*inner),
                    inputs.options.wanted_loops().value_or(LoopWalk::kBlocked), goals.room);
  if (!nest) return std::nullopt;
  if (!inputs.options.are_stores_forced() && runs_overlap_often(*nest, nest->staging->run_bytes))
    return std::nullopt;
  const std::size_t in_scratch = nest->loops.size() - nest->staging->first_loop;
  if (plain != nullptr && !may_share_sets(*plain, target) &&
      !block_fits(*nest, in_scratch, second_cache_for_blocks(target)))
    return std::nullopt;
  nest->store = StorePolicy::kStreamingRuns;
  if (!inputs.options.may_prefetch()) nest->staging->next_bytes = nest->prefetch_source_bytes = 0;
  if (target.fetches_as_runs_leave) nest->staging->fetch_bytes = fetched_as_runs_leave(*nest, staged->block);
  if (inputs.options.may_prefetch()) nest->block_fetch = fetched_region(*nest, target);
  if (nest->block_fetch) nest->prefetch_source_bytes = 0;  // in its place
  return nest;
}

/// In blocks whose runs overlap if `staged` says so, or in blocks whose runs meet where those cannot be.
/// \param staged as block_of has it
std::optional<Nest> staged_in(BlockGoals goals, std::optional<StagedBlock> staged, const StagedBox& moved,
                              const PlanInputs& inputs, PlanNotes& notes) {
  const bool overlaps = staged && staged->overlap > 0;
  auto nest = staged_as(std::move(staged), goals, moved, inputs, notes);
  if (nest || !overlaps) return nest;
  goals.room.overlaps_runs = false;
  return staged_as(block_of(goals, moved, inputs), goals, moved, inputs, notes);
}

std::int64_t run_bytes(const std::optional<StagedBlock>& block) {
  return block ? block->staging.run_bytes : 0;
}

/// In blocks of pairs of lines where they suit, else of equal parts where lines would overlap, else in usual
/// ones, or in large ones if the runs of usual ones are short and theirs are longer.
std::optional<Nest> staged_in_any(const StagedBox& moved, const PlanInputs& inputs, PlanNotes& notes) {
  const Target& target = inputs.target;
  const auto staged = [&](const BlockGoals& goals, std::optional<StagedBlock> block) {
    return staged_in(goals, std::move(block), moved, inputs, notes);
  };
  if (target.stages_pairs_of_lines && reads_pairs_of_lines(moved.box)) {
    const BlockGoals of_pairs =
        goals_of(BlockRoom::pairs_of_lines(), target.least_fetched_for_staging, inputs);
    if (auto nest = staged(of_pairs, block_of(of_pairs, moved, inputs))) return nest;
  }
  const double overlap = target.least_overlap_for_equal_parts;
  if (overlap > 0 && do_lines_overlap(moved.box, overlap)) {
    const BlockGoals of_parts =
        goals_of(BlockRoom::equal_parts(), target.least_fetched_for_large_staging, inputs);
    if (auto nest = staged(of_parts, block_of(of_parts, moved, inputs))) return nest;
  }
  const BlockGoals usual = goals_of(BlockRoom::usual(), target.least_fetched_for_staging, inputs);
  auto usual_block = block_of(usual, moved, inputs);
  if (target.least_fetched_for_large_staging <= 0) return staged(usual, std::move(usual_block));
  const BlockGoals large = goals_of(BlockRoom::large(), target.least_fetched_for_large_staging, inputs);
  auto large_block = block_of(large, moved, inputs);
  const bool large_first = run_bytes(usual_block) < target.shortest_usual_staged_run_bytes &&
                           run_bytes(large_block) > run_bytes(usual_block);
  if (large_first)
    if (auto nest = staged(large, std::move(large_block))) return nest;
  auto nest = staged(usual, std::move(usual_block));
  return nest || large_first ? std::move(nest) : staged(large, std::move(large_block));
}

/// Whatever the processor follows, where stores are forced nothing is left to it.
FollowedPlaces places_left_to_follow(const Nest& plain, const PlanInputs& inputs) {
  if (inputs.options.are_stores_forced()) return FollowedPlaces::kMany;
  const std::int64_t footprint_bytes = inputs.sizes.footprint_bytes();
  if (are_writes_followed(plain, footprint_bytes, inputs.target)) return FollowedPlaces::kFew;
  return followed_places(plain, footprint_bytes, inputs.target);
}

Box without_guard(Box box) {
  box.guard_limits.clear();
  for (Axis& axis : box.axes) {
    axis.guard = -1;
    axis.guard_step = 0;
  }
  return box;
}

}  // namespace

bool may_be_staged(const PlanInputs& inputs) {
  return !inputs.options.is_kernel_forced() && stages_destination(inputs);
}

bool keeps_to_its_lines(const Box& box, std::int64_t element_bytes, const Target& target) {
  std::int64_t contiguous_bytes = element_bytes;
  for (const Axis& axis : box.axes)
    if (axis.destination_stride == contiguous_bytes) contiguous_bytes *= axis.extent;
  return contiguous_bytes >= target.shortest_staged_beside_bytes;
}

FollowedPlaces followed_places(const Nest& plain, std::int64_t footprint_bytes, const Target& target) {
  const bool few = footprint_bytes <= target.few_places_followed_up_to_bytes;
  const bool one = footprint_bytes <= target.one_place_followed_beside_slow_blocks_up_to_bytes;
  if ((!few && !one) || plain.store != StorePolicy::kTemporal ||
      count_written_streams(plain) > (few ? kMostPlacesFollowed : 1) ||
      count_read_streams(plain) > kMostPlacesFollowed)
    return FollowedPlaces::kMany;
  return few ? FollowedPlaces::kFew : FollowedPlaces::kOneBesideSlowBlocks;
}

std::optional<Nest> staged_nest(const Nest& plain, const Box& box, const PaddedBox* padded,
                                const PlanInputs& inputs, PlanNotes& notes) {
  const auto shortest = shortest_run_worth_staging(plain, inputs);
  if (!shortest) return std::nullopt;
  const FollowedPlaces followed = places_left_to_follow(plain, inputs);
  if (followed == FollowedPlaces::kFew) return std::nullopt;
  const StagedBox moved{.box = box,
                        .plain = &plain,
                        .padded = padded,
                        .shortest_run_bytes = *shortest,
                        .only_fast = followed == FollowedPlaces::kOneBesideSlowBlocks};
  return staged_in_any(moved, inputs, notes);
}

std::optional<Nest> staged_padded_nest(const Nest& plain, const PaddedRows& rows, const PlanInputs& inputs,
                                       PlanNotes& notes) {
  const auto shortest = shortest_run_worth_staging(plain, inputs);
  if (!shortest) return std::nullopt;
  const StagedBox moved{.box = rows.box, .plain = &plain, .rows = &rows, .shortest_run_bytes = *shortest};
  return staged_in_any(moved, inputs, notes);
}

bool may_stage_trimmed_rows(const PlanInputs& inputs) {
  return inputs.target.stages_trimmed_rows && leaves_last_cache(inputs) &&
         !inputs.options.is_kernel_forced() && inputs.options.wanted_streaming() != StreamingStores::kNever;
}

std::optional<Nest> staged_trimmed_nest(const Box& box, const PlanInputs& inputs, PlanNotes& notes) {
  const auto row = trimmed_row(box);
  if (!row || !lies_in_source(box, inputs.sizes.element_bytes, inputs.sizes.source_bytes))
    return std::nullopt;
  const Box whole = without_guard(box);
  return staged_in_any({.box = whole, .trimmed = &*row}, inputs, notes);
}

}  // namespace relayout::plan
