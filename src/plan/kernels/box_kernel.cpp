#include "src/plan/kernels/box_kernel.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "src/plan/kernels/complete_network.hpp"
#include "src/plan/kernels/shuffle_candidates.hpp"
#include "src/plan/machine/kernel_cycles.hpp"

namespace relayout::plan {
namespace {

/// A forced permutation that fits the largest box but not a tail too small for a vector leaves that tail to
/// the cost model.
KernelFamily family_for_tail(const Box& box, const PlanInputs& inputs) {
  const KernelFamily forced = inputs.options.kernel;
  if (forced != KernelFamily::kPermute) return forced;
  const bool fits = !kernel_candidates(box, inputs.sizes, inputs.target, forced).empty();
  return fits ? forced : KernelFamily::kAutomatic;
}

void list_names(const std::vector<KernelCandidate>& candidates, std::vector<std::string>& names) {
  for (const KernelCandidate& candidate : candidates) names.push_back(kernel_name(candidate));
}

/// The kernel that was asked for by name: of the largest box, and of the others where they have it.
std::string wanted_kernel(const std::vector<KernelCandidate>& candidates, bool largest,
                          const PlanOptions& options) {
  if (options.choice == nullptr || options.choice->kernel.empty()) return {};
  const std::string& wanted = options.choice->kernel;
  const bool fits = std::ranges::any_of(
      candidates, [&](const KernelCandidate& candidate) { return kernel_name(candidate) == wanted; });
  return largest || fits ? wanted : std::string();
}

/// A box, alone, with the padding behind its runs and with the gaps of its source, and the candidates for
/// each.
struct BoxChoice {
  const Box& alone;
  std::optional<PaddedBox> padded;
  std::optional<GappedBox> gapped;
  std::vector<KernelCandidate> candidates;

  MovedBox moved_by(const KernelCandidate& candidate) const {
    if (candidate.padded) return {padded->box, &*padded};
    if (candidate.gapped) return {gapped->box, nullptr, &*gapped};
    return {alone};
  }
};

/// Of the cycles of the box's own kernel and of filling its padding, what a table shuffle of both may take:
/// with a factor of 1, 67 of 156 pairs of XLA's tiles lose a twentieth at AVX2, with 0.8 five (Granite
/// Rapids).
constexpr double kWorthwhileShuffle = 0.7;

/// A table shuffle that moves the box with its padding, where that takes less than the box's own kernel and
/// filling the padding afterwards. No network but that of a rounded tile can, where both are no power of two
/// of elements or where groups of data lie beside the padding of the source, and few can well where they copy
/// a few bytes a group. Of 4900 pairs of XLA's tiles 195 change, 1.28 times as fast, 90 faster by a twentieth
/// and 13 slower (s8[3,40000] out of (8,128)(4,1) tiles into (4,128)(4,1) 0.18 and 1.56, back 0.15 and 0.79),
/// at AVX2 125, 1.47 times, 69 and three; of 5600 random pairs 68, 1.11 times, 25 and eight
/// (bf16[31,9,3,8,23] into T(8) 0.56 and 1.06), at AVX2 73, 1.02 times, 17 and 13 (Granite Rapids).
std::optional<KernelCandidate> worthwhile_shuffle(const PaddedBox& padded, const KernelCandidate& alone,
                                                  const PlanInputs& inputs) {
  // Past the last cache longer runs may be staged with their padding instead.
  constexpr std::int64_t kShortestStagedBytes = 16;
  const std::int64_t data_bytes = padded.extent * inputs.sizes.element_bytes;
  if (inputs.is_past_last_cache() && data_bytes >= kShortestStagedBytes) return std::nullopt;
  const double fill = (kCall + kStore) / static_cast<double>(data_bytes);
  return padded_shuffle(padded, inputs.sizes, inputs.target,
                        kWorthwhileShuffle * (alone.cycles_per_byte + fill));
}

/// Whether the runs are a few bytes with gaps between them at the source, too: one load of a shuffle takes
/// several of them, a network inserts each by twos.
bool copies_groups_between_gaps(const PaddedBox& padded, std::int64_t element_bytes) {
  constexpr std::int64_t kMostApart = 16;
  const std::int64_t data_bytes = padded.extent * element_bytes;
  std::int64_t apart = kMostApart + 1;
  for (const Axis& axis : padded.box.axes)
    if (std::abs(axis.source_stride) >= data_bytes) apart = std::min(apart, std::abs(axis.source_stride));
  return padded.copies_rows() && apart > data_bytes && apart <= kMostApart;
}

/// The candidates for the box with its padding, best first: a rounded tile goes before the box's own kernel
/// whatever its price, since those that are predicted to take longer than that and filling the padding are
/// faster as well (of 1000 pairs with such padding 19 would run 0.81 times as fast otherwise, none faster),
/// but behind a worthwhile shuffle.
std::vector<KernelCandidate> candidates_with_padding(const PaddedBox& padded,
                                                     const std::vector<KernelCandidate>& alone,
                                                     const PlanInputs& inputs) {
  auto candidates = padded_candidates(padded, inputs.sizes, inputs.target);
  const bool shuffles =
      padded.of_any_extent || copies_groups_between_gaps(padded, inputs.sizes.element_bytes);
  if (alone.empty() || !shuffles) return candidates;
  if (padded.of_any_extent)
    if (auto rounded = rounded_padded_candidate(padded, inputs.sizes, inputs.target))
      candidates.push_back(std::move(*rounded));
  if (auto shuffle = worthwhile_shuffle(padded, alone.front(), inputs))
    candidates.insert(candidates.begin(), std::move(*shuffle));
  return candidates;
}

/// Adds those for the box with the gaps of its source that are cheaper than the best one for it alone.
void add_gapped(BoxChoice& choice, const PlanInputs& inputs) {
  const double least = choice.candidates.empty() ? std::numeric_limits<double>::infinity()
                                                 : choice.candidates.front().cycles_per_byte;
  auto cheaper = gapped_candidates(*choice.gapped, inputs.sizes, inputs.target);
  std::erase_if(cheaper,
                [&](const KernelCandidate& candidate) { return candidate.cycles_per_byte >= least; });
  std::ranges::move(choice.candidates, std::back_inserter(cheaper));
  choice.candidates = std::move(cheaper);
}

BoxChoice box_choice(const Box& box, const std::vector<PaddingPiece>& padding, bool largest,
                     KernelFamily family, const PlanInputs& inputs) {
  BoxChoice choice{box,
                   box_with_zeros(box, padding, family, inputs),
                   {},
                   kernel_candidates(box, inputs.sizes, inputs.target, family)};
  if (!choice.padded)
    choice.padded = box_with_zeros(box, padding, family, inputs, PaddedBy::kTilesOfAnyExtent);
  std::vector<KernelCandidate> candidates;
  if (choice.padded) candidates = candidates_with_padding(*choice.padded, choice.candidates, inputs);
  const bool streams = largest && inputs.sizes.wants_whole_lines;
  if (!streams) choice.gapped = box_with_gaps(box, family, inputs);
  if (choice.gapped) add_gapped(choice, inputs);
  std::ranges::move(choice.candidates, std::back_inserter(candidates));
  choice.candidates = std::move(candidates);
  return choice;
}

/// The first that is wanted and whose network can be made, which it gets; null if there is none.
KernelCandidate* first_complete(BoxChoice& choice, const std::string& wanted, const PlanInputs& inputs,
                                PlanNotes& notes) {
  for (KernelCandidate& candidate : choice.candidates) {
    if (!wanted.empty() && kernel_name(candidate) != wanted) continue;
    const MovedBox moved = choice.moved_by(candidate);
    const LineStores line_stores = line_stores_for(moved.box, candidate, inputs);
    if (complete_network(moved, candidate, line_stores, inputs, notes)) return &candidate;
  }
  return nullptr;
}

Error no_kernel(const std::string& wanted, KernelFamily forced,
                const std::vector<KernelCandidate>& candidates) {
  if (!wanted.empty()) {
    std::string message = "no kernel '" + wanted + "' fits this pair";
    const char* separator = ": it has ";
    for (const KernelCandidate& candidate : candidates) {
      message += separator + kernel_name(candidate);
      separator = ", ";
    }
    return {ErrorCode::kUnsupported, message};
  }
  return {ErrorCode::kUnsupported,
          "kernel '" + std::string(to_string(forced)) + "' does not fit this pair: no tile fills a vector"};
}

}  // namespace

std::optional<PaddedBox> box_with_zeros(const Box& box, const std::vector<PaddingPiece>& padding,
                                        KernelFamily family, const PlanInputs& inputs, PaddedBy by) {
  const PlanOptions& options = inputs.options;
  const auto is_zero = [](std::uint8_t byte) { return byte == 0; };
  if (padding.empty() || !allows_networks(family) || options.packed.is_packed()) return std::nullopt;
  if (!std::ranges::all_of(options.fill, is_zero)) return std::nullopt;
  return padded_box(box, padding, inputs.sizes.element_bytes, inputs.target.splits_padding, by);
}

std::optional<GappedBox> box_with_gaps(const Box& box, KernelFamily family, const PlanInputs& inputs) {
  if (!inputs.target.reads_gaps || !allows_networks(family) || inputs.options.packed.is_packed())
    return std::nullopt;
  if (inputs.is_past_last_cache()) return std::nullopt;
  return gapped_box(box, inputs.sizes.element_bytes, inputs.sizes.source_bytes);
}

std::optional<KernelCandidate> best_kernel(const Box& box, const PlanInputs& inputs) {
  auto candidates = kernel_candidates(box, inputs.sizes, inputs.target, inputs.options.kernel);
  if (candidates.empty()) return std::nullopt;
  return std::move(candidates.front());
}

Result<BoxKernel> choose_box_kernel(const Box& box, const std::vector<PaddingPiece>& padding, bool largest,
                                    const std::string& name, const PlanInputs& inputs, PlanNotes& notes) {
  const KernelFamily family = largest ? inputs.options.kernel : family_for_tail(box, inputs);
  BoxChoice choice = box_choice(box, padding, largest, family, inputs);
  if (largest && inputs.options.kernels != nullptr) list_names(choice.candidates, *inputs.options.kernels);
  const std::string wanted = wanted_kernel(choice.candidates, largest, inputs.options);
  KernelCandidate* const chosen = first_complete(choice, wanted, inputs, notes);
  if (chosen == nullptr) return no_kernel(wanted, family, choice.candidates);
  const auto text = [&](const KernelCandidate& candidate) {
    return description_of(choice.moved_by(candidate).box, candidate);
  };
  BoxKernel result;
  if (notes.wanted()) result.reason = text(*chosen);
  notes.add(name, [&] { return "chosen: " + result.reason; });
  for (const KernelCandidate& other : choice.candidates) {
    if (&other != chosen) notes.add(name, [&] { return "rejected: " + text(other); });
  }
  if (chosen->padded) result.padded = std::move(choice.padded);
  if (chosen->gapped) result.gapped = std::move(choice.gapped);
  result.candidate = std::move(*chosen);
  return result;
}

}  // namespace relayout::plan
