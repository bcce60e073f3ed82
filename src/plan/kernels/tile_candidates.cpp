#include "src/plan/kernels/tile_candidates.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "src/plan/kernels/tile_cycles.hpp"
#include "src/plan/tiles/less_overlap.hpp"
#include "src/plan/tiles/preferred_runs.hpp"
#include "src/plan/tiles/row_sets.hpp"

namespace relayout::plan {
namespace {

/// Bytes moved per byte of the box beyond which smaller tiles are tried (set by hand, as the next one).
constexpr double kTolerableWaste = 1.1;
/// Whole lines are worth more than cycles tell: among random pairs on a Zen 4, shorter runs predicted to be
/// less than a fifth faster were slower as often as not.
constexpr double kWorthwhileGain = 0.8;

KernelCandidate network_candidate(const Box& box, const MicroTile& tile, const PairSizes& sizes,
                                  const Target& target) {
  KernelCandidate candidate;
  candidate.set_tile(tile);
  candidate.kernel = PermuteKernel{};
  candidate.cycles_per_byte = network_cycles_per_byte(box, tile, sizes, target) *
                              scattering_factor(box, tile, sizes.element_bytes, target);
  return candidate;
}

/// Rows that share cache sets keep the runs that suit them though others overlap less: u8[4096,134]
/// transposed took tiles of 32 x 32, whose 32 rows to write lie in one set. Those of 256 x 16 move 1.07 times
/// the bytes that there are, and were taken to move 1.43 times as many, as tiles of whole lines do. 330
/// random pairs that caches hold 0.54 and 0.62 of memcpy, 191 faster by a twentieth and 61 slower
/// (u8[74,32768]{0,1} to {1,0} 0.15 and 0.49, f32[24579,16,2][0, 2, 1] to [2, 1, 0] 0.62 and 0.32); 105 of 8
/// and 16 bytes 1.02 times as fast, 45 and 30. Where they overlap more than tiles of whole lines they pay for
/// that as well: at the cost of those 150 pairs ran 0.96 times as fast, 37 faster and 63 slower (Zen 3). The
/// runs of runs_by_row_sets.cpp were measured so past the last cache as well.
bool keeps_runs_of_shared_sets(const PairSizes& sizes, const Target& target) {
  constexpr std::int64_t kWidestToKeepSets = 4;
  return target.keeps_runs_of_shared_sets && sizes.element_bytes <= kWidestToKeepSets &&
         !sizes.wants_whole_lines;
}

/// What longer runs overlap more than tiles of whole lines, as far as it counts: by a fifth they may where
/// these fill sets with their lines. 239 transposes of rows nearly a multiple of 1 KiB apart 0.30 and 0.42 of
/// memcpy, 220 faster by a twentieth and 14 slower, of 24000 random pairs in the caches 40 change, 0.67
/// and 0.70, ten and eight; with two fifths 19 gain and seven lose of 49, with a fifth 20 and four of 43, by
/// a first version (Zen 3).
double paid_overlap(const Box& box, const MicroTile& longer, const MicroTile& whole, const Target& target) {
  constexpr double kFreeOverlap = 1.2;
  const double overlap = longer.overlap_waste(box) / whole.overlap_waste(box);
  if (overlap <= 1 || !target.counts_nearly_full_sets ||
      !rows_fill_sets(box, whole, target.level1_data_bytes, true))
    return overlap;
  return std::max(1.0, overlap / kFreeOverlap);
}

/// The tile with the preferred runs, where there are some and the box has them.
std::optional<KernelCandidate> preferred_candidate(const Box& box, const MicroTile& tile,
                                                   const PairSizes& sizes, const Target& target) {
  if (!box.sub_byte_bits.empty()) return std::nullopt;
  const auto runs = preferred_runs(box, tile, sizes, target);
  if (!runs) return std::nullopt;
  const TileRunLimits& limits = runs->limits;
  const auto longer = power_of_two_tile(box, sizes.element_bytes, target, limits);
  if (!longer || longer->elements() * sizes.element_bytes > kMaximumPreferredTileBytes) return std::nullopt;
  if (longer->source_run_bytes < limits.source_bytes ||
      longer->destination_run_bytes < limits.destination_bytes)
    return std::nullopt;
  if (longer->overlap_waste(box) > kTolerableWasteOfPreferred * tile.overlap_waste(box)) return std::nullopt;
  KernelCandidate candidate = network_candidate(box, *longer, sizes, target);
  candidate.is_preferred = true;
  candidate.cycles_per_byte = network_cycles_per_byte(box, tile, sizes, target);
  candidate.preferred_because = runs->reason;
  candidate.walk = runs->walk;
  candidate.in_half_vectors = runs->in_half_vectors;
  candidate.keeps_sets = runs->of_shared_sets && keeps_runs_of_shared_sets(sizes, target);
  if (candidate.keeps_sets) candidate.cycles_per_byte *= paid_overlap(box, *longer, tile, target);
  return candidate;
}

bool suits_shared_sets(const Box& box, const MicroTile& tile, const Target& target) {
  return !target.writes_whole_lines_of_shared_sets || tile.destination_run_bytes >= target.line_bytes ||
         !written_rows_share_sets(box, tile);
}

}  // namespace

void add_network(const Box& box, const TileRunLimits& limits, const PairSizes& sizes, const Target& target,
                 std::vector<KernelCandidate>& candidates) {
  const auto tile = power_of_two_tile(box, sizes.element_bytes, target, limits);
  if (tile) candidates.push_back(network_candidate(box, *tile, sizes, target));
}

void add_networks(const Box& box, const PairSizes& sizes, const Target& target,
                  std::int64_t least_written_bytes, std::vector<KernelCandidate>& candidates) {
  const std::int64_t element_bytes = sizes.element_bytes;
  if (element_bytes > 16 || !std::has_single_bit(static_cast<std::uint64_t>(element_bytes))) return;
  const TileRunLimits whole{target.line_bytes, std::max(target.line_bytes, least_written_bytes)};
  auto tile = power_of_two_tile(box, element_bytes, target, whole);
  if (!tile) return;
  if (auto shorter = tile_of_less_overlap(box, *tile, whole, sizes, target)) tile = std::move(shorter);
  candidates.push_back(network_candidate(box, *tile, sizes, target));
  if (auto longer = preferred_candidate(box, *tile, sizes, target)) candidates.push_back(std::move(*longer));
  if (tile->overlap_waste(box) < kTolerableWaste || !box.sub_byte_bits.empty()) return;
  const auto cycles = [&](const MicroTile& of) { return network_cycles_per_byte(box, of, sizes, target); };
  // Past the last cache only whole lines can be streamed: f32[400,16,300,18] to {1,2,3,0} ran at 0.62 of
  // memcpy with half lines, at 1.09 with whole ones (AVX2, Zen 4).
  const bool streams = sizes.residence == Residence::kMemory && destination_rows_fill_lines(box);
  const std::int64_t shortest_written = streams ? whole.destination_bytes : least_written_bytes;
  const bool keeps_sets = candidates.back().keeps_sets;
  std::optional<MicroTile> best;
  double least = kWorthwhileGain * candidates.front().cycles_per_byte;
  for (std::int64_t source = target.line_bytes; source >= kShortestRunBytes; source /= 2) {
    for (std::int64_t destination = whole.destination_bytes; destination >= shortest_written;
         destination /= 2) {
      auto smaller = power_of_two_tile(box, element_bytes, target, {source, destination});
      const double of_smaller = smaller ? cycles(*smaller) : least;
      if (of_smaller >= least || !suits_shared_sets(box, *smaller, target)) continue;
      if (keeps_sets &&
          rows_fill_sets(box, *smaller, target.level1_data_bytes, target.counts_nearly_full_sets))
        continue;
      least = of_smaller;
      best = std::move(smaller);
    }
  }
  if (best) candidates.push_back(network_candidate(box, *best, sizes, target));
}

}  // namespace relayout::plan
