#include "src/plan/kernels/kernel_choice.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <variant>

#include "src/plan/kernels/fewer_rows.hpp"
#include "src/plan/kernels/long_rounded_tile.hpp"
#include "src/plan/kernels/plain_candidates.hpp"
#include "src/plan/kernels/rounded_cost.hpp"
#include "src/plan/kernels/shuffle.hpp"
#include "src/plan/kernels/shuffle_candidates.hpp"
#include "src/plan/kernels/tile_candidates.hpp"
#include "src/plan/kernels/tile_cycles.hpp"
#include "src/plan/machine/kernel_cycles.hpp"
#include "src/plan/machine/line.hpp"
#include "src/plan/tiles/row_sets.hpp"

namespace relayout::plan {
namespace {

/// What rounded tiles of 64-byte vectors take on a Cascade Lake, where stores have one port and shuffles one,
/// of the cycles predicted if they write runs of less than a vector: f32 [5,1024] transposed ran at 0.43 of
/// memcpy so, at 0.83 by table shuffles, [7,1024] at 0.40 and 0.55; 29 such pairs at 0.39 by what was
/// predicted, at 0.43 by twice as much.
constexpr double kShortRunsOfOnePort = 2;
/// Rows that a padded tile may read where they share cache sets: f64[387,16,28]{1,0,2:T(8,128)} to
/// {2,1,0:T(8,128)}, 28 rows 392 KiB apart, ran at 1.0 of memcpy so, at 1.7 by tiles of 8 rows (Zen 4).
constexpr std::int64_t kMostRowsOfSharedSets = 16;
/// Of tiles of rows that are copied with zeros behind them. 12 pairs ran at 0.42 of memcpy by a copy and a
/// fill, at 0.79 so, with 64 and 512 bytes at 0.79 and 0.80 (AVX2, Zen 4).
constexpr std::int64_t kPaddedRowsBytes = 256;
/// Of tiles that read gaps along, each of whose vectors has code of its own.
constexpr std::int64_t kMostGappedBytes = 2048;
/// The same where they read whole lines, instead of parts, of more rows than the sets of the first cache that
/// these share have room for: u8[256,505,5] out of (32,128)(4,1) tiles 0.42 of memcpy in parts of lines, 0.79
/// in whole ones, u8[13,100,64,4,7] out of T(8) 0.12 and 0.35 (Zen 4).
constexpr std::int64_t kMostGappedBytesOfLines = 4096;
/// Of such tiles, where those of lines are larger.
constexpr TileRunLimits kShortGappedRuns{16, 64};
constexpr std::size_t kUsualCandidates = 6;

/// Whether a kernel streams the destination past the caches, which rounded tiles, whose stores overlap, can
/// not. f32 1920x1080 RGB to planes and back: 0.59 and 0.69 of memcpy with rounded tiles, 0.90 and 0.81
/// streamed (Zen 4). Tiles of shorter rows than a line stream nothing either: 35 of 2316 random pairs past
/// the last cache 0.50 and 0.66 rounded instead, 22 faster and three slower (bf16[5,64,202147] reversed 0.18
/// and 0.42), 49 at AVX2 0.46 and 0.58 (Emerald Rapids).
bool streams(const Box& box, const PairSizes& sizes, const KernelCandidate& candidate) {
  if (sizes.residence != Residence::kMemory) return false;
  if (const auto* shuffle = std::get_if<ShuffleKernel>(&candidate.kernel))
    return writes_whole_lines(*shuffle, kLineBytes) && destination_rows_fill_lines(box);
  if (candidate.is_preferred) return true;
  return destination_rows_fill_lines(box) && candidate.destination_run_bytes >= kLineBytes;
}

KernelCandidate rounded_candidate(const Box& box, RoundedChoice choice, std::int64_t element_bytes,
                                  const Target& target) {
  KernelCandidate candidate;
  candidate.set_tile(choice.rounded.tile);
  candidate.kernel = PermuteKernel{};
  const RoundedTile& rounded = choice.rounded;
  const bool short_runs = rounded.in_vectors(rounded.tile.destination_run_bytes) < target.vector_bytes;
  const bool one_port = target.is_short_of_shuffles() && target.vector_bytes == 64;
  candidate.cycles_per_byte = choice.cycles_per_byte * (one_port && short_runs ? kShortRunsOfOnePort : 1) *
                              scattering_factor(box, choice.rounded.tile, element_bytes, target);
  candidate.rounded = std::move(choice.rounded);
  return candidate;
}

/// The same of a padded box, whose axis the tile takes whole.
KernelCandidate rounded_candidate(const PaddedBox& padded, RoundedChoice choice, std::int64_t element_bytes,
                                  const Target& target) {
  choice.rounded.data_extent = padded.extent;
  return rounded_candidate(padded.box, std::move(choice), element_bytes, target);
}

void sort_by_cycles(std::vector<KernelCandidate>& candidates) {
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const KernelCandidate& a, const KernelCandidate& b) {
                     if (a.cycles_per_byte != b.cycles_per_byte) return a.cycles_per_byte < b.cycles_per_byte;
                     return a.is_preferred && !b.is_preferred;
                   });
}

/// Of tiles that are as cheap the first one's, which has whole lines, not the preferred one's.
std::optional<double> overlap_of_cheapest(const Box& box, const std::vector<KernelCandidate>& candidates) {
  if (candidates.empty()) return std::nullopt;
  const auto cheapest = std::ranges::min_element(candidates, {}, &KernelCandidate::cycles_per_byte);
  return MicroTile{cheapest->takes}.overlap_waste(box);
}

/// \param networks that compete with it
std::optional<KernelCandidate> best_rounded_candidate(const Box& box, const PairSizes& sizes,
                                                      const Target& target,
                                                      const std::vector<KernelCandidate>& networks) {
  auto cheapest = cheapest_rounded_tile(box, sizes.element_bytes, target);
  if (sizes.residence != Residence::kMemory) {
    const RoundedRivals rivals{cheapest ? &*cheapest : nullptr, overlap_of_cheapest(box, networks),
                               sizes.residence == Residence::kSecondCache && !sizes.of_staged_block};
    if (auto longer = cheapest_long_rounded_tile(box, sizes.element_bytes, target, rivals))
      cheapest = std::move(longer);
  }
  if (!cheapest) return std::nullopt;
  return rounded_candidate(box, std::move(*cheapest), sizes.element_bytes, target);
}

void add_permutations(const Box& box, const PairSizes& sizes, const Target& target,
                      std::vector<KernelCandidate>& candidates) {
  add_networks(box, sizes, target, kShortestRunBytes, candidates);
  const bool cached = sizes.residence != Residence::kMemory;
  auto rounded = best_rounded_candidate(box, sizes, target, candidates);
  double least = kGatheredElement + kCall;
  for (const KernelCandidate& candidate : candidates) least = std::min(least, candidate.cycles_per_byte);
  if (rounded && cached) least = std::min(least, rounded->cycles_per_byte);
  add_shuffles(box, sizes, target, least, candidates);
  // What is streamed, and rows that share cache sets where a tile of longer runs writes them: f32[1024,10]
  // transposed took 0.21 cycles a byte rounded, 0.15 so (AVX2, Zen 4).
  const auto better = [&](const KernelCandidate& candidate) {
    return streams(box, sizes, candidate) ||
           (candidate.is_preferred && written_rows_share_sets(box, rounded->rounded->tile));
  };
  if (rounded && std::ranges::none_of(candidates, better)) candidates.push_back(std::move(*rounded));
}

/// The cheapest table shuffle whose lines are streamed goes first, if those of the best candidate are not
/// (Target::most_streamed_shuffle_cycles). Copies of whole lines are streamed mostly, or staged.
void prefer_streamed_shuffle(const Box& box, const PairSizes& sizes, const Target& target,
                             std::vector<KernelCandidate>& candidates) {
  if (candidates.empty() || streams(box, sizes, candidates.front())) return;
  const auto* copy = std::get_if<CopyKernel>(&candidates.front().kernel);
  if (copy != nullptr && copy->bytes >= kLineBytes) return;
  const auto shuffle = std::ranges::find_if(candidates, [&](const KernelCandidate& candidate) {
    return std::holds_alternative<ShuffleKernel>(candidate.kernel) &&
           candidate.cycles_per_byte <= target.most_streamed_shuffle_cycles && streams(box, sizes, candidate);
  });
  if (shuffle == candidates.end()) return;
  shuffle->chosen_for = ChosenFor::kStreamedLines;
  std::rotate(candidates.begin(), shuffle, shuffle + 1);
}

/// Scalar moves of 16-byte elements, which take a load and a store each, go first where a network's tails
/// overlap much (Target::least_overlap_of_scalar_moves).
void prefer_moves_without_overlap(const Box& box, const PairSizes& sizes, const Target& target,
                                  std::vector<KernelCandidate>& candidates) {
  constexpr std::int64_t kScalarBytes = 16;
  const double least = target.least_overlap_of_scalar_moves;
  if (least == 0 || sizes.element_bytes != kScalarBytes || sizes.residence == Residence::kMemory) return;
  if (candidates.empty() || !std::holds_alternative<PermuteKernel>(candidates.front().kernel) ||
      MicroTile{candidates.front().takes}.overlap_waste(box) < least)
    return;
  const auto scalar = std::ranges::find_if(candidates, [](const KernelCandidate& candidate) {
    const auto* gather = std::get_if<GatherKernel>(&candidate.kernel);
    return gather != nullptr && !gather->hardware;
  });
  if (scalar == candidates.end()) return;
  scalar->chosen_for = ChosenFor::kMovedOnce;
  std::rotate(candidates.begin(), scalar, scalar + 1);
}

}  // namespace

std::vector<KernelCandidate> kernel_candidates(const Box& box, const PairSizes& sizes, const Target& target,
                                               KernelFamily forced) {
  const std::int64_t element_bytes = sizes.element_bytes;
  const bool within_bytes = !box.sub_byte_bits.empty();  // which only networks can do
  const auto wanted = [&](KernelFamily family) {
    if (within_bytes && family != KernelFamily::kPermute) return false;
    return forced == KernelFamily::kAutomatic || forced == family;
  };
  std::vector<KernelCandidate> candidates;
  candidates.reserve(kUsualCandidates);
  if (wanted(KernelFamily::kPermute)) add_permutations(box, sizes, target, candidates);
  if (wanted(KernelFamily::kCopy)) candidates.push_back(copy_candidate(box, sizes, target));
  if (wanted(KernelFamily::kGather)) {
    candidates.push_back(gather_candidate(box, element_bytes, target, forced == KernelFamily::kGather));
  }
  sort_by_cycles(candidates);
  prefer_streamed_shuffle(box, sizes, target, candidates);
  prefer_moves_without_overlap(box, sizes, target, candidates);
  prefer_fewer_rows(box, sizes, target, candidates);
  return candidates;
}

std::vector<KernelCandidate> padded_candidates(const PaddedBox& padded, const PairSizes& sizes,
                                               const Target& target) {
  const std::int64_t places = padded.box.axes[padded.axis].extent;
  std::vector<KernelCandidate> candidates;
  if (padded.of_any_extent) return candidates;
  if (padded.copies_rows()) {
    add_networks(padded.box, sizes, target, kPaddedRowsBytes, candidates);
  } else {
    add_networks(padded.box, sizes, target, std::max(padded.run_bytes(), kShortestRunBytes), candidates);
    if (auto rounded = cheapest_rounded_tile(padded.box, sizes.element_bytes, target))
      candidates.push_back(rounded_candidate(padded, std::move(*rounded), sizes.element_bytes, target));
  }
  std::erase_if(candidates, [&](const KernelCandidate& candidate) {
    const bool many_rows = padded.extent > kMostRowsOfSharedSets;
    // bf16[6,32,1150]{2,1,0} to {1,0,2:T(16,1)}: 0.36 of memcpy by 16 x 32, 0.53 by 16 x 2 x 32 (Zen 4).
    const bool half_lines = candidate.is_preferred && candidate.destination_run_bytes < target.line_bytes;
    return candidate.takes[padded.axis] != places || half_lines ||
           (many_rows && read_rows_share_sets(padded.box, {candidate.takes}));
  });
  for (KernelCandidate& candidate : candidates) candidate.padded = PaddedRuns{padded.extent, places};
  sort_by_cycles(candidates);
  return candidates;
}

std::optional<KernelCandidate> rounded_padded_candidate(const PaddedBox& padded, const PairSizes& sizes,
                                                        const Target& target) {
  const bool may_round = target.rounds_rows_with_padding && sizes.residence != Residence::kMemory;
  if (!may_round || padded.copies_rows()) return std::nullopt;
  const Box& box = padded.box;
  auto choice = cheapest_rounded_tile(box, sizes.element_bytes, target, padded.axis);
  if (!choice) {
    const RoundedRivals none = {nullptr, std::numeric_limits<double>::infinity()};
    choice = cheapest_long_rounded_tile(box, sizes.element_bytes, target, none, padded.axis);
  }
  if (!choice) return std::nullopt;
  KernelCandidate candidate = rounded_candidate(padded, std::move(*choice), sizes.element_bytes, target);
  candidate.padded = PaddedRuns{padded.extent, box.axes[padded.axis].extent};
  return candidate;
}

std::vector<KernelCandidate> gapped_candidates(const GappedBox& gapped, const PairSizes& sizes,
                                               const Target& target) {
  const std::int64_t places = gapped.box.axes[gapped.axis].extent;
  std::vector<KernelCandidate> candidates;
  add_networks(gapped.box, sizes, target, kShortestRunBytes, candidates);
  add_network(gapped.box, kShortGappedRuns, sizes, target, candidates);
  const auto bytes_of = [&](const KernelCandidate& candidate) {
    return MicroTile{candidate.takes}.elements() * sizes.element_bytes;
  };
  std::erase_if(candidates, [&](const KernelCandidate& candidate) {
    return candidate.takes[gapped.axis] != places || bytes_of(candidate) > kMostGappedBytesOfLines;
  });
  const auto keeps_lines = [&](const KernelCandidate& candidate) {
    return candidate.source_run_bytes >= kLineBytes &&
           outgrows_a_set(gapped.box, {candidate.takes}, &Axis::source_stride, target);
  };
  const bool keep_lines = std::ranges::any_of(candidates, keeps_lines);
  std::erase_if(candidates, [&](const KernelCandidate& candidate) {
    return keep_lines ? !keeps_lines(candidate) : bytes_of(candidate) > kMostGappedBytes;
  });
  for (KernelCandidate& candidate : candidates) {
    candidate.gapped = GappedGroups{gapped.extent, places};
    candidate.cycles_per_byte *= gapped.places_per_element();
  }
  sort_by_cycles(candidates);
  return candidates;
}

bool have_kernels_that_trim(const BoxList& list, const PairSizes& sizes, const Target& target) {
  return std::ranges::all_of(list.boxes, [&](const Box& box) {
    if (box.guard_limits.size() != 1 || !lies_in_source(box, sizes.element_bytes, sizes.source_bytes))
      return false;
    const auto candidates = kernel_candidates(box, sizes, target, KernelFamily::kAutomatic);
    const auto& rounded = candidates.front().rounded;
    if (!rounded || !rounded->trimmed) return false;
    const bool moves_several_runs = !rounded->source.axes.empty() && !rounded->destination.axes.empty();
    return moves_several_runs || &box != &list.boxes.front();
  });
}

}  // namespace relayout::plan
