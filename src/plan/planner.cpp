#include "src/plan/planner.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <variant>

#include "src/plan/accesses/masked_access.hpp"
#include "src/plan/accesses/prefetch_choice.hpp"
#include "src/plan/accesses/store_policy.hpp"
#include "src/plan/boxes/boxes.hpp"
#include "src/plan/boxes/cut_box.hpp"
#include "src/plan/boxes/packed_boxes.hpp"
#include "src/plan/boxes/wide_elements.hpp"
#include "src/plan/kernels/box_kernel.hpp"
#include "src/plan/kernels/kernel_choice.hpp"
#include "src/plan/kernels/last_tile.hpp"
#include "src/plan/kernels/padded_end.hpp"
#include "src/plan/kernels/shuffle.hpp"
#include "src/plan/loops/larger_side.hpp"
#include "src/plan/loops/lines_fetched.hpp"
#include "src/plan/loops/loops.hpp"
#include "src/plan/loops/padding_nests.hpp"
#include "src/plan/loops/rounds.hpp"
#include "src/plan/machine/line.hpp"
#include "src/plan/model/plan_inputs.hpp"
#include "src/plan/model/plan_notes.hpp"
#include "src/plan/padding/padded_box.hpp"
#include "src/plan/padding/padded_rows.hpp"
#include "src/plan/refinement/padding.hpp"
#include "src/plan/staging/staged_nest.hpp"

namespace relayout::plan {
namespace {

/// Destinations of so many times the source's bytes are written in the order of their padding. 43 random
/// pairs on a Zen 4 with 32-byte vectors: 1.06 times as fast, f32[4,3,22,69][1,2,3,0] into
/// {1,2,0,3:T(8,128)} 1.6 times; 30 of 3 to 7 times the bytes 0.94 times. On a Zen 5 so with 64-byte vectors,
/// too: 44 pairs 0.82 and 0.84 of memcpy (that one 0.45 and 0.77), 11 faster by a twentieth, six slower.
constexpr std::int64_t kMostlyPadding = 8;
constexpr const char* kInOrderOfPadding =
    "in the destination's order, which is that of the padding around its data";

/// Makes the plan in order: boxes, a nest for each, the padding's nests, rounds.
class Planner {
 public:
  /// \param walk of all nests, unless `options` asks for one
  Planner(const Problem& problem, const LoopNest& nest, const Target& target, const PlanOptions& options,
          std::optional<LoopWalk> walk = {})
      : problem_(problem),
        target_(target),
        options_(options),
        walk_(walk),
        inputs_{pair_sizes(problem, nest, options.packed, target), target, options},
        notes_(options.reasons) {
    const StreamingStores wanted = options.wanted_streaming();
    inputs_.sizes.wants_whole_lines = wanted == StreamingStores::kAlways ||
                                      (wanted == StreamingStores::kAuto && inputs_.nearly_fill_last_cache());
    plan_.isa = target.isa;
    plan_.element_bytes = problem.element_bytes;
    plan_.source_bytes = inputs_.sizes.source_bytes;
    plan_.destination_bytes = inputs_.sizes.destination_bytes;
  }

  const PlanInputs& inputs() const { return inputs_; }

  Result<Plan> run(const LoopNest& nest) {
    const bool empty =
        std::find(problem_.extents.begin(), problem_.extents.end(), 0) != problem_.extents.end();
    BoxList list;
    if (!empty) {
      auto boxes = boxes_of(nest);
      if (!boxes) return boxes.error();  // before padding is looked for, which may take long
      list = std::move(*boxes);
    }
    if (auto status = find_padding(); !status) return status.error();
    const bool interleaved = list.interleaved;
    if (!empty) {
      if (auto status = plan_domain(nest, list); !status) return status.error();
      if (interleaved) plan_.rounds = rounds_of_interleaved(plan_.nests, inputs_, notes_);
    }
    if (auto status = plan_padding(); !status) return status.error();
    if (!interleaved) take_turns();
    plan_.notes = notes_.take();
    return std::move(plan_);
  }

 private:
  /// With runs whose end is trimmed whole, if all boxes have kernels for them.
  Result<BoxList> boxes_of(const LoopNest& nest) const {
    const bool trims = allows_networks(options_.kernel) && !options_.packed.is_packed();
    auto list = make_boxes(nest, problem_.element_bytes, {.trims_runs = trims});
    if (!list || !list->trimmed || have_kernels_that_trim(*list, inputs_.sizes, target_)) return list;
    return make_boxes(nest, problem_.element_bytes);
  }

  /// Where a guard trims rows to write, and the largest box, which is planned already, would go through the
  /// caches, blocks that take such rows whole replace all nests. Nothing changes if one of their boxes can't
  /// be moved so. What streams its boxes as they are is faster (12 pairs 1.00 of memcpy, staged 0.76; Emerald
  /// Rapids).
  /// \param notes how many there were before that box
  bool stages_trimmed_rows(const LoopNest& nest, std::size_t notes) {
    if (options_.packed.is_packed() || inputs_.sizes.filled_bytes > 0 ||
        plan_.nests.front().store != StorePolicy::kTemporal || !may_stage_trimmed_rows(inputs_))
      return false;
    const auto list = make_boxes(nest, problem_.element_bytes, {.trims_rows = true});
    if (!list || !list->trimmed) return false;
    std::vector<Nest> nests;
    for (const Box& box : list->boxes) {
      PlanNotes attempts(notes_.wanted());
      auto staged = staged_trimmed_nest(box, inputs_, attempts);
      if (!staged) return false;
      nests.push_back(std::move(*staged));
    }
    plan_.nests.clear();
    notes_.cut_back_to(notes);
    for (const std::string& text : list->notes) notes_.add("boxes", [&] { return text; });
    for (Nest& staged : nests) {
      const std::string name = "box " + std::to_string(plan_.nests.size());
      notes_.add(name, [&] {
        return "rows whose end does not exist are put together whole in a scratch by " + staged.reason +
               ", and their whole lines streamed";
      });
      choose_masks(staged, name, inputs_, notes_);
      add(std::move(staged));
    }
    return true;
  }

  Status plan_domain(const LoopNest& nest, BoxList& list) {
    for (const std::string& text : nest.notes) notes_.add("refinement", [&] { return text; });
    const std::size_t notes = notes_.count();
    for (const std::string& text : list.notes) notes_.add("boxes", [&] { return text; });
    for (Box& box : list.boxes) {
      if (options_.packed.is_packed()) {
        auto packed = pack_box(box, options_.packed);
        if (!packed) return packed.error();
        box = std::move(*packed);
      }
      const Neighbours neighbours = list.boxes.size() == 1 ? Neighbours::kNone : Neighbours::kBoxes;
      if (auto status = plan_with_elements(box, neighbours); !status) return status;
      if (&box == &list.boxes.front() && stages_trimmed_rows(nest, notes)) return {};
    }
    return {};
  }

  /// What else is written beside a box.
  enum class Neighbours : std::uint8_t {
    kNone,
    kBoxes,
    kRestOfRows,  ///< to the same rows, of which the box is a part
  };

  /// What a box is planned with.
  struct Surroundings {
    const PlanInputs& inputs;            ///< with the width of its elements
    std::vector<PaddingPiece>& padding;  ///< that may be moved along
    Neighbours neighbours = Neighbours::kNone;
  };

  /// A nest, and the padding that it moves along with its box.
  struct BoxNest {
    Nest nest;
    std::optional<PaddedBox> padded;
  };

  Result<BoxNest> nest_of(const Box& box, const std::string& name, const Surroundings& around,
                          PlanNotes& notes) const {
    const PlanInputs& inputs = around.inputs;
    auto kernel = choose_box_kernel(box, around.padding, plan_.nests.empty(), name, inputs, notes);
    if (!kernel) return kernel.error();
    const Box& moved = kernel->moved(box);
    const ChosenFor chosen_for = chosen_for_of(kernel->candidate);
    Nest nest = ordered_nest(moved, std::move(kernel->candidate), name, around, notes);
    nest.reason = std::move(kernel->reason);
    nest.chosen_for = chosen_for;
    choose_store_policy(nest, name, inputs, notes);
    return BoxNest{std::move(nest), std::move(kernel->padded)};
  }

  /// In the order that suits the nest best, or in one that is preferred to it and fetches hardly more lines.
  Nest ordered_nest(const Box& box, KernelCandidate candidate, const std::string& name,
                    const Surroundings& around, PlanNotes& notes) const {
    const PairSizes& sizes = around.inputs.sizes;
    const std::optional<LoopWalk> walk = loop_walk(name, notes);
    const bool follows_padding = target_.follows_padding_if_near && is_mostly_padding();
    const bool is_alone = around.neighbours == Neighbours::kNone;
    const bool prefers_other = follows_padding || (target_.follows_larger_side && is_alone);
    if (walk || candidate.walk || !prefers_other || sizes.residence != Residence::kLastCache)
      return make_nest(box, std::move(candidate), sizes, target_, walk);
    Nest nest = make_nest(box, candidate, sizes, target_);
    if (nest.loops.size() < 2) return nest;
    const auto order = follows_padding ? LoopWalk::kDestination : order_of_larger_side(nest, target_);
    if (!order) return nest;
    Nest other = make_nest(box, std::move(candidate), sizes, target_, order);
    if (other.loops == nest.loops || !fetches_hardly_more(other, nest, target_)) return nest;
    notes.add(name, [&] {
      return follows_padding ? kInOrderOfPadding
                             : "in the order of the side with most lines, since the second cache "
                               "holds the other's";
    });
    return other;
  }

  /// A box whose rows end within a line is cut there if it is streamed then, and would not be otherwise.
  /// Copies stream the lines that their runs fill without. No choice but that of stores has a say, so that
  /// boxes are the same whatever else is chosen for them.
  std::optional<CutBox> cut_to_stream(const Box& box, const Surroundings& around,
                                      const std::string& name) const {
    const PairSizes& sizes = around.inputs.sizes;
    if (!sizes.wants_whole_lines && !around.inputs.is_past_last_cache()) return std::nullopt;
    auto cut = cut_at_last_line(box, sizes.element_bytes);
    if (!cut) return std::nullopt;
    PlanOptions options = options_;
    options.streaming = options_.wanted_streaming();
    options.choice = nullptr;
    options.kernels = nullptr;
    const PlanInputs inputs{sizes, target_, options};
    PlanNotes silent(false);
    const Surroundings unchosen{inputs, around.padding, around.neighbours};
    const auto whole = nest_of(box, name, unchosen, silent);
    if (!whole || whole->nest.store == StorePolicy::kStreaming ||
        std::holds_alternative<CopyKernel>(whole->nest.kernel))
      return std::nullopt;
    if (suits_whole_padded_rows(box, sizes.element_bytes) &&
        staged_with_padding(whole->nest, box, unchosen, silent))
      return std::nullopt;
    const auto lines = nest_of(cut->whole, name, unchosen, silent);
    if (!lines || lines->nest.store != StorePolicy::kStreaming) return std::nullopt;
    return cut;
  }

  Status plan_parts(const CutBox& cut, const Surroundings& around) {
    const Surroundings beside{around.inputs, around.padding, Neighbours::kRestOfRows};
    if (auto status = plan_box(cut.whole, beside); !status) return status;
    return plan_box(cut.rest, beside);
  }

  /// Whether padding may be moved along with a box.
  bool has_padding_behind(const Box& box) const {
    const auto behind = [&](PaddedBy by) {
      return padded_box(box, padding_, problem_.element_bytes, target_.splits_padding, by).has_value();
    };
    return behind(PaddedBy::kNetworks) || behind(PaddedBy::kTilesOfAnyExtent) ||
           padded_rows(box, padding_, problem_.element_bytes, target_.splits_padding);
  }

  /// Past the last cache narrow elements may gain by it where others do not.
  bool may_widen() const {
    if (options_.packed.is_packed()) return false;
    return target_.widens_elements ||
           (inputs_.is_past_last_cache() && problem_.element_bytes <= target_.widest_far_widened_bytes);
  }

  /// In wider elements than the pair's, where a box has such, and the padding that may go with it as well.
  Status plan_with_elements(const Box& box, Neighbours neighbours) {
    const auto wide = may_widen() ? with_wide_elements(box, problem_.element_bytes) : std::nullopt;
    const std::int64_t group = wide ? wide->element_bytes / problem_.element_bytes : 1;
    auto groups = wide ? in_groups(padding_, group) : std::nullopt;
    if (!wide || (!groups && has_padding_behind(box))) return plan_box(box, {inputs_, padding_, neighbours});
    notes_.add("box " + std::to_string(plan_.nests.size()), [&] {
      return "elements of " + std::to_string(wide->element_bytes) +
             " bytes: so many follow one another on both sides";
    });
    PlanInputs inputs = inputs_;
    inputs.sizes.element_bytes = wide->element_bytes;
    std::vector<PaddingPiece> padding = groups ? std::move(*groups) : std::vector<PaddingPiece>();
    const Status status = plan_box(wide->box, {inputs, padding, neighbours});
    if (groups) padding_ = in_elements(std::move(padding), group);
    return status;
  }

  Status plan_box(const Box& box, const Surroundings& around) {
    const auto& [inputs, padding, neighbours] = around;
    const std::string name = "box " + std::to_string(plan_.nests.size());
    if (const auto cut = cut_to_stream(box, around, name)) {
      notes_.add(name,
                 [] { return "cut at the last line of its rows, so that those before it are streamed"; });
      return plan_parts(*cut, around);
    }
    const bool is_part = neighbours == Neighbours::kRestOfRows;
    if (const auto cut = is_part ? std::nullopt : cut_last_tile(box, padding, inputs)) {
      notes_.add(name, [] { return "cut where its last tile would move again what the one before it has"; });
      return plan_parts(*cut, around);
    }
    if (const auto cut = is_part ? std::nullopt : cut_padded_end(box, padding, inputs)) {
      notes_.add(name,
                 [] { return "cut at the last line of its rows, which the padding behind them shares"; });
      return plan_parts(*cut, around);
    }
    auto made = nest_of(box, name, around, notes_);
    if (!made) return made.error();
    Nest nest = std::move(made->nest);
    std::optional<Nest> staged;
    if (auto rows = made->padded ? staged_instead_of(*made->padded, box, around, name)
                                 : staged_with_padding(nest, box, around, notes_)) {
      remove_covered(rows->rows, padding);
      staged = std::move(rows->nest);
      made->padded.reset();
    } else if (made->padded) {
      remove_covered(*made->padded, padding);
    }
    const PaddedBox* const padded = made->padded ? &*made->padded : nullptr;
    const Box& moved = padded != nullptr ? padded->box : box;
    const bool fetched_first = nest.block_fetch && !nest.block_fetch->unless_staged;
    if (!staged && has_its_lines(box, box, around) && !fetched_first)
      staged = staged_nest(nest, moved, padded, inputs, notes_);
    if (staged) {
      nest = std::move(*staged);
      notes_.add(name, [&] {
        return "whole lines of longer runs are streamed, which are put together in a scratch by " +
               nest.reason;
      });
    } else {
      choose_prefetch(nest, name, inputs, notes_);
    }
    choose_masks(nest, name, inputs, notes_);
    add(std::move(nest));
    return {};
  }

  /// Whether no other nest writes to the lines of a box, or only to few of them.
  /// \param written the box, or all that is written with it
  bool has_its_lines(const Box& box, const Box& written, const Surroundings& around) const {
    if (around.neighbours == Neighbours::kNone) return true;
    if (around.neighbours == Neighbours::kBoxes && target_.stages_more_blocks &&
        (destination_rows_fill_lines(box) || destination_rows_fill_lines(written)))
      return true;
    return plan_.nests.empty() && keeps_to_its_lines(box, around.inputs.sizes.element_bytes, target_);
  }

  /// A staged nest, and the padding that it writes with its box.
  struct PaddedNest {
    Nest nest;
    PaddedRows rows;
  };

  /// Rows of a box with the padding behind them, if they may be staged so and no other box writes to the
  /// lines of both.
  std::optional<PaddedRows> rows_to_stage(const Box& box, const Surroundings& around) const {
    if (!target_.stages_padded_rows || around.padding.empty() || options_.packed.is_packed())
      return std::nullopt;
    auto rows = padded_rows(box, around.padding, around.inputs.sizes.element_bytes, target_.splits_padding);
    return rows && has_its_lines(box, rows->box, around) ? std::move(rows) : std::nullopt;
  }

  /// \param plain moves the box alone
  static std::optional<PaddedNest> staged_rows(const Nest& plain, std::optional<PaddedRows> rows,
                                               const PlanInputs& inputs, PlanNotes& notes) {
    auto nest = rows ? staged_padded_nest(plain, *rows, inputs, notes) : std::nullopt;
    if (!nest) return std::nullopt;
    return PaddedNest{std::move(*nest), std::move(*rows)};
  }

  /// What `plain` would move, with the padding behind its rows.
  std::optional<PaddedNest> staged_with_padding(const Nest& plain, const Box& box, const Surroundings& around,
                                                PlanNotes& notes) const {
    return staged_rows(plain, rows_to_stage(box, around), around.inputs, notes);
  }

  /// Rows with all of their padding, where a tile would take little of it along, line by line, and another
  /// nest would fill the rest (Target::least_places_left_to_stage).
  std::optional<PaddedNest> staged_instead_of(const PaddedBox& padded, const Box& box,
                                              const Surroundings& around, const std::string& name) {
    const PlanInputs& inputs = around.inputs;
    const double least = target_.least_places_left_to_stage;
    if (least == 0 || !may_be_staged(inputs)) return std::nullopt;
    auto rows = rows_to_stage(box, around);
    if (!rows || rows->places_per_element() < least * padded.places_per_element()) return std::nullopt;
    PlanOptions options = inputs.options;
    options.kernels = nullptr;  // they are listed already
    PlanNotes silent(false);
    const PlanInputs unlisted{inputs.sizes, target_, options};
    std::vector<PaddingPiece> none;
    const auto alone = nest_of(box, name, {unlisted, none, around.neighbours}, silent);
    auto staged = alone ? staged_rows(alone->nest, std::move(rows), inputs, notes_) : std::nullopt;
    if (staged)
      notes_.add(name, [] { return "not by the tile that takes little of the padding along, but with all"; });
    return staged;
  }

  /// Whether rows whose whole lines could be streamed are better staged whole, with their padding: of narrow
  /// elements, and of those of 4 bytes that tiles interleave (Target::stages_padded_rows).
  static bool suits_whole_padded_rows(const Box& box, std::int64_t element_bytes) {
    if (element_bytes <= 2) return true;
    const auto contiguous = std::ranges::find(box.axes, element_bytes, &Axis::destination_stride);
    const bool fills_line = contiguous != box.axes.end() && contiguous->extent * element_bytes >= kLineBytes;
    return element_bytes == 4 && !fills_line;
  }

  static bool is_padding(const Nest& nest) { return std::holds_alternative<FillKernel>(nest.kernel); }

  void take_turns() {
    const bool wanted = walk_ == LoopWalk::kTurns;
    const std::int64_t places = wanted ? take_turns_in_places(plan_.nests, inputs_) : 1;
    plan_.rounds = rounds_of_shared_lines(plan_.nests, inputs_, notes_, places);
    if (plan_.rounds == 1)
      take_turns_of_padding();
    else if (padding_goes_first(inputs_))
      put_padding_first();
  }

  void take_turns_of_padding() {
    const auto first = std::ranges::find_if(plan_.nests, is_padding);
    std::vector<Nest> padding(first, plan_.nests.end());
    plan_.rounds = rounds_of_padding(padding, inputs_, notes_);
    if (plan_.rounds == 1) return;
    plan_.first_in_rounds = static_cast<std::size_t>(first - plan_.nests.begin());
    std::ranges::move(padding, first);
  }

  void put_padding_first() {
    std::stable_partition(plan_.nests.begin(), plan_.nests.end(), is_padding);
    notes_.add("rounds", [] { return "padding goes first, so that data find its lines in the cache"; });
  }

  void add(Nest nest) {
    if (inputs_.is_past_second_cache())
      nest.widest_copy_bytes = nest.staging ? target_.widest_staged_copy_bytes : target_.widest_copy_bytes;
    if (auto* permute = std::get_if<PermuteKernel>(&nest.kernel))
      permute->network.stores_by_address = target_.stores_by_address;
    if (auto* shuffle = std::get_if<ShuffleKernel>(&nest.kernel))
      shuffle->stores_halves = stores_halves(*shuffle);
    plan_.nests.push_back(std::move(nest));
  }

  /// Few shuffles leave the ports free that a half's extraction takes.
  bool stores_halves(const ShuffleKernel& shuffle) const {
    constexpr std::size_t kMostTermsOfPiece = 3;
    return target_.stores_halves_of_shuffles && inputs_.is_past_second_cache() &&
           !inputs_.is_past_last_cache() && shuffle.piece_bytes == 64 &&
           term_count(shuffle) <= kMostTermsOfPiece * shuffle.destinations.size();
  }

  /// Data are walked in the order of the padding that they lie in where that is most of what is written.
  /// Nothing: as make_nest finds best.
  std::optional<LoopWalk> loop_walk(const std::string& name, PlanNotes& notes) const {
    const std::optional<LoopWalk> wanted = options_.wanted_loops();
    if (!wanted && walk_) {
      notes.add(name, [] { return "in the destination's order, so that nests can take turns"; });
      return walk_;
    }
    if (wanted || !target_.follows_padding || !is_mostly_padding()) return wanted;
    if (!inputs_.is_past_second_cache()) return wanted;
    notes.add(name, [] { return kInOrderOfPadding; });
    return LoopWalk::kDestination;
  }

  bool is_mostly_padding() const {
    return !options_.fill.empty() && plan_.destination_bytes >= kMostlyPadding * plan_.source_bytes;
  }

  Status find_padding() {
    if (options_.fill.empty()) return {};
    auto pieces = padding_pieces(problem_);
    if (pieces) pieces = pack_padding(std::move(*pieces), options_.packed.destination_bits);
    if (!pieces) return pieces.error();
    padding_ = std::move(*pieces);
    for (const PaddingPiece& piece : padding_)
      inputs_.sizes.filled_bytes += piece.volume() * problem_.element_bytes;
    return {};
  }

  Status plan_padding() {
    auto nests = padding_nests(padding_, options_.fill);
    if (!nests) return nests.error();
    if (!nests->empty())
      notes_.add("padding", [&] { return std::to_string(padding_.size()) + " pieces are filled"; });
    for (Nest& nest : *nests) {
      choose_store_policy(nest, "padding", inputs_, notes_);
      choose_prefetch(nest, "padding", inputs_, notes_);
      choose_masks(nest, "padding", inputs_, notes_);
      add(std::move(nest));
    }
    return {};
  }

  const Problem& problem_;
  const Target& target_;
  const PlanOptions& options_;
  std::optional<LoopWalk> walk_;
  PlanInputs inputs_;
  PlanNotes notes_;
  Plan plan_;
  std::vector<PaddingPiece> padding_;  ///< of the destination, that no nest fills yet
};

/// Networks of bytes have tiles there that suit a nearly full cache, streamed or not
/// (long_tiles_of_bytes.cpp): 17 transposes 0.45 with them, 0.38 without.
bool moves_bytes(const Nest& nest) {
  const auto* permute = std::get_if<PermuteKernel>(&nest.kernel);
  return permute != nullptr && permute->network.element_bytes == 1;
}

/// Whether a plan made for rows that are streamed early streams none, on a processor that leaves those of few
/// places to the caches.
bool stays_in_last_cache(const Plan& plan, const PlanInputs& inputs) {
  return inputs.target.most_rows_before_blocks_are_staged > 0 && inputs.nearly_fill_last_cache() &&
         !inputs.leave_last_cache_early() && !inputs.options.are_stores_forced() &&
         std::ranges::all_of(plan.nests, [](const Nest& nest) {
           return nest.store == StorePolicy::kTemporal && !moves_bytes(nest);
         });
}

}  // namespace

Result<Plan> make_plan(const Problem& problem, const LoopNest& nest, const Target& target,
                       const PlanOptions& options) {
  Planner planner(problem, nest, target, options);
  auto plan = planner.run(nest);
  if (plan && stays_in_last_cache(*plan, planner.inputs())) {
    // Tiles of whole lines, and scratches for them, are for what is streamed: made anew without, 111 of 2700
    // pairs of 14 to 18 MiB ran at 0.64 of memcpy before and at 0.69, 61 faster and 18 slower (Zen 4).
    Target held = target;
    held.streamed_rows_from_bytes = target.staged_from_bytes;
    if (options.kernels != nullptr) options.kernels->clear();
    return make_plan(problem, nest, held, options);
  }
  if (!plan || options.wanted_loops() || !may_turns_pay(planner.inputs())) return plan;
  PlanOptions again = options;
  again.kernels = nullptr;  // they are listed already
  auto turns = Planner(problem, nest, target, again, LoopWalk::kTurns).run(nest);
  return turns && pays_for_turns(*turns, *plan, target) ? turns : plan;
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
