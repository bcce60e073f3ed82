#include "src/plan/prefetch_choice.hpp"

#include <variant>

#include "src/plan/kernel_access.hpp"
#include "src/plan/line.hpp"
#include "src/plan/loop_order.hpp"

namespace relayout::plan {
namespace {

/// 60 random pairs of 2 to 24 MiB on a Cascade Lake ran at 0.95 of memcpy with the lines of the next call
/// fetched along any loop, at 0.98 and 0.99 along loops of three trips and four: past the last trip they may
/// lie on pages that nobody has (bf16[25,5464,26][1,2,0] into (4,1) tiles 0.17 and 0.90).
constexpr std::int64_t kFewestTripsToWriteAlong = 4;

/// The kernels whose emitters fetch lines ahead.
bool can_prefetch(const Kernel& kernel) {
  const auto* shuffle = std::get_if<ShuffleKernel>(&kernel);
  return std::holds_alternative<PermuteKernel>(kernel) || (shuffle != nullptr && shuffle->piece_bytes == 64);
}

/// Whether several calls read from the same lines, which only the first would have to fetch ahead: bytes
/// 1000x1000 in the last cache, runs of 16 bytes, ran at 0.45 of memcpy with a prefetch, at 0.58 without (Zen
/// 5).
bool reads_parts_of_lines(const Kernel& kernel) {
  const auto* permute = std::get_if<PermuteKernel>(&kernel);
  return permute != nullptr && permute->network.source.piece_bytes() < kLineBytes / 2;
}

bool prefetches_source(const Nest& nest, const PlanInputs& inputs) {
  const PlanChoice* choice = inputs.options.choice;
  if (choice != nullptr && choice->prefetch) return *choice->prefetch;
  if (!inputs.is_past_second_cache()) return false;
  if (inputs.is_past_last_cache()) return true;
  return !reads_parts_of_lines(nest.kernel) &&
         count_runs(kernel_access(nest).source) > inputs.target.followed_reads;
}

/// The lines that the next call of the kernel writes.
bool prefetches_destination(const Nest& nest, const PlanInputs& inputs) {
  if (!inputs.is_past_second_cache() || !inputs.options.may_prefetch()) return false;
  if (!std::holds_alternative<PermuteKernel>(nest.kernel) || nest.store != StorePolicy::kTemporal)
    return false;
  const Target& target = inputs.target;
  const std::size_t followed =
      inputs.is_past_last_cache() ? target.followed_far_writes : target.followed_writes;
  return count_runs(kernel_access(nest).destination) > followed;
}

}  // namespace

void choose_prefetch(Nest& nest, const std::string& name, const PlanInputs& inputs, PlanNotes& notes) {
  if (prefetches_destination(nest, inputs)) {
    nest.prefetch_destination_bytes =
        next_bytes(nest.loops, &Loop::destination_step_bytes, kFewestTripsToWriteAlong);
    notes.add(name, [&] {
      return "prefetch of the destination " + std::to_string(nest.prefetch_destination_bytes) +
             " bytes ahead, where the next tile is written";
    });
  }
  if (nest.prefetch_source_bytes == 0) return;
  if (!can_prefetch(nest.kernel) || !prefetches_source(nest, inputs)) {
    nest.prefetch_source_bytes = 0;
    return;
  }
  notes.add(name, [&] {
    return "prefetch of the source " + std::to_string(nest.prefetch_source_bytes) +
           " bytes ahead, where the next block begins";
  });
}

}  // namespace relayout::plan
