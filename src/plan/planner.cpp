#include "src/plan/planner.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <variant>

#include "src/plan/block_lines.hpp"
#include "src/plan/boxes.hpp"
#include "src/plan/kernel_access.hpp"
#include "src/plan/kernel_choice.hpp"
#include "src/plan/line.hpp"
#include "src/plan/loops.hpp"
#include "src/plan/padded_box.hpp"
#include "src/plan/padding.hpp"
#include "src/plan/padding_nests.hpp"
#include "src/plan/staged_block.hpp"
#include "src/plan/streamed_runs.hpp"
#include "src/plan/turns.hpp"

namespace relayout::plan {
namespace {

/// How many rounds' source and destination the second-level cache has room for.
constexpr std::int64_t kRoundsPerCache = 4;

/// Footprints, in first-level caches, from which on shares of nests are worth their calls. Measured on a Zen
/// 5 for tiles that are transposed into Sw<3,2,3> and Sw<3,3,3> and back: 128 to 256 KiB move 1.3 to 1.7
/// times as fast, 64 KiB 0.85 times.
constexpr std::int64_t kFirstCaches = 2;

/// Destinations of so many times the source's bytes are written in the order of their padding. 43 random
/// pairs on a Zen 4 with 32-byte vectors: 1.06 times as fast, f32[4,3,22,69][1,2,3,0] into
/// {1,2,0,3:T(8,128)} 1.6 times; 30 of 3 to 7 times the bytes 0.94 times.
constexpr std::int64_t kMostlyPadding = 8;

/// Runs from one whose lines are streamed to the one whose first and last line are fetched. Copies of runs of
/// 260 to 1028 bytes on a Zen 4: 4 ran at 1.0 of memcpy, 1 at 0.95, 8 between 0.9 and 1.05.
constexpr std::int64_t kRunsAhead = 4;

constexpr std::int64_t kPageBytes = 4096;

/// The kernels whose emitters fetch lines ahead.
bool prefetches(const Kernel& kernel) {
  const auto* shuffle = std::get_if<ShuffleKernel>(&kernel);
  return std::holds_alternative<PermuteKernel>(kernel) || (shuffle != nullptr && shuffle->piece_bytes == 64);
}

bool writes_whole_vectors(const Kernel& kernel) {
  const auto* permute = std::get_if<PermuteKernel>(&kernel);
  return permute != nullptr && permute->network.destination.piece_bytes() == permute->network.vector_bytes;
}

/// Whether several calls read from the same lines, which only the first would have to fetch ahead: bytes
/// 1000x1000 in the last cache, runs of 16 bytes, ran at 0.45 of memcpy with a prefetch, at 0.58 without (Zen
/// 5).
bool reads_parts_of_lines(const Kernel& kernel) {
  const auto* permute = std::get_if<PermuteKernel>(&kernel);
  return permute != nullptr && permute->network.source.piece_bytes() < kLineBytes / 2;
}

class Planner {
 public:
  Planner(const Problem& problem, const Target& target, const PlanOptions& options)
      : problem_(problem), target_(target), options_(options) {
    plan_.isa = target.isa;
    plan_.element_bytes = problem.element_bytes;
    plan_.source_bytes = size_bytes(problem.source_elements, options.packed.source_bits);
    plan_.destination_bytes = size_bytes(problem.destination_elements, options.packed.destination_bits);
  }

  Result<Plan> run(const LoopNest& nest) {
    const bool empty =
        std::find(problem_.extents.begin(), problem_.extents.end(), 0) != problem_.extents.end();
    if (auto status = find_padding(); !status) return status.error();
    if (!empty) {
      if (auto status = plan_domain(nest); !status) return status.error();
    }
    if (auto status = plan_padding(); !status) return status.error();
    if (!interleaved_) take_turns();
    return std::move(plan_);
  }

 private:
  /// Elements of whole bytes have the default spacing of 8 bits, which then stands for a whole element.
  std::int64_t size_bytes(std::int64_t elements, int spacing_bits) const {
    if (spacing_bits >= 8) return elements * problem_.element_bytes * (spacing_bits / 8);
    const std::int64_t in_byte = 8 / spacing_bits;
    return (elements * problem_.element_bytes + in_byte - 1) / in_byte;
  }

  Status plan_domain(const LoopNest& nest) {
    for (const std::string& text : nest.notes) note("refinement", [&] { return text; });
    auto list = make_boxes(nest, problem_.element_bytes);
    if (!list) return list.error();
    for (const std::string& text : list->notes) note("boxes", [&] { return text; });
    for (Box& box : list->boxes) {
      if (options_.packed.is_packed()) {
        auto packed = pack_box(box, options_.packed);
        if (!packed) return packed.error();
        box = std::move(*packed);
      }
      const bool largest = plan_.nests.empty();
      if (auto status = plan_box(box, largest ? options_.kernel : relaxed(box), list->boxes.size()); !status)
        return status;
    }
    interleaved_ = list->interleaved;
    if (interleaved_) choose_rounds();
    return {};
  }

  /// Lines that several nests write parts of stay in the cache until the last of them has been there. On a
  /// Zen 4 with 32-byte vectors, 151 random pairs with padding: 1.023 times as fast, those past the last
  /// cache up to 1.4 times (bf16[287369,98] into (8,128) tiles); shorter rounds gained less.
  void take_turns() {
    const std::int64_t cache_bytes =
        target_.vector_bytes == 32 ? target_.level2_bytes : target_.streaming_threshold_bytes;
    if (plan_.nests.size() < 2 || footprint_bytes() <= cache_bytes) return;
    plan_.rounds =
        std::min(shared_trips(plan_.nests), 2 * plan_.destination_bytes / target_.level2_bytes + 1);
    if (plan_.rounds == 1) return;
    note("rounds", [this] {
      return "several nests write parts of the same lines and take turns, " + std::to_string(plan_.rounds) +
             " times a share of their outermost loops, so that lines stay in the second cache";
    });
  }

  /// What one round moves should stay in the cache until the last nest has been there.
  void choose_rounds() {
    const bool far = footprint_bytes() > target_.level2_bytes;
    if (plan_.nests.size() < 2 || (!far && !shared_lines_leave_the_first_cache())) return;
    const std::int64_t room = far ? target_.level2_bytes / kRoundsPerCache : target_.level1_data_bytes;
    std::int64_t trips = 1;
    for (const Nest& nest : plan_.nests) trips = std::max(trips, nest.loops.front().trips);
    plan_.rounds = std::min(trips, footprint_bytes() / room + 1);
    if (plan_.rounds == 1) return;
    note("rounds", [&] {
      return "the nests lie between one another and take turns, " + std::to_string(plan_.rounds) +
             " times a share of their outermost loops, so that lines stay in the " +
             (far ? "second" : "first") + " cache";
    });
  }

  bool shared_lines_leave_the_first_cache() const {
    const auto shares = [this](const Nest& nest) {
      const KernelAccess access = kernel_access(nest);
      return has_parts_of_lines(access.source) || has_parts_of_lines(access.destination);
    };
    return footprint_bytes() >= kFirstCaches * target_.level1_data_bytes &&
           std::ranges::any_of(plan_.nests, shares);
  }

  bool has_parts_of_lines(const std::vector<Extent>& extents) const {
    std::int64_t bytes = 0;
    for (const Extent& extent : extents) bytes += extent.bytes;
    return bytes < target_.line_bytes * static_cast<std::int64_t>(count_runs(extents));
  }

  Status find_padding() {
    if (options_.fill.empty()) return {};
    auto pieces = padding_pieces(problem_);
    if (pieces) pieces = pack_padding(std::move(*pieces), options_.packed.destination_bits);
    if (!pieces) return pieces.error();
    padding_ = std::move(*pieces);
    return {};
  }

  Status plan_padding() {
    auto nests = padding_nests(padding_, options_.fill);
    if (!nests) return nests.error();
    if (!nests->empty())
      note("padding", [&] { return std::to_string(padding_.size()) + " pieces are filled"; });
    for (Nest& nest : *nests) {
      choose_store_policy(nest, "padding");
      plan_.nests.push_back(std::move(nest));
    }
    return {};
  }
  /// A forced permutation that fits the largest box but not a tail too small for a vector leaves that tail to
  /// the cost model.
  KernelFamily relaxed(const Box& box) const {
    if (options_.kernel != KernelFamily::kPermute) return options_.kernel;
    const bool fits = !kernel_candidates(box, sizes(), target_, options_.kernel).empty();
    return fits ? options_.kernel : KernelFamily::kAutomatic;
  }

  /// A nest that is to write a box's rows through the caches by way of a scratch instead, whose runs are
  /// streamed. None if it can't.
  std::optional<Nest> staged_nest(const Box& box, const PaddedBox* padded) {
    const auto staged = staged_block(box, problem_.element_bytes);
    if (!staged) return std::nullopt;
    const auto in_block = padded == nullptr ? std::nullopt : part_of(*padded, staged->block);
    if (padded != nullptr && !in_block) return std::nullopt;
    const PairSizes near{problem_.element_bytes, Residence::kSecondCache};
    auto candidates = in_block ? padded_candidates(*in_block, near, target_)
                               : kernel_candidates(staged->block, near, target_, KernelFamily::kPermute);
    line_stores_ = LineStores::kTogetherIfFree;
    const auto chosen = std::ranges::find_if(candidates, [&](KernelCandidate& candidate) {
      return !candidate.rounded && complete(staged->block, in_block ? &*in_block : nullptr, candidate) &&
             writes_whole_vectors(candidate.kernel);
    });
    line_stores_.reset();
    if (chosen == candidates.end()) return std::nullopt;
    const LoopWalk asked = options_.choice == nullptr ? LoopWalk::kBlocked : options_.choice->loops;
    std::string reason;
    if (options_.reasons) reason = description_of(staged->block, *chosen);
    auto nest = stage(box, *staged,
                      make_nest(staged->block, std::move(*chosen), near, target_, LoopWalk::kSource), asked);
    if (!nest) return std::nullopt;
    if (!block_fits(*nest, nest->loops.size() - nest->staging->first_loop, second_cache_for_blocks(target_)))
      return std::nullopt;
    nest->reason = std::move(reason);
    nest->store = StorePolicy::kStreamingRuns;
    if (!may_prefetch()) nest->staging->next_bytes = nest->prefetch_source_bytes = 0;
    return nest;
  }

  bool may_stage(const Nest& nest) const {
    const bool forced = options_.kernel != KernelFamily::kAutomatic ||
                        (options_.choice != nullptr && !options_.choice->kernel.empty());
    return !forced && streams_runs(target_) && stages_destination() && nest.store == StorePolicy::kTemporal &&
           std::holds_alternative<PermuteKernel>(nest.kernel);
  }

  /// A destination that the last cache holds beside a larger source is better left there:
  /// bf16[11,3,31,174,12] out of (8,128) tiles 0.62 of memcpy, and 0.34 staged.
  bool stages_destination() const {
    const StreamingStores wanted = streaming_wanted();
    if (wanted != StreamingStores::kAuto) return wanted == StreamingStores::kAlways;
    return is_large() && 2 * plan_.destination_bytes > target_.streaming_threshold_bytes;
  }

  /// A box, alone and with the padding behind its runs, and the candidates for either.
  struct BoxChoice {
    const Box& alone;
    std::optional<PaddedBox> padded;
    std::vector<KernelCandidate> candidates;

    const Box& box_of(std::size_t index) const { return candidates[index].padded ? padded->box : alone; }
  };

  /// Whether no other box writes into the same lines, but at a page's ends: bf16[36980,376][0,1] into
  /// (8,128)(2,1) tiles ran at 0.12 of memcpy staged beside the box of its last columns, and at 0.47 not; six
  /// pairs whose other boxes lie further off at 0.69 and 0.50.
  bool keeps_to_itself(const Box& box, std::size_t boxes) const {
    std::int64_t contiguous_bytes = problem_.element_bytes;
    for (const Axis& axis : box.axes)
      if (axis.destination_stride == contiguous_bytes) contiguous_bytes *= axis.extent;
    return boxes == 1 || (plan_.nests.empty() && contiguous_bytes >= kPageBytes);
  }

  Status plan_box(const Box& box, KernelFamily forced, std::size_t boxes) {
    BoxChoice choice{box, box_with_zeros(box, forced), kernel_candidates(box, sizes(), target_, forced)};
    std::vector<KernelCandidate>& candidates = choice.candidates;
    if (choice.padded) {
      auto whole = padded_candidates(*choice.padded, sizes(), target_);
      std::ranges::move(candidates, std::back_inserter(whole));
      candidates = std::move(whole);
    }
    const std::string wanted = wanted_kernel(candidates);
    const std::size_t chosen = first_complete(choice, wanted);
    if (chosen == candidates.size()) {
      if (!wanted.empty()) return Error{ErrorCode::kUnsupported, "no kernel '" + wanted + "' fits this pair"};
      return Error{ErrorCode::kUnsupported, "kernel '" + std::string(to_string(forced)) +
                                                "' does not fit this pair: no tile fills a vector"};
    }
    const std::string box_name = "box " + std::to_string(plan_.nests.size());
    std::string reason;
    if (options_.reasons) reason = description_of(choice.box_of(chosen), candidates[chosen]);
    note(box_name, [&] { return "chosen: " + reason; });
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (i == chosen) continue;
      note(box_name, [&] { return "rejected: " + description_of(choice.box_of(i), candidates[i]); });
    }
    const bool pads = candidates[chosen].padded.has_value();
    if (pads) remove_covered(*choice.padded, padding_);
    const Box& moved = choice.box_of(chosen);
    Nest nest = make_nest(moved, std::move(candidates[chosen]), sizes(), target_, loop_walk(box_name));
    nest.reason = std::move(reason);
    choose_store_policy(nest, box_name);
    std::optional<Nest> staged;
    if (may_stage(nest) && keeps_to_itself(box, boxes))
      staged = staged_nest(moved, pads ? &*choice.padded : nullptr);
    if (staged) {
      note(box_name, [&] {
        return "whole lines of longer runs are streamed, which are put together in a scratch by " +
               staged->reason;
      });
      nest = std::move(*staged);
    } else {
      choose_prefetch(nest, box_name);
    }
    plan_.nests.push_back(std::move(nest));
    return {};
  }

  /// The first candidate that is wanted and whose network can be made, which it gets; their number if none.
  std::size_t first_complete(BoxChoice& choice, const std::string& wanted) {
    std::size_t index = 0;
    for (; index < choice.candidates.size(); ++index) {
      KernelCandidate& candidate = choice.candidates[index];
      const PaddedBox* padded = candidate.padded ? &*choice.padded : nullptr;
      if (is_wanted(candidate, wanted) && complete(choice.box_of(index), padded, candidate)) break;
    }
    return index;
  }

  /// The box together with the padding behind its runs, where that is zeros.
  std::optional<PaddedBox> box_with_zeros(const Box& box, KernelFamily forced) const {
    const bool networks = forced == KernelFamily::kAutomatic || forced == KernelFamily::kPermute;
    const auto is_zero = [](std::uint8_t byte) { return byte == 0; };
    if (padding_.empty() || !networks || options_.packed.is_packed()) return std::nullopt;
    if (!std::ranges::all_of(options_.fill, is_zero)) return std::nullopt;
    return padded_box(box, padding_, problem_.element_bytes);
  }

  /// Data are walked in the order of the padding that they lie in where that is most of what is written.
  LoopWalk loop_walk(const std::string& box_name) {
    const LoopWalk asked = options_.choice == nullptr ? LoopWalk::kBlocked : options_.choice->loops;
    if (asked != LoopWalk::kBlocked || options_.fill.empty() || target_.vector_bytes != 32) return asked;
    if (plan_.destination_bytes < kMostlyPadding * plan_.source_bytes) return asked;
    if (footprint_bytes() <= target_.level2_bytes) return asked;
    note(box_name, [] { return "in the destination's order, which is that of the padding around its data"; });
    return LoopWalk::kDestination;
  }

  /// The kernel that was asked for: of the largest box, and of the others where they have it.
  std::string wanted_kernel(const std::vector<KernelCandidate>& candidates) {
    const bool largest = plan_.nests.empty();
    if (largest && options_.kernels != nullptr) {
      for (const KernelCandidate& candidate : candidates) options_.kernels->push_back(kernel_name(candidate));
    }
    if (options_.choice == nullptr || options_.choice->kernel.empty()) return {};
    const std::string& wanted = options_.choice->kernel;
    const bool fits = std::ranges::any_of(
        candidates, [&](const KernelCandidate& candidate) { return kernel_name(candidate) == wanted; });
    return largest || fits ? wanted : std::string();
  }

  static bool is_wanted(const KernelCandidate& candidate, const std::string& wanted) {
    return wanted.empty() || kernel_name(candidate) == wanted;
  }

  std::int64_t network_vector_bytes() const {
    if (options_.choice != nullptr && options_.choice->vector_bytes) {
      return std::min(*options_.choice->vector_bytes, target_.vector_bytes);
    }
    const bool cached = footprint_bytes() <= target_.half_vectors_up_to_bytes;
    return cached ? target_.vector_bytes / 2 : target_.vector_bytes;
  }

  /// Lines that are streamed are written together, as are those that would leave the first cache before they
  /// are written again.
  LineStores line_stores(const Box& box, const KernelCandidate& candidate) const {
    if (line_stores_) return *line_stores_;
    const bool streams = is_large() && streaming_wanted() != StreamingStores::kNever;
    if (streams && !destination_rows_fill_lines(box) && candidate.is_preferred && streams_runs(target_))
      return LineStores::kFromScratch;
    const bool together = candidate.is_preferred || (is_large() && destination_rows_fill_lines(box));
    return together ? LineStores::kTogether : LineStores::kTogetherIfFree;
  }

  /// Makes the network of a network candidate. False if there is none.
  bool complete(const Box& box, const PaddedBox* padded, KernelCandidate& candidate) {
    auto* permute = std::get_if<PermuteKernel>(&candidate.kernel);
    if (permute == nullptr) return true;
    MicroTile tile{candidate.takes};
    const auto& rounded = candidate.rounded;
    const std::int64_t tile_bytes =
        rounded ? rounded->rounded_bytes(problem_.element_bytes) : tile.elements() * problem_.element_bytes;
    const int vector_bytes = static_cast<int>(std::min<std::int64_t>(network_vector_bytes(), tile_bytes));
    NetworkTarget target = target_.network_target(vector_bytes);
    target.line_stores = line_stores(box, candidate);
    auto network = synthesize(target, static_cast<int>(problem_.element_bytes),
                              rounded             ? rounded_tile_bits(*rounded, problem_.element_bytes)
                              : padded != nullptr ? padded_tile_bits(*padded, tile, problem_.element_bytes)
                                                  : tile_bits(box, tile, problem_.element_bytes));
    if (!network) {
      note("network", [&] { return network.error().message; });
      return false;
    }
    if (rounded) {
      place_pieces(box, *rounded, *network);
    } else if (padded != nullptr) {
      mark_padding(*padded, *network);
    }
    permute->network = std::move(*network);
    return true;
  }

  void choose_store_policy(Nest& nest, const std::string& box_name) {
    const StreamingStores streaming = streaming_wanted();
    if (streaming == StreamingStores::kNever) return;
    if (!is_large() && streaming != StreamingStores::kAlways) return;
    const bool aligned = nest.destination_aligned && (!padding_cuts_lines(nest) || streams_runs(target_));
    if (!aligned && put_together_in_runs(nest)) {
      note(box_name,
           [] { return "streaming stores for the whole lines of each run, which need not begin on one"; });
      return;
    }
    if (!aligned) {
      note(box_name,
           [] { return "no streaming stores: some destination runs do not start and end on a cache line"; });
      return;
    }
    nest.store = StorePolicy::kStreaming;
    note(box_name, [this] {
      const std::string because = is_large() ? "the footprint of " + std::to_string(footprint_bytes()) +
                                                   " bytes is past the last cache's share"
                                             : std::string("they were asked for");
      return "streaming stores for aligned destinations: " + because;
    });
  }

  /// Lets a permutation that writes long enough runs gather them in a scratch. False where it cannot.
  bool put_together_in_runs(Nest& nest) const {
    if (can_stream_runs(nest, target_)) {
      nest.store = StorePolicy::kStreamingRuns;
      if (!begins_on_lines(nest)) prefetch_parts_of_lines(nest);
      return true;
    }
    auto* permute = std::get_if<PermuteKernel>(&nest.kernel);
    if (permute == nullptr || !can_stream_runs(permute->network, target_)) return false;
    permute->network.scratch_bytes = tile_bytes(permute->network);
    nest.store = StorePolicy::kStreamingRuns;
    if (may_prefetch()) nest.prefetch_destination_bytes = nest.loops.back().destination_step_bytes;
    return true;
  }

  /// A line at the end of a run is fetched before it is written in part; one that is streamed should not be.
  void prefetch_parts_of_lines(Nest& nest) const {
    if (!may_prefetch()) return;
    const Loop& inner = nest.loops.back();
    nest.prefetch_destination_bytes =
        std::min<std::int64_t>(kRunsAhead, inner.trips - 1) * inner.destination_step_bytes;
  }

  bool may_prefetch() const { return options_.choice == nullptr || options_.choice->prefetch.value_or(true); }

  StreamingStores streaming_wanted() const {
    if (options_.choice == nullptr || !options_.choice->stores) return options_.streaming;
    return *options_.choice->stores == StorePolicy::kStreaming ? StreamingStores::kAlways
                                                               : StreamingStores::kNever;
  }

  std::int64_t footprint_bytes() const { return plan_.source_bytes + plan_.destination_bytes; }
  PairSizes sizes() const {
    const bool near = footprint_bytes() <= target_.level2_bytes;
    return {problem_.element_bytes, is_large() ? Residence::kMemory
                                    : near     ? Residence::kSecondCache
                                               : Residence::kLastCache};
  }
  bool is_large() const { return footprint_bytes() > target_.streaming_threshold_bytes; }

  /// Not every kernel has a prefetch.
  void choose_prefetch(Nest& nest, const std::string& box_name) {
    if (!prefetches(nest.kernel)) nest.prefetch_source_bytes = 0;
    if (footprint_bytes() > target_.level2_bytes) prefetch_destination(nest, box_name);
    if (nest.prefetch_source_bytes != 0 && !prefetch_wanted(nest)) nest.prefetch_source_bytes = 0;
    if (nest.prefetch_source_bytes == 0) return;
    note(box_name, [&] {
      return "prefetch of the source " + std::to_string(nest.prefetch_source_bytes) +
             " bytes ahead, where the next block begins";
    });
  }

  bool prefetch_wanted(const Nest& nest) const {
    if (options_.choice != nullptr && options_.choice->prefetch) return *options_.choice->prefetch;
    if (footprint_bytes() <= target_.level2_bytes) return false;
    if (!is_large() && reads_parts_of_lines(nest.kernel)) return false;
    return is_large() || count_runs(kernel_access(nest).source) > target_.followed_reads;
  }

  /// The lines that the next call of the kernel writes.
  void prefetch_destination(Nest& nest, const std::string& box_name) {
    if (!std::holds_alternative<PermuteKernel>(nest.kernel) || nest.store != StorePolicy::kTemporal) return;
    if (!may_prefetch()) return;
    const std::size_t followed = is_large() ? target_.followed_far_writes : target_.followed_writes;
    if (count_runs(kernel_access(nest).destination) <= followed) return;
    nest.prefetch_destination_bytes = nest.loops.back().destination_step_bytes;
    note(box_name, [&] {
      return "prefetch of the destination " + std::to_string(nest.prefetch_destination_bytes) +
             " bytes ahead, where the next tile is written";
    });
  }

  template <class Reason>
  void note(const std::string& choice, const Reason& reason) {
    if (options_.reasons) plan_.notes.push_back({choice, reason()});
  }

  const Problem& problem_;
  const Target& target_;
  const PlanOptions& options_;
  Plan plan_;
  std::vector<PaddingPiece> padding_;      ///< of the destination, that no nest fills yet
  std::optional<LineStores> line_stores_;  ///< of networks whose destination is a scratch
  bool interleaved_ = false;               ///< rounds were chosen for the data alone
};

}  // namespace

Result<Plan> make_plan(const Problem& problem, const LoopNest& nest, const Target& target,
                       const PlanOptions& options) {
  return Planner(problem, target, options).run(nest);
}

std::string kernel_names(const Plan& plan) {
  std::string names;
  const auto append = [&names](std::string_view name) {
    if (names.find(name) != std::string::npos) return;
    if (!names.empty()) names += '+';
    names += name;
  };
  for (const Nest& nest : plan.nests) {
    if (std::holds_alternative<CopyKernel>(nest.kernel)) append("copy");
    if (std::holds_alternative<PermuteKernel>(nest.kernel)) append("permute");
    if (std::holds_alternative<ShuffleKernel>(nest.kernel)) append("permute");
    if (std::holds_alternative<GatherKernel>(nest.kernel)) append("gather");
  }
  return names.empty() ? "none" : names;
}

}  // namespace relayout::plan
