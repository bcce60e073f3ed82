#include "src/plan/loops/loop_goals.hpp"

#include <algorithm>
#include <cstdint>
#include <variant>

#include "src/plan/fetches/followed_rows.hpp"
#include "src/plan/loops/single_run.hpp"

namespace relayout::plan {
namespace {

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

std::int64_t far_copy_run_bytes(const CopyKernel& copy, const Target& target) {
  return std::clamp(kFewRunsRead * copy.bytes, kCopyRunBytes,
                    std::max(kCopyRunBytes, target.far_copy_run_bytes));
}

bool grows_far_blocks(std::int64_t element_bytes, const Target& target) {
  return element_bytes <= kWidestInFarBlocks && (element_bytes > 1 || target.grows_far_blocks_of_bytes);
}

}  // namespace

LoopGoals loop_goals(LoopWalk walk, const Kernel& kernel, const LoopInputs& inputs) {
  const auto& [box, tile, runs, sizes, target] = inputs;
  const bool far = sizes.residence == Residence::kMemory;
  LoopGoals goals{.walk = walk,
                  .run_bytes = kBlockRunBytes,
                  .fewest_unequal_blocks = target.fewest_unequal_blocks,
                  .undivided_block_bytes = target.level2_bytes / 4,
                  .source_runs_grow_first = target.source_runs_grow_first,
                  .fewest_trips_to_fetch_along =
                      far ? target.fewest_far_trips_to_fetch_along : target.fewest_trips_to_fetch_along,
                  .fetches_single_run = fetches_single_run(runs, sizes, target)};
  if (walk == LoopWalk::kBlocked && std::holds_alternative<PermuteKernel>(kernel))
    goals.block = followed_rows(box, tile, sizes, target);
  if (const auto* copy = std::get_if<CopyKernel>(&kernel))
    goals.contiguous_run_bytes = far ? far_copy_run_bytes(*copy, target) : kCachedCopyRunBytes;
  goals.completes_written_runs = target.completes_written_runs && sizes.residence == Residence::kLastCache;
  if (is_past_own_share(sizes, target) || walk == LoopWalk::kTurns)
    goals.outermost = OutermostRule::stays();
  else if (target.fewest_trips_without_shares > 0 && sizes.residence == Residence::kLastCache)
    goals.outermost = OutermostRule::shares_if_fewer_than(target.fewest_trips_without_shares);
  else if (target.lengthens_written_runs)
    goals.outermost = OutermostRule::longest_around_continued();
  if (goals.block) return goals;  // runs have their lengths
  if (far && target.far_block_run_bytes > 0 && runs.runs_read() >= target.fewest_runs_of_far_blocks)
    goals.run_bytes = target.far_block_run_bytes;
  else if (far && target.vector_bytes == 64 && grows_far_blocks(sizes.element_bytes, target) &&
           std::holds_alternative<PermuteKernel>(kernel))
    goals.run_bytes = kFarBlockRunBytes;
  return goals;
}

}  // namespace relayout::plan
