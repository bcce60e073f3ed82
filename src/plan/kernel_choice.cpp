#include "src/plan/kernel_choice.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <variant>

#include "src/plan/block_runs.hpp"
#include "src/plan/kernel_cycles.hpp"
#include "src/plan/less_overlap.hpp"
#include "src/plan/line.hpp"
#include "src/plan/long_rounded_tile.hpp"
#include "src/plan/preferred_runs.hpp"
#include "src/plan/rounded_cost.hpp"
#include "src/plan/row_sets.hpp"
#include "src/plan/shuffle.hpp"
#include "src/plan/shuffle_candidates.hpp"

namespace relayout::plan {
namespace {

// Cycles on the scale of kernel_cycles.hpp, set by hand: only the order of kernels that they lead to was
// tested.
constexpr double kWidePieceLoad = 1.0;    // 16 or 32 bytes into part of a register
constexpr double kNarrowPieceLoad = 1.4;  // below 16 bytes
constexpr double kWidePieceStore = 1.0;
constexpr double kNarrowPieceStore = 1.4;
constexpr double kStage = 0.25;         // one network stage per vector
constexpr double kStagesOfOnePort = 4;  // the same where one port executes all shuffles
/// What rounded tiles of 64-byte vectors take on a Cascade Lake, where stores have one port and shuffles one,
/// of the cycles predicted if they write runs of less than a vector: f32 [5,1024] transposed ran at 0.43 of
/// memcpy so, at 0.83 by table shuffles, [7,1024] at 0.40 and 0.55; 29 such pairs at 0.39 by what was
/// predicted, at 0.43 by twice as much.
constexpr double kShortRunsOfOnePort = 2;
constexpr double kGatheredElement = 1.5;
/// c128[623,11] transposed took 2.6 cycles an element by scalar moves of AVX2, 1.1 by a network (Zen 4). 21
/// random pairs of 16-byte elements ran at 1.48 of memcpy by scalar moves at AVX-512, at 1.63 by networks and
/// table shuffles (Cascade Lake; c128[9,43,32,11,5] 0.62 and 1.16).
constexpr double kWideGatheredElement = 2.5;
/// Elements that one call moves where each is on a line of its own: few enough that those lines are still in
/// the first cache when the next call wants their neighbours. Longer runs are cut: of 41 random pairs with
/// gathered tails 9 ran 1.2 to 6 times as fast, one 0.95 times; calls of 8 and 32 elements are as good, of 64
/// and more worse (u8[50,8154,3] out of (8,128)(2,1) tiles 0.15 and 0.96 of memcpy; Granite Rapids).
constexpr std::int64_t kGatheredLines = 16;
/// Where they share lines, a call moves so many that it costs nothing, and that arrays of one axis still have
/// trips for parts.
constexpr std::int64_t kGatheredElements = 1024;
/// Bytes moved per byte of the box beyond which smaller tiles are tried (set by hand, as the next one).
constexpr double kTolerableWaste = 1.1;
/// Rows that a padded tile may read where they share cache sets: f64[387,16,28]{1,0,2:T(8,128)} to
/// {2,1,0:T(8,128)}, 28 rows 392 KiB apart, ran at 1.0 of memcpy so, at 1.7 by tiles of 8 rows (Zen 4).
constexpr std::int64_t kMostRowsOfSharedSets = 16;
/// Of tiles of rows that are copied with zeros behind them. 12 pairs ran at 0.42 of memcpy by a copy and a
/// fill, at 0.79 so, with 64 and 512 bytes at 0.79 and 0.80 (AVX2, Zen 4).
constexpr std::int64_t kPaddedRowsBytes = 256;
/// Whole lines are worth more than cycles tell: among random pairs on a Zen 4, shorter runs predicted to be
/// less than a fifth faster were slower as often as not.
constexpr double kWorthwhileGain = 0.8;

constexpr std::size_t kUsualCandidates = 6;

/// The axis that is contiguous on both sides, or -1.
int shared_run_axis(const Box& box, std::int64_t element_bytes) {
  for (std::size_t i = 0; i < box.axes.size(); ++i) {
    const Axis& axis = box.axes[i];
    if (axis.follows_on_both_sides(element_bytes) && axis.guard < 0) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

std::vector<std::int64_t> takes_of(const Box& box, int axis) {
  std::vector<std::int64_t> takes(box.axes.size(), 1);
  if (axis >= 0) takes[static_cast<std::size_t>(axis)] = box.axes[static_cast<std::size_t>(axis)].extent;
  return takes;
}

/// Loop control around one copy. Shorter runs are as slow as the networks that have their elements:
/// f64[27,117,3] ran at 0.49 of memcpy by table shuffles, at 0.42 run by run (AVX2, Zen 5).
double copy_call_cycles(std::int64_t run_bytes, const PairSizes& sizes, const Target& target) {
  constexpr std::int64_t kShortRunBytes = 32;
  const bool cached = sizes.residence != Residence::kMemory;
  return cached && run_bytes > kShortRunBytes ? target.cached_copy_call_cycles : kCall;
}

KernelCandidate copy_candidate(const Box& box, const PairSizes& sizes, const Target& target) {
  const std::int64_t element_bytes = sizes.element_bytes;
  const int axis = shared_run_axis(box, element_bytes);
  KernelCandidate candidate;
  candidate.family = KernelFamily::kCopy;
  candidate.takes = takes_of(box, axis);
  CopyKernel kernel{element_bytes, -1, element_bytes};
  if (axis >= 0) {
    const Axis& run = box.axes[static_cast<std::size_t>(axis)];
    kernel.bytes = run.extent * element_bytes;
    kernel.bytes_from_table = run.run_table;
    if (run.run_table >= 0) candidate.run_axis = axis;
  }
  const double vectors = static_cast<double>((kernel.bytes + target.vector_bytes - 1) / target.vector_bytes);
  candidate.cycles_per_byte = (copy_call_cycles(kernel.bytes, sizes, target) + vectors * (kLoad + kStore)) /
                              static_cast<double>(kernel.bytes);
  candidate.kernel = kernel;
  return candidate;
}

constexpr std::int64_t kWidePieceBytes = 16;

/// In how many pieces a vector is accessed of which a run has a part only.
double pieces_of(std::int64_t vector_bytes, std::int64_t run_bytes) {
  const auto piece = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(run_bytes)));
  return static_cast<double>(vector_bytes / piece);
}

/// Wider elements gain nothing by cheap loads of pieces: f64[8,18,4,85][2, 0, 3, 1] to [1, 3, 0, 2] ran 0.91,
/// c128[5,110,64][1, 2, 0] to [0, 2, 1] 0.90 times as fast (Zen 3).
constexpr std::int64_t kWidestInPieces = 4;

/// Cheap loads of pieces need their lines in the first cache. Rows 2 KiB apart, read or written, evict each
/// other before the next piece of a line comes: u8[76,256,8] out of (4,1) tiles ran at 0.23 of memcpy, by
/// pieces at 0.12, u8[2048,48] transposed at 0.59 and 0.23 (Zen 3).
///
/// So do closer rows that are more than their sets hold lines of: of 700 transposes of 128 bytes to 1 KiB a
/// row 37 change, 0.37 and 0.45, 25 faster by a twentieth and eight slower (bf16[168,512] 0.27 and 0.49,
/// u8[288,512] 0.55 and 0.44); of 2100 random pairs in the caches as many gain as lose.
bool evicts_pieces(const Box& box, const MicroTile& tile, const PairSizes& sizes, const Target& target) {
  // Blocks walk rows to one side as far as their runs go along the other.
  const std::int64_t rows = kBlockRunBytes / sizes.element_bytes;
  return read_rows_share_sets(box, tile, kSetSpanBytes / 2) || written_rows_share_sets(box, tile) ||
         rows_outgrow_sets(box, tile, &Axis::source_stride, kSetSpanBytes / 8, rows,
                           target.level1_data_bytes) ||
         rows_outgrow_sets(box, tile, &Axis::destination_stride, kSetSpanBytes / 4, rows,
                           target.level1_data_bytes);
}

double wide_piece_load(const Box& box, const MicroTile& tile, const PairSizes& sizes, const Target& target) {
  const double cycles = target.wide_piece_load_cycles;
  if (cycles >= kWidePieceLoad || sizes.element_bytes > kWidestInPieces ||
      sizes.residence == Residence::kMemory)
    return kWidePieceLoad;
  return evicts_pieces(box, tile, sizes, target) ? kWidePieceLoad : cycles;
}

double load_cycles(const Box& box, const MicroTile& tile, std::int64_t vector_bytes, const PairSizes& sizes,
                   const Target& target) {
  const std::int64_t run_bytes = tile.source_run_bytes;
  if (run_bytes >= vector_bytes) return kLoad;
  const bool wide = run_bytes >= kWidePieceBytes;
  return pieces_of(vector_bytes, run_bytes) *
         (wide ? wide_piece_load(box, tile, sizes, target) : kNarrowPieceLoad);
}

double store_cycles(const MicroTile& tile, std::int64_t vector_bytes, const PairSizes& sizes,
                    const Target& target) {
  const std::int64_t run_bytes = tile.destination_run_bytes;
  if (run_bytes >= vector_bytes) return kStore;
  const bool in_quarters = 4 * run_bytes <= vector_bytes && sizes.residence != Residence::kMemory;
  const double of_quarters = in_quarters ? target.quarter_store_factor : 1;
  return pieces_of(vector_bytes, run_bytes) * of_quarters *
         (run_bytes >= kWidePieceBytes ? kWidePieceStore : kNarrowPieceStore);
}

int log2_of(std::int64_t value) {
  return std::bit_width(static_cast<std::uint64_t>(value)) - 1;
}

/// Stages of the tile's network, a guess: one a bit that crosses, and one more.
int network_stages(const MicroTile& tile, std::int64_t element_bytes, std::int64_t tile_bytes,
                   const Target& target) {
  const std::int64_t vector_bytes = std::min<std::int64_t>(target.vector_bytes, tile_bytes);
  const std::int64_t longer_run = std::max(std::min(tile.source_run_bytes, vector_bytes),
                                           std::min(tile.destination_run_bytes, vector_bytes));
  const int crossing = log2_of(tile_bytes / longer_run);
  // No more bits than a vector has. Where every stage takes a whole cycle, tiles of several vectors a row
  // were taken for slower than scalar moves: f64 64x64 0.73 of memcpy and 0.39 (AVX2, Cascade Lake).
  return 1 + (target.is_short_of_shuffles() ? std::min(crossing, log2_of(vector_bytes / element_bytes))
                                            : crossing);
}

/// Cycles per byte of the tile's network, a guess: the network itself is only made for the winner
/// (complete_network.hpp).
double network_cycles_per_byte(const Box& box, const MicroTile& tile, const PairSizes& sizes,
                               const Target& target) {
  const std::int64_t element_bytes = sizes.element_bytes;
  const std::int64_t tile_bytes = tile.elements() * element_bytes;
  const std::int64_t vector_bytes = std::min<std::int64_t>(target.vector_bytes, tile_bytes);
  const double stages = network_stages(tile, element_bytes, tile_bytes, target) * kStage *
                        (target.is_short_of_shuffles() ? kStagesOfOnePort : 1);
  const double per_vector = load_cycles(box, tile, vector_bytes, sizes, target) +
                            store_cycles(tile, vector_bytes, sizes, target) + stages;
  const double per_call = kCall / static_cast<double>(tile_bytes);
  return (per_vector / static_cast<double>(vector_bytes) + per_call) * tile.overlap_waste(box);
}

/// Of the cycles predicted, what tiles take that write a few elements to each of many rows in few sets, whose
/// lines leave the first cache before the bytes beside them are written, as data between padding are. Scalar
/// moves write them one after the other: u8[35,12,4,64] into {2,1,3,0:T(8,128)} 0.25 and 0.61 of memcpy,
/// u8[24,24,100] into (32,128)(4,1) tiles 0.40 and 0.78 (Zen 5).
constexpr double kFewBytesInFewSets = 8;
constexpr std::int64_t kFewBytes = 4;

double scattering(const Box& box, const MicroTile& tile, std::int64_t element_bytes, const Target& target) {
  const std::int64_t run_bytes = tile.destination_run_bytes;
  const bool scatters = target.scatters_few_bytes_slowly && run_bytes <= kFewBytes &&
                        run_bytes > element_bytes && written_rows_share_sets(box, tile);
  return scatters ? kFewBytesInFewSets : 1;
}

KernelCandidate network_candidate(const Box& box, const MicroTile& tile, const PairSizes& sizes,
                                  const Target& target) {
  KernelCandidate candidate;
  candidate.set_tile(tile);
  candidate.kernel = PermuteKernel{};
  candidate.cycles_per_byte =
      network_cycles_per_byte(box, tile, sizes, target) * scattering(box, tile, sizes.element_bytes, target);
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
  constexpr std::int64_t kWidestElementBytes = 4;
  return target.keeps_runs_of_shared_sets && sizes.element_bytes <= kWidestElementBytes &&
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

/// The tile of whole lines, or of the runs to read that overlap less (less_overlap.hpp); where its rows share
/// cache sets, one of longer runs; and where its overlapping tails would waste much, the best of those with
/// shorter runs. Runs to write are no shorter than `least_written_bytes`.
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
                              scattering(box, choice.rounded.tile, element_bytes, target);
  candidate.rounded = std::move(choice.rounded);
  return candidate;
}

/// Elements of an axis that one call gathers. Long axes are cut evenly, for the last call overlaps the one
/// before.
std::int64_t gathered_count(const Axis& along) {
  if (along.run_table >= 0) return along.extent;
  const bool on_lines_of_their_own =
      std::max(std::abs(along.source_stride), std::abs(along.destination_stride)) >= kLineBytes;
  if (on_lines_of_their_own) return std::min(along.extent, kGatheredLines);
  const std::int64_t calls = (along.extent + kGatheredElements - 1) / kGatheredElements;
  return (along.extent + calls - 1) / std::max<std::int64_t>(calls, 1);
}

KernelCandidate gather_candidate(const Box& box, std::int64_t element_bytes, const Target& target,
                                 bool forced) {
  KernelCandidate candidate;
  candidate.family = KernelFamily::kGather;
  // Along the destination's run where there is one, else along the smallest destination stride.
  int axis = -1;
  for (std::size_t i = 0; i < box.axes.size() && axis < 0; ++i) {
    if (box.axes[i].guard < 0) axis = static_cast<int>(i);
  }
  candidate.takes = takes_of(box, axis);
  GatherKernel kernel;
  kernel.element_bytes = element_bytes;
  if (axis >= 0) {
    const Axis& along = box.axes[static_cast<std::size_t>(axis)];
    kernel.count = gathered_count(along);
    candidate.takes[static_cast<std::size_t>(axis)] = kernel.count;
    kernel.count_from_table = along.run_table;
    kernel.source_stride_bytes = along.source_stride;
    kernel.destination_stride_bytes = along.destination_stride;
    if (along.run_table >= 0) candidate.run_axis = axis;
  }
  const bool has_instruction = element_bytes == 4 || element_bytes == 8;
  // Cycles a gathered element, and a scalar load with insert: 0.7 and 0.5 on a Zen 5, 1.6 to 3.5 and 0.9 on a
  // Cascade Lake, probably since its microcode keeps them from leaking data.
  kernel.hardware = has_instruction && kernel.destination_stride_bytes == element_bytes && forced;
  const bool wide = element_bytes == 16 && (target.vector_bytes == 32 || target.is_short_of_shuffles());
  candidate.cycles_per_byte =
      ((wide ? kWideGatheredElement : kGatheredElement) + kCall / static_cast<double>(kernel.count)) /
      static_cast<double>(element_bytes);
  candidate.kernel = kernel;
  return candidate;
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
    const RoundedRivals rivals{cheapest ? &*cheapest : nullptr, overlap_of_cheapest(box, networks)};
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
  shuffle->streams_instead = true;
  std::rotate(candidates.begin(), shuffle, shuffle + 1);
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
  return candidates;
}

std::vector<KernelCandidate> padded_candidates(const PaddedBox& padded, const PairSizes& sizes,
                                               const Target& target) {
  const std::int64_t places = padded.box.axes[padded.axis].extent;
  std::vector<KernelCandidate> candidates;
  if (padded.only_shuffles) return candidates;
  if (padded.copies_rows()) {
    add_networks(padded.box, sizes, target, kPaddedRowsBytes, candidates);
  } else {
    add_networks(padded.box, sizes, target, std::max(padded.run_bytes(), kShortestRunBytes), candidates);
    if (auto rounded = cheapest_rounded_tile(padded.box, sizes.element_bytes, target)) {
      rounded->rounded.data_extent = padded.extent;
      candidates.push_back(rounded_candidate(padded.box, std::move(*rounded), sizes.element_bytes, target));
    }
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
