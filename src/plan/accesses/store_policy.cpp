#include "src/plan/accesses/store_policy.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <variant>

#include "src/plan/kernels/streamed_runs.hpp"
#include "src/plan/kernels/striped_scratch.hpp"
#include "src/plan/loops/crowded_rows.hpp"
#include "src/plan/model/streams.hpp"
#include "src/plan/tiles/one_channel.hpp"

namespace relayout::plan {
namespace {

/// Runs from one whose lines are streamed to the one whose first and last line are fetched. Copies of runs of
/// 260 to 1028 bytes on a Zen 4: 4 ran at 1.0 of memcpy, 1 at 0.95, 8 between 0.9 and 1.05.
constexpr std::int64_t kRunsAhead = 4;
/// The ends of longer ones would leave the first cache before they are reached, and are streamed over:
/// bf16[204,325239], chunks of 32 KiB, ran at 1.29 of memcpy so, at 1.85 without (Granite Rapids).
constexpr std::int64_t kLongestRunOfFetchedEnds = 4096;

bool rearranges(const Nest& nest) {
  return std::holds_alternative<PermuteKernel>(nest.kernel) ||
         std::holds_alternative<ShuffleKernel>(nest.kernel);
}

/// Whether a permutation writes more places in turn than the processor follows, not all on one channel.
bool writes_many_rows(const Nest& nest, const PlanInputs& inputs) {
  const Target& target = inputs.target;
  const std::int64_t most =
      inputs.leave_last_cache_early()
          ? target.most_rows_through_last_cache
          : std::max(target.most_rows_through_last_cache, target.most_rows_before_blocks_are_staged);
  return rearranges(nest) && count_written_streams(nest) > most && !waits_for_one_channel(nest, target);
}

/// Of the destination what is padding where all of it is streamed though the last cache just holds both
/// buffers: 25 unseen pairs of 18 to 24 MiB 0.45 and 0.66 of memcpy, 22 faster and one slower (c128[49,6,3,6]
/// into (32,128)(4,1) tiles 0.46 and 1.04, f32[33,84,2,16] into (8,128) tiles 0.74 and 0.56); with only the
/// padding streamed 60 ran at 0.65, with the data too at 0.68. 40 pairs of 0.15 to 0.3: 0.58 and 0.59.
constexpr double kStreamedPadding = 0.3;

bool fills_much(const PairSizes& sizes) {
  return static_cast<double>(sizes.filled_bytes) >=
         kStreamedPadding * static_cast<double>(sizes.destination_bytes);
}

/// Padding in runs of so many bytes at least is followed as data are, the lines it fills being fetched ahead
/// (prefetch_choice.cpp): a Cascade Lake fills memory at 6.8 GB/s by streaming stores, at 10 GB/s so. 55
/// random pairs ran at 0.76 of memcpy and 0.84 (u8[11056439,5] to tiles of (32,128)(4,1) 0.62 and 0.80).
constexpr std::int64_t kShortestFollowedFillBytes = 128;

bool is_short_fill(const Nest& nest) {
  const auto* fill = std::get_if<FillKernel>(&nest.kernel);
  return fill != nullptr && fill->bytes < kShortestFollowedFillBytes;
}

bool copies_short_runs(const Nest& nest, std::int64_t longest_bytes) {
  const auto* copy = std::get_if<CopyKernel>(&nest.kernel);
  return copy != nullptr && copy->bytes <= longest_bytes;
}

/// What of a pair that the last cache just holds is streamed, of which this nest is a part; empty: it is not.
std::string_view leaves_early(const Nest& nest, const PlanInputs& inputs) {
  if (inputs.streams_crowded_rows() && writes_crowded_rows(nest, inputs))
    return "rows that crowd sets of the second cache";
  if (!inputs.nearly_fill_last_cache()) return {};
  if (fills_much(inputs.sizes)) return "data and padding";
  if (inputs.leave_last_cache_early() &&
      copies_short_runs(nest, inputs.target.longest_run_copied_early_bytes))
    return "copies";
  if (writes_many_rows(nest, inputs)) return "lines of so many rows";
  return {};
}

bool may_stream(const Nest& nest, const PlanInputs& inputs) {
  const StreamingStores wanted = inputs.options.wanted_streaming();
  return wanted != StreamingStores::kNever &&
         (inputs.is_past_last_cache() || wanted == StreamingStores::kAlways ||
          !leaves_early(nest, inputs).empty());
}

/// Bytes of the runs that one call of a kernel writes. \pre can_stream_runs
std::int64_t called_run_bytes(const Kernel& kernel) {
  if (const auto* copy = std::get_if<CopyKernel>(&kernel)) return copy->bytes;
  return written_run_bytes(std::get<PermuteKernel>(kernel).network);
}

/// How far ahead the lines at the ends of runs are, which are fetched before they are written in part; one
/// that is streamed should not be.
std::int64_t bytes_to_parts_of_lines(const Nest& nest) {
  const Loop& inner = nest.loops.back();
  if (std::holds_alternative<PermuteKernel>(nest.kernel)) return inner.destination_step_bytes;
  if (begins_on_lines(nest) || called_run_bytes(nest.kernel) > kLongestRunOfFetchedEnds) return 0;
  return std::min<std::int64_t>(kRunsAhead, inner.trips - 1) * inner.destination_step_bytes;
}

/// A copy streams its runs from where they are, a permutation puts long enough ones together in a scratch.
/// False where the kernel can neither.
bool stream_runs(Nest& nest, const PlanInputs& inputs) {
  if (!can_stream_runs(nest)) return false;
  nest.store = StorePolicy::kStreamingRuns;
  if (auto* permute = std::get_if<PermuteKernel>(&nest.kernel))
    permute->network.scratch_bytes = permute->network.tile_bytes();
  if (inputs.options.may_prefetch()) nest.prefetch_destination_bytes = bytes_to_parts_of_lines(nest);
  return true;
}

std::string reason_to_stream(const Nest& nest, const PlanInputs& inputs) {
  if (inputs.options.wanted_streaming() == StreamingStores::kAlways) return "they were asked for";
  if (!inputs.is_past_last_cache())
    return std::string(leaves_early(nest, inputs)) + " leave a last cache that is shared";
  return "the footprint of " + std::to_string(inputs.sizes.footprint_bytes()) +
         " bytes is past the last cache's share";
}

bool writes_few_places(const Nest& nest, const Target& target) {
  return target.followed_written_streams > 0 && !is_short_fill(nest) &&
         (count_written_streams(nest) <= target.followed_written_streams ||
          fills_stretches(nest, target.followed_stretch_bytes));
}

}  // namespace

bool are_writes_followed(const Nest& nest, std::int64_t footprint_bytes, const Target& target) {
  return writes_one_channel(nest, footprint_bytes, target) || writes_few_places(nest, target);
}

std::string_view reason_not_to_stream(const Nest& nest, std::int64_t footprint_bytes, const Target& target) {
  if (writes_one_channel(nest, footprint_bytes, target))
    return "the few places written are on one channel of the memory, to which lines are streamed slowly";
  if (writes_few_places(nest, target))
    return "the processor fetches the few places or short stretches written ahead, and streaming is slower";
  if (!nest.destination_aligned && can_stream_runs(nest) &&
      runs_overlap_often(nest, called_run_bytes(nest.kernel)))
    return "short runs overlap the run before, whose lines streaming stores would wait for";
  return {};
}

void choose_store_policy(Nest& nest, const std::string& name, const PlanInputs& inputs, PlanNotes& notes) {
  if (!may_stream(nest, inputs)) return;
  const std::string_view against =
      inputs.options.are_stores_forced()
          ? std::string_view()
          : reason_not_to_stream(nest, inputs.sizes.footprint_bytes(), inputs.target);
  if (!against.empty()) {
    notes.add(name, [&] { return "no streaming stores: " + std::string(against); });
    return;
  }
  if (nest.destination_aligned) {
    nest.store = StorePolicy::kStreaming;
    auto* permute = std::get_if<PermuteKernel>(&nest.kernel);
    if (permute != nullptr && inputs.target.keeps_scratch_clear)
      stripe_scratch(permute->network, inputs.target);
    notes.add(name,
              [&] { return "streaming stores for aligned destinations: " + reason_to_stream(nest, inputs); });
  } else if (stream_runs(nest, inputs)) {
    notes.add(name,
              [] { return "streaming stores for the whole lines of each run, which need not begin on one"; });
  } else {
    notes.add(name, [] {
      return "no streaming stores: some destination runs do not start and end on a cache line";
    });
  }
}

}  // namespace relayout::plan
