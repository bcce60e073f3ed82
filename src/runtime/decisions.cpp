#include "src/runtime/decisions.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <variant>

#include "src/plan/accesses/store_policy.hpp"
#include "src/plan/fetches/fetched_sets.hpp"
#include "src/plan/loops/fused_loops.hpp"
#include "src/plan/model/kernel_access.hpp"
#include "src/plan/staging/staged_nest.hpp"

namespace relayout::runtime {
namespace {

std::string number(double value) {
  char text[32];
  const bool whole = value >= 10 || value == std::floor(value);
  std::snprintf(text, sizeof text, whole ? "%.0f" : "%.2f", value);
  return text;
}

std::string mebibytes(std::int64_t bytes) {
  return bytes < 1 << 20 ? number(static_cast<double>(bytes) / 1024) + " KiB"
                         : number(static_cast<double>(bytes) / (1 << 20)) + " MiB";
}

std::string asked(bool chosen) {
  return chosen ? "it was asked for, or measured to be fastest" : "";
}

std::int64_t footprint(const plan::Plan& plan) {
  return plan.source_bytes + plan.destination_bytes;
}

/// Of a nest's kernel over others.
std::string advantage(const plan::Nest& nest) {
  switch (nest.chosen_for) {
    case plan::ChosenFor::kPreferredRuns:
      return "measurements prefer its runs to those of the fewest predicted cycles";
    case plan::ChosenFor::kStreamedLines:
      return "the lines of what has the fewest predicted cycles cannot be streamed";
    case plan::ChosenFor::kMovedOnce:
      return "the tails of what has the fewest predicted cycles overlap much";
    case plan::ChosenFor::kStoresAtPace:
      return "the first cache would not keep pace with the stores of what has the fewest predicted cycles";
    case plan::ChosenFor::kBlockOfRuns:
      return "of those that move a block fast enough the first that writes long pieces of its runs";
    case plan::ChosenFor::kRoundedBlock:
      return "it moves a block in fewer predicted cycles than the first that writes long pieces of its runs";
    case plan::ChosenFor::kFewestCycles:
      break;
  }
  return std::holds_alternative<plan::GatherKernel>(nest.kernel)
             ? "no vector is filled by runs that both sides share, and no tile is large enough"
             : "the fewest predicted cycles per byte of those that fit";
}

Decision kernel_decision(const plan::Nest& nest, const plan::PlanChoice& choice) {
  if (!choice.kernel.empty()) return {"kernel", nest.reason, asked(true)};
  if (std::holds_alternative<plan::FillKernel>(nest.kernel))
    return {"kernel", nest.reason, "nothing to read"};
  return {"kernel", nest.reason, advantage(nest)};
}

std::string reason_for_narrow_vectors(const plan::Nest& nest, const plan::Network& network,
                                      const plan::Target& target) {
  if (nest.staging)
    return target.splits_vectors_of_blocks
               ? "this processor runs wider ones at half the rate, and the first cache holds a block"
               : "tiles write half of a line, which a scratch puts together before it is streamed";
  if (nest.store != plan::StorePolicy::kTemporal) {
    if (target.splits_vectors_to_stream)
      return "this processor runs wider ones at half the rate, and they would take longer ways to whole "
             "lines";
    if (target.streams_without_scratch)
      return "narrow elements are streamed faster by half lines, one after the other";
  }
  if (target.shuffle_ports == plan::ShufflePorts::kOneForWide)
    return network.source.pieces.empty()
               ? "two ports shuffle these within lanes, one wider ones, and a cache holds both buffers"
               : "two ports shuffle these within lanes, and of wider ones more would hold nothing";
  return "this processor runs wider ones at half the rate, and a cache holds both buffers";
}

Decision network_vectors(const plan::Nest& nest, const plan::Network& network, const plan::Target& target,
                         const plan::PlanChoice& choice) {
  const std::string bytes = std::to_string(network.vector_bytes) + " bytes";
  if (choice.vector_bytes) return {"vectors", bytes, asked(true)};
  if (network.vector_bytes == target.vector_bytes) return {"vectors", bytes, "the widest of the level"};
  if (network.tile_bytes() < target.vector_bytes) return {"vectors", bytes, "the tile fills no more"};
  return {"vectors", bytes, reason_for_narrow_vectors(nest, network, target)};
}

Decision vector_decision(const plan::Nest& nest, const plan::Target& target, const plan::PlanChoice& choice) {
  if (const auto* permute = std::get_if<plan::PermuteKernel>(&nest.kernel))
    return network_vectors(nest, permute->network, target, choice);
  if (const auto* shuffle = std::get_if<plan::ShuffleKernel>(&nest.kernel))
    return {"vectors", std::to_string(shuffle->piece_bytes) + " bytes",
            "the pieces that the kernel shuffles"};
  if (std::holds_alternative<plan::GatherKernel>(nest.kernel))
    return {"vectors", "none", "elements are loaded one by one"};
  const bool fills = std::holds_alternative<plan::FillKernel>(nest.kernel);
  const int widest = fills ? target.vector_bytes : std::min(target.vector_bytes, nest.widest_copy_bytes);
  return {"vectors", std::to_string(widest) + " bytes",
          widest == target.vector_bytes
              ? "the widest of the level"
              : "past the second cache this processor copies faster in halves of vectors"};
}

/// The bytes that the extents of a side lie in a row, at most.
std::int64_t longest_run(const std::vector<plan::Extent>& extents) {
  std::int64_t longest = 0;
  for (const plan::Extent& extent : extents) longest = std::max(longest, extent.bytes);
  return longest;
}

std::string walk_name(plan::LoopWalk walk) {
  if (walk == plan::LoopWalk::kBlocked) return "in blocks of a few lines a side";
  if (walk == plan::LoopWalk::kTurns) return "in the destination's order, in turns";
  return walk == plan::LoopWalk::kSource ? "in the source's order" : "in the destination's order";
}

/// Whether each loop steps further than those inside it.
bool is_in_order(const plan::Nest& nest, std::int64_t plan::Loop::*step) {
  return std::ranges::is_sorted(nest.loops, std::greater{},
                                [step](const plan::Loop& loop) { return std::abs(loop.*step); });
}

/// Whether a loop was cut into blocks: one that goes on where another ends.
bool is_blocked(const plan::Nest& nest) {
  for (std::size_t i = 0; i < nest.loops.size(); ++i)
    for (std::size_t j = i + 1; j < nest.loops.size(); ++j)
      if (plan::goes_on(nest.loops[i], nest.loops[j])) return true;
  return false;
}

Decision loop_decision(const plan::Nest& nest, const plan::PlanChoice& choice) {
  if (choice.loops) return {"loops", walk_name(*choice.loops), asked(true)};
  if (nest.loops.size() == 1 && nest.loops.front().trips <= 1) return {"loops", "none", "one call moves all"};
  const plan::KernelAccess access = plan::kernel_access(nest);
  if (nest.loops.size() == 1) return {"loops", "one", "there is nothing to order"};
  if (access.source.size() <= 1 && access.destination.size() <= 1 && !nest.staging) {
    return {"loops", "run by run",
            "both sides are walked in whole runs of " + std::to_string(longest_run(access.destination)) +
                " bytes"};
  }
  if (!is_blocked(nest) && is_in_order(nest, &plan::Loop::destination_step_bytes))
    return {"loops", walk_name(plan::LoopWalk::kDestination),
            "neighbouring lines of the destination follow at once, and those of the source soon"};
  if (!is_blocked(nest) && is_in_order(nest, &plan::Loop::source_step_bytes))
    return {"loops", walk_name(plan::LoopWalk::kSource),
            "neighbouring lines of the source follow at once, and those of the destination soon"};
  if (nest.follows_rows_to_read)
    return {"loops", "in blocks of one call's width, which go on along the rows to write",
            "the few rows that such a block reads are followed for longer, and do not evict each other"};
  return {"loops", walk_name(plan::LoopWalk::kBlocked),
          "one call reads " + std::to_string(access.source.size()) + " pieces and writes " +
              std::to_string(access.destination.size()) +
              ": neighbouring lines follow soon on both sides, before caches and pages change"};
}

/// Whether runs are, in a scratch of the nest's or of the kernel's own.
bool is_put_together(const plan::Nest& nest) {
  return nest.staging || std::holds_alternative<plan::PermuteKernel>(nest.kernel);
}

Decision store_decision(const plan::Plan& plan, const plan::Nest& nest, const plan::Target& target,
                        const plan::PlanChoice& choice) {
  const std::string both = "both buffers together, " + mebibytes(footprint(plan)) + ",";
  const std::string share = mebibytes(target.streaming_threshold_bytes) + " of the last cache";
  const bool fit = footprint(plan) <= target.streaming_threshold_bytes;
  const bool crowded = fit && target.streamed_crowded_rows_from_bytes > 0;
  const std::string past = crowded ? "rows to write crowd sets of the second cache"
                           : fit   ? both + " just fit " + share + ", which is shared"
                                   : both + " exceed " + share;
  if (nest.store == plan::StorePolicy::kStreaming) {
    if (choice.stores) return {"stores", "streaming", asked(true)};
    return {"stores", "streaming", past + ", and every destination line is written whole"};
  }
  if (nest.store == plan::StorePolicy::kStreamingRuns)
    return {"stores", "streaming within runs",
            past + "; runs do not begin and end on cache lines" +
                (is_put_together(nest) ? ", and are put together before" : "")};
  if (choice.stores == plan::StorePolicy::kTemporal) return {"stores", "temporal", asked(true)};
  if (fit && !choice.stores) return {"stores", "temporal", both + " fit " + share};
  if (const std::string_view reason = plan::reason_not_to_stream(nest, footprint(plan), target);
      !reason.empty())
    return {"stores", "temporal", std::string(reason)};
  if (nest.destination_aligned) return {"stores", "temporal", "streaming was ruled out by an option"};
  const bool followed = plan::followed_places(nest, footprint(plan), target) != plan::FollowedPlaces::kMany;
  return {"stores", "temporal",
          followed ? "the processor fetches the few places written ahead, and is faster so than by a scratch"
                   : "some destination runs do not begin and end on a cache line"};
}

/// Whether what is permuted is read from lines that fill sets of the first cache, in which those of the next
/// block mostly are, too.
bool would_fill_sets(const plan::Plan& plan, const plan::Nest& nest, const plan::Target& target) {
  constexpr std::int64_t kSameSets = 0;  // bytes ahead
  const bool permutes = std::holds_alternative<plan::PermuteKernel>(nest.kernel) ||
                        std::holds_alternative<plan::ShuffleKernel>(nest.kernel);
  return permutes && !nest.staging && target.keeps_fetches_out_of_full_sets &&
         footprint(plan) <= target.streaming_threshold_bytes &&
         plan::fetches_into_full_sets(plan::kernel_runs(nest).source, kSameSets, target);
}

Decision prefetch_decision(const plan::Plan& plan, const plan::Nest& nest, const plan::Target& target,
                           const plan::PlanChoice& choice) {
  const std::string chosen = asked(choice.prefetch.has_value());
  if (nest.block_fetch && nest.staging) {
    return {"prefetch", "what the next blocks read, line by line",
            !chosen.empty() ? chosen : "it is one stretch, which several blocks read in turn"};
  }
  if (nest.block_fetch) {
    const bool both = nest.block_fetch->destination.rows_per_call > 0;
    return {"prefetch",
            "the next block, row by row, " + std::string(both ? "on both sides" : "at the source"),
            !chosen.empty() ? chosen : "lines come in pairs where both halves are asked for together"};
  }
  if (nest.staging && nest.staging->fetch_bytes != 0) {
    return {
        "prefetch",
        std::to_string(nest.prefetch_source_bytes) + " bytes ahead at the source, and from " +
            std::to_string(nest.staging->fetch_bytes) + " on while its runs leave",
        !chosen.empty() ? chosen : "the next block begins there, and nothing else is read while runs leave"};
  }
  if (nest.prefetch_source_bytes != 0) {
    const bool between_stores = nest.source_fetches != plan::SourceFetches::kAfterLoads;
    return {"prefetch",
            std::to_string(nest.prefetch_source_bytes) + " bytes ahead at the source" +
                (between_stores ? ", between the stores" : ""),
            !chosen.empty() ? chosen
            : between_stores
                ? "the next block begins there, and nothing else is read while streamed lines leave"
            : std::holds_alternative<plan::CopyKernel>(nest.kernel) && !nest.staging
                ? "the run goes on there, and the processor's own prefetch is not far enough ahead"
                : "a block that follows begins there, and the processor's own prefetch misses such runs"};
  }
  if (nest.prefetch_destination_bytes != 0) {
    return {"prefetch", std::to_string(nest.prefetch_destination_bytes) + " bytes ahead at the destination",
            "a store to a line that the first cache does not hold would wait for it"};
  }
  if (!chosen.empty() && !*choice.prefetch) return {"prefetch", "none", chosen};
  if (footprint(plan) <= target.level2_bytes)
    return {"prefetch", "none", "the second cache holds both buffers"};
  if (would_fill_sets(plan, nest, target))
    return {"prefetch", "none",
            "a call's own lines fill sets of the first cache, into which the next block's would be fetched"};
  return {"prefetch", "none", "the source is read in few enough runs for the processor's own prefetch"};
}

Decision mask_decision(const plan::Nest& nest, const plan::Target& target, const plan::PlanChoice& choice) {
  const std::string access = nest.under_masks ? "loads and stores" : "none";
  if (choice.masks && nest.under_masks == *choice.masks) return {"masks", access, asked(true)};
  if (nest.under_masks && nest.staging)
    return {"masks", access, "rows are read a line at a time, and what follows in each comes too early"};
  if (nest.under_masks)
    return {"masks", access,
            "a cache holds both buffers, and what the processor fetches ahead costs more than it brings"};
  return {"masks", access,
          target.masked_up_to_bytes == 0 ? "this processor does not need them"
                                         : "what the processor fetches ahead is of use"};
}

std::string times(double ratio) {
  return number(ratio) + " times";
}

std::string more_cycles(double other, double chosen, const std::string& what) {
  if (chosen <= 0) return "cycles for " + what + ", which the plan taken does without";
  return times(other / chosen) + " the cycles for " + what;
}

/// What differs most between two plans, in words.
std::string difference(const plan::Work& other, const plan::Work& chosen) {
  if (other.far_lines > 1.2 * chosen.far_lines && other.far_lines > 0.01 * other.lines) {
    return number(other.far_lines) + " lines pass between the last cache and memory instead of " +
           number(chosen.far_lines);
  }
  if (other.instructions > 1.5 * chosen.instructions)
    return times(other.instructions / chosen.instructions) + " the instructions";
  if (other.memory_cycles > 1.05 * chosen.memory_cycles)
    return more_cycles(other.memory_cycles, chosen.memory_cycles, "what the first cache misses");
  if (other.shuffle_cycles > 1.05 * chosen.shuffle_cycles)
    return more_cycles(other.shuffle_cycles, chosen.shuffle_cycles, "shuffles");
  if (other.store_cycles > 1.05 * chosen.store_cycles)
    return more_cycles(other.store_cycles, chosen.store_cycles, "stores");
  if (other.load_cycles > 1.05 * chosen.load_cycles)
    return more_cycles(other.load_cycles, chosen.load_cycles, "loads");
  if (other.instructions > 1.05 * chosen.instructions)
    return times(other.instructions / chosen.instructions) + " the instructions";
  return "little else differs";
}

}  // namespace

std::vector<Decision> decisions_of(const plan::Plan& plan, const plan::Nest& nest, const plan::Target& target,
                                   const plan::PlanChoice& choice) {
  return {kernel_decision(nest, choice),
          vector_decision(nest, target, choice),
          loop_decision(nest, choice),
          store_decision(plan, nest, target, choice),
          prefetch_decision(plan, nest, target, choice),
          mask_decision(nest, target, choice)};
}

std::string rejection(const plan::Candidate& candidate, const plan::Candidate& chosen) {
  const double ratio = candidate.work.cycles / chosen.work.cycles;
  if (ratio >= 1) {
    return "predicted " + times(ratio) + " as long: " + difference(candidate.work, chosen.work);
  }
  return "predicted " + times(ratio) +
         " as long, though not by the planner's rules: --measure tells, --tune decides";
}

}  // namespace relayout::runtime
