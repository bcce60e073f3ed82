#include "src/plan/accesses/prefetch_choice.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <variant>
#include <vector>

#include "src/plan/fetches/fetched_sets.hpp"
#include "src/plan/fetches/rest_of_rows.hpp"
#include "src/plan/loops/loop_order.hpp"
#include "src/plan/machine/line.hpp"
#include "src/plan/model/kernel_access.hpp"
#include "src/plan/model/streams.hpp"
#include "src/plan/tiles/tile_rows.hpp"

namespace relayout::plan {
namespace {

/// 60 random pairs of 2 to 24 MiB on a Cascade Lake ran at 0.95 of memcpy with the lines of the next call
/// fetched along any loop, at 0.98 and 0.99 along loops of three trips and four: past the last trip they may
/// lie on pages that nobody has (bf16[25,5464,26][1,2,0] into (4,1) tiles 0.17 and 0.90).
constexpr std::int64_t kFewestTripsToWriteAlong = 4;

// Copies and fills, on a Cascade Lake. Past the second cache 24 pairs with copies of short runs ran at 0.98
// and 1.03 of memcpy without fetching what they write, at 1.05 and 1.12 with (f32 1024x1024 to tiles of
// (8,128) 1.03 and 1.11), 14 in the second cache at 0.90 and 0.97; seven of runs of 600 to 2000 bytes in its
// last cache at 0.89 and 1.11, a contiguous copy of 10 MB at 1.25 and 1.53; five destinations that are mostly
// padding at 0.77 and 0.98.

/// A fetch for each run of 16 bytes costs more than it brings: 0.77 and 0.71.
constexpr std::int64_t kShortestFetchedRunBytes = 32;
/// Runs that are fetched as they go on fetch the same place of the next one if that is as near as this, which
/// fetches nothing in vain: 56 pairs, most of them mostly padding past the last cache, ran at 0.79 of memcpy
/// with what lies further on in the run, at 0.84 so; 37 pairs in the last cache at 1.00 and 1.02. Four times
/// as far is no better (0.93 and 0.92), anywhere worse (0.88).
constexpr std::int64_t kNearestRunBytes = 4096;
/// Others fetch what lies an eighth of the run further on, within these, and as much past its end in vain;
/// where the next run goes on there, kAheadBytes and more.
constexpr std::int64_t kLeastAheadBytes = 128;
constexpr std::int64_t kMostAheadBytes = 1024;
constexpr std::int64_t kAheadBytes = 512;
/// Past the last cache such runs are so long at least: what shorter ones fetch in vain costs as much as the
/// rest brings.
constexpr std::int64_t kShortestFarRunBytes = 2048;

/// Of a run that ends where its source does, what is fetched past its end is in vain.
constexpr std::int64_t kFewestAheadInRun = 2;

/// Calls that write less further on than this mostly write to lines that they have: 64 pieces of 4 bytes a
/// call, 7 bytes further on each time, ran at 0.30 of memcpy with all 64 fetched, at 0.62 without
/// (u8[22,32,7,64,459] out of tiles of 8, Granite Rapids); steps of 16 to 32 bytes gain as often as not.
constexpr std::int64_t kShortestStepFetchedAlong = 16;

/// Nests that write at most this many places in turn fetch kAheadBytes ahead along them, not only what
/// the next call writes: 20 pairs 1.01 to 1.02 times as fast; where there are more places, far slower
/// (f32[6,103,1024]{2,1,0} to {0,1,2} 0.75 and 0.47).
constexpr std::int64_t kMostPlacesFetchedFurther = 8;

/// More of them from the second cache are more than the core has under way at a time.
constexpr std::int64_t kMostWholeLinesFetched = 16;

/// Table shuffles of 16-byte pieces read a few rows in turn, mostly short ones, which a processor's own
/// prefetch hardly follows: 132 random pairs past a Zen 3's part of the last cache, of 9000, ran at 0.93 of
/// memcpy without fetches and at 1.02 with them, 64 faster by a twentieth and 14 slower (f32[12,36907,64][1,
/// 0, 2] to [1, 2, 0] 0.46 and 0.74, u8[64,4,10,12,161] 0.38 and 0.88; f32[563931,3] out of (16,1) tiles,
/// rows of 12 bytes, 0.97 and 0.70).
bool can_prefetch(const Kernel& kernel, const Target& target) {
  const auto* shuffle = std::get_if<ShuffleKernel>(&kernel);
  if (shuffle != nullptr) return shuffle->piece_bytes == 64 || target.fetches_for_narrow_shuffles;
  return std::holds_alternative<PermuteKernel>(kernel);
}

/// Whether several calls read from the same lines, which only the first would have to fetch ahead: bytes
/// 1000x1000 in the last cache, runs of 16 bytes, ran at 0.45 of memcpy with a prefetch, at 0.58 without (Zen
/// 5). So do vectors that are loaded in halves, though a call reads all of the line: 53 random pairs of up to
/// 9 MiB on a Zen 3 0.58 and 0.64, 32 of them slower with it by a twentieth and none faster.
bool reads_parts_of_lines(const Kernel& kernel) {
  const auto* permute = std::get_if<PermuteKernel>(&kernel);
  return permute != nullptr && permute->network.source.piece_bytes() < kLineBytes / 2;
}

/// Calls that write such pieces store to many places between what they read from a row.
constexpr std::int64_t kShortPieceBytes = 16;
constexpr std::int64_t kShortRoundedPieceBytes = 32;

bool writes_short_pieces(const Kernel& kernel) {
  const auto* permute = std::get_if<PermuteKernel>(&kernel);
  if (permute == nullptr) return false;
  const Side& written = permute->network.destination;
  return written.piece_bytes() <= (written.pieces.empty() ? kShortPieceBytes : kShortRoundedPieceBytes);
}

/// Whether what is so far ahead on a side is left alone, since it would not stay in the first cache.
bool keeps_out_of_full_sets(const Nest& nest, std::vector<Extent> KernelAccess::*side,
                            std::int64_t ahead_bytes, const PlanInputs& inputs) {
  return inputs.target.keeps_fetches_out_of_full_sets && !inputs.is_past_last_cache() &&
         fetches_into_full_sets(kernel_runs(nest).*side, ahead_bytes, inputs.target);
}

bool prefetches_source(const Nest& nest, const PlanInputs& inputs) {
  const PlanChoice* choice = inputs.options.choice;
  if (choice != nullptr && choice->prefetch) return *choice->prefetch;
  if (!inputs.is_past_second_cache()) return false;
  if (keeps_out_of_full_sets(nest, &KernelAccess::source, nest.prefetch_source_bytes, inputs)) return false;
  if (is_past_own_share(inputs.sizes, inputs.target)) return true;
  const std::int64_t short_up_to = inputs.target.followed_reads_of_short_writes_up_to_bytes;
  if (short_up_to != 0 && inputs.sizes.footprint_bytes() > short_up_to && writes_short_pieces(nest.kernel))
    return true;
  return !reads_parts_of_lines(nest.kernel) && kernel_runs(nest).source.size() > inputs.target.followed_reads;
}

/// Bytes of the one run that a call writes from its beginning to its end; 0 for other kernels.
std::int64_t bytes_in_one_run(const Kernel& kernel) {
  if (const auto* fill = std::get_if<FillKernel>(&kernel)) return fill->bytes;
  const auto* copy = std::get_if<CopyKernel>(&kernel);
  return copy != nullptr && copy->bytes_from_table < 0 ? copy->bytes : 0;
}

/// How far ahead a streamed copy fetches its source: where the next run continues this one, or in the run.
std::int64_t bytes_ahead_in_source(const Nest& nest, const PlanInputs& inputs) {
  const std::int64_t ahead = inputs.target.far_copy_ahead_bytes;
  if (nest.store == StorePolicy::kTemporal || !inputs.options.may_prefetch()) return 0;
  const std::int64_t run_bytes = bytes_in_one_run(nest.kernel);
  const bool goes_on = run_bytes >= kLineBytes && nest.loops.back().source_step_bytes == run_bytes;
  return goes_on || run_bytes >= kFewestAheadInRun * ahead ? ahead : 0;
}

bool is_fetched_as_it_goes_on(const Kernel& kernel) {
  return bytes_in_one_run(kernel) > kLongestRunFetchedAtOnceBytes;
}

std::int64_t bytes_to_next_call(const Nest& nest) {
  return next_bytes(nest.loops, &Loop::destination_step_bytes, kFewestTripsToWriteAlong);
}

/// Whether the next run is near enough for what is fetched not to be in vain.
bool next_run_is_near(const Nest& nest) {
  const std::int64_t next = bytes_to_next_call(nest);
  return next > 0 && next <= std::max(bytes_in_one_run(nest.kernel), kNearestRunBytes);
}

/// 35 conversions by table shuffles in a Cascade Lake's last cache ran at 0.98 of memcpy without, 1.14 with.
bool can_prefetch_destination(const Nest& nest) {
  if (nest.store != StorePolicy::kTemporal) return false;
  if (std::holds_alternative<PermuteKernel>(nest.kernel)) return true;
  if (std::holds_alternative<ShuffleKernel>(nest.kernel)) return true;
  return bytes_in_one_run(nest.kernel) >= kShortestFetchedRunBytes;
}

/// Lines of the destination that a call writes to, if its runs begin on lines.
std::int64_t written_lines(const Nest& nest) {
  std::int64_t lines = 0;
  for (const Extent& run : kernel_runs(nest).destination) lines += (run.bytes + kLineBytes - 1) / kLineBytes;
  return lines;
}

/// Whether stores to lines in the second cache would wait for them. On a Cascade Lake a store across two
/// lines takes 0.8 ns where the first cache has them, 2.5 where it has not, which is twice a whole line's,
/// and 1.4 with the second line fetched before. 60 and 70 random pairs ran at 0.73 and 0.75 of memcpy
/// without, at 0.79 and 0.81 with (f64[75,294] transposed 0.44 and 0.68, c128[623,11] 0.42 and 0.74), at AVX2
/// at 0.67 and 0.68, 0.69 and 0.74. Whole lines are fetched too where they are few: those of 8 made these
/// pairs another 1.01 times as fast (AVX2 1.02), 16 f32 256x256 1.2 times, and 32 rows of 16-bit elements 0.9
/// times.
bool fetches_from_second_cache(const Nest& nest, const PlanInputs& inputs) {
  if (!inputs.target.stores_wait_for_lines || !can_prefetch_destination(nest)) return false;
  if (!inputs.is_past_first_cache()) return false;
  if (is_fetched_as_it_goes_on(nest.kernel)) return inputs.target.fetches_long_runs_from_second_cache;
  return !nest.destination_aligned || written_lines(nest) <= kMostWholeLinesFetched;
}

bool prefetches_destination(const Nest& nest, const PlanInputs& inputs) {
  if (!inputs.options.may_prefetch()) return false;
  if (!inputs.is_past_second_cache()) return fetches_from_second_cache(nest, inputs);
  const Target& target = inputs.target;
  if (inputs.sizes.footprint_bytes() <= target.followed_writes_up_to_bytes) return false;
  const std::size_t followed =
      inputs.is_past_last_cache() ? target.followed_far_writes : target.followed_writes;
  if (followed == std::numeric_limits<std::size_t>::max()) return false;  // any number of runs
  if (inputs.is_past_last_cache() && is_fetched_as_it_goes_on(nest.kernel) &&
      bytes_in_one_run(nest.kernel) < kShortestFarRunBytes && !next_run_is_near(nest))
    return false;
  return can_prefetch_destination(nest) && kernel_runs(nest).destination.size() > followed;
}

/// Calls one after the other whose destinations are `step_bytes` apart.
std::int64_t calls_along(const std::vector<Loop>& loops, std::int64_t step_bytes) {
  std::int64_t calls = 1;
  for (std::size_t i = loops.size(); i-- > 0;)
    if (loops[i].destination_step_bytes == step_bytes * calls) calls *= loops[i].trips;
  return calls;
}

std::int64_t bytes_ahead_in_run(const Nest& nest) {
  const std::int64_t run_bytes = bytes_in_one_run(nest.kernel);
  const std::int64_t next = bytes_to_next_call(nest);
  const bool goes_on = next == run_bytes;
  if (!goes_on && next_run_is_near(nest)) return next;
  const std::int64_t eighth = run_bytes / 8 / kLineBytes * kLineBytes;
  return std::clamp(eighth, goes_on ? kAheadBytes : kLeastAheadBytes, kMostAheadBytes);
}

/// How far ahead the lines to fetch are: further on in the same run or in the next, those that continue the
/// rows, or else what the next calls write.
std::int64_t bytes_to_next_writes(const Nest& nest, const PlanInputs& inputs) {
  if (is_fetched_as_it_goes_on(nest.kernel)) return bytes_ahead_in_run(nest);
  if (const std::int64_t rest =
          bytes_to_rest_of_rows(nest, kernel_runs(nest).destination, inputs.target.level1_data_bytes);
      rest != 0)
    return rest;
  const std::int64_t next = bytes_to_next_call(nest);
  if (next > 0 && next < kShortestStepFetchedAlong) return 0;
  if (next <= 0 || !inputs.is_past_second_cache()) return next;
  const std::int64_t calls =
      std::min(kAheadBytes / next, calls_along(nest.loops, next) / kFewestTripsToWriteAlong);
  return calls > 1 && count_written_streams(nest) <= kMostPlacesFetchedFurther ? next * calls : next;
}

std::int64_t bytes_ahead_in_destination(const Nest& nest, const PlanInputs& inputs) {
  const std::int64_t next = bytes_to_next_writes(nest, inputs);
  return keeps_out_of_full_sets(nest, &KernelAccess::destination, next, inputs) ? 0 : next;
}

/// Rows to read that share a set of the second cache with more lines than it holds leave it before they are
/// read, the more the later they are fetched: with 32 and 64 rows a multiple of 64 KiB apart six of seven
/// such transposes lost (bf16[256,256,256] reversed 0.46 and 0.39 of memcpy), with 16 rows none did
/// (f32[128,256,128] 0.59 and 0.75).
constexpr std::int64_t kMostLinesOfWays = 2;

bool stays_in_second_cache(const Side& source, const Target& target) {
  const TileRows rows = tile_rows(source);
  const std::int64_t span_bytes = target.level2_bytes / target.level2_ways;
  return rows.apart_bytes % span_bytes != 0 || rows.count <= kMostLinesOfWays * target.level2_ways;
}

/// Of transposes past the last cache, over memcpy, with fetches after loads and between stores, on a Zen 3:
/// of 96 unseen ones of 1, 2 and 4 bytes 70 change, 0.54 and 0.59, 51 faster by a twentieth and seven slower,
/// of which six are ruled out above. Of two bytes those with stripes neither gain nor lose (15 of them 0.95
/// times as fast); of bytes it pays to go through the rows in order: 22 of them 0.61 after loads, 0.68 by the
/// vectors stored, 0.72 in order (u8[384,1536,64] to [1, 2, 0] 0.48, 0.35 and 0.53), while those of 4 bytes
/// then lose (six of them 0.89 and 0.76).
SourceFetches source_fetches(const Nest& nest, const Target& target) {
  const auto* permute = std::get_if<PermuteKernel>(&nest.kernel);
  if (!target.fetches_between_stores || permute == nullptr || nest.staging ||
      nest.store != StorePolicy::kStreaming)
    return SourceFetches::kAfterLoads;
  const Network& network = permute->network;
  const bool has_strides = network.source.pieces.empty() && network.destination.pieces.empty();
  if (!has_strides || !stays_in_second_cache(network.source, target)) return SourceFetches::kAfterLoads;
  if (network.element_bytes == 1) return SourceFetches::kBetweenStoresInOrder;
  const bool in_stripes = network.scratch_stripes.bytes > 0;
  return network.element_bytes == 2 && in_stripes ? SourceFetches::kAfterLoads
                                                  : SourceFetches::kBetweenStores;
}

void choose_block_fetch(Nest& nest, const std::string& name, PlanNotes& notes) {
  nest.prefetch_source_bytes = 0;
  nest.prefetch_destination_bytes = 0;
  if (nest.store != StorePolicy::kTemporal) nest.block_fetch->destination.rows_per_call = 0;
  notes.add(name, [&] {
    return std::string("the next block is fetched row by row") +
           (nest.store == StorePolicy::kTemporal ? " on both sides" : " at the source");
  });
}

}  // namespace

void choose_prefetch(Nest& nest, const std::string& name, const PlanInputs& inputs, PlanNotes& notes) {
  if (nest.block_fetch && inputs.options.may_prefetch()) return choose_block_fetch(nest, name, notes);
  nest.block_fetch.reset();
  const bool fetches = prefetches_destination(nest, inputs);
  if (fetches) nest.prefetch_destination_bytes = bytes_ahead_in_destination(nest, inputs);
  if (fetches && nest.prefetch_destination_bytes != 0) {
    notes.add(name, [&] {
      return "prefetch of the destination " + std::to_string(nest.prefetch_destination_bytes) +
             " bytes ahead, which is written soon";
    });
  }
  const bool copies = std::holds_alternative<CopyKernel>(nest.kernel);
  if (copies)
    nest.prefetch_source_bytes = bytes_ahead_in_source(nest, inputs);
  else if (!can_prefetch(nest.kernel, inputs.target) || !prefetches_source(nest, inputs))
    nest.prefetch_source_bytes = 0;
  if (nest.prefetch_source_bytes == 0) return;
  nest.source_fetches = source_fetches(nest, inputs.target);
  notes.add(name, [&] {
    return "prefetch of the source " + std::to_string(nest.prefetch_source_bytes) + " bytes ahead, where " +
           (copies ? "the run goes on" : "the next block begins");
  });
}

}  // namespace relayout::plan
