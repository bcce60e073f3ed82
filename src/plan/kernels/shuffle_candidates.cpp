#include "src/plan/kernels/shuffle_candidates.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

#include "src/plan/kernels/shuffle.hpp"
#include "src/plan/machine/kernel_cycles.hpp"

namespace relayout::plan {
namespace {

// Cycles, as those of kernel_cycles.hpp.
constexpr double kShuffleTerm = 0.75;  // vpshufb and vpor
/// Of all cycles of 16-byte shuffles what is left where twins are shuffled at once, which only whole pieces
/// have: on a Zen 4 with AVX2 bytes [5,4096] transposed took 0.12 cycles a byte, 0.22 as a rounded tile, 0.41
/// as a network of 4 of 5.
constexpr double kTwinShuffles = 0.55;
constexpr double kWideShuffleTerm = 1.0;  // vpermb under a mask (Zen 4; half of it on Zen 5)
/// Where masks are loaded through the port of the shuffles (Golden Cove), those past the first few, which
/// registers hold. bf16[16,2,11,9,13] out of (16,1) tiles, 49 terms, ran at 0.41 of memcpy so, at 0.80 as a
/// rounded tile; u8[12,61,89,3] 0.37 and 0.65.
constexpr double kMaskLoad = 1.0;
constexpr std::size_t kHeldMasks = 6;

/// What a shuffle has to beat: making its tables is the dearest part of planning.
struct ShuffleBound {
  int piece_bytes = 16;
  double cycles_per_byte = 0;
};

double mask_cycles(std::size_t terms, int piece_bytes, const Target& target) {
  const bool loads = piece_bytes == 64 && target.shuffle_ports == ShufflePorts::kOneForWide;
  return loads && terms > kHeldMasks ? static_cast<double>(terms - kHeldMasks) * kMaskLoad : 0;
}

bool may_have_twins(const ShuffleKernel& kernel) {
  const auto is_whole = [](const ShuffleKernel::Piece& piece) { return piece.bytes == 16; };
  return kernel.piece_bytes == 16 && kernel.destinations.size() % 2 == 0 &&
         std::ranges::all_of(kernel.sources, is_whole) && std::ranges::all_of(kernel.destinations, is_whole);
}

/// Bytes that the source has from a tile's first one on, wherever in the box the tile is.
std::int64_t readable_bytes(const Box& box, const MicroTile& tile, std::int64_t source_bytes) {
  if (!box.tables.empty()) return 0;
  std::int64_t last = box.source_base;
  for (std::size_t i = 0; i < box.axes.size(); ++i)
    last += std::max<std::int64_t>(0, (box.axes[i].extent - tile.extents[i]) * box.axes[i].source_stride);
  return std::max<std::int64_t>(0, source_bytes - last);
}

/// What one call moves: elements, and the places that they have at the destination, padding included.
struct PaddedTile {
  const MicroTile& data;
  const MicroTile& places;
};

std::optional<KernelCandidate> shuffle_candidate(const Box& box, const PaddedTile& tile,
                                                 const PairSizes& sizes, const Target& target,
                                                 const ShuffleBound& bound) {
  const std::int64_t element_bytes = sizes.element_bytes;
  const auto data_bytes = static_cast<double>(tile.data.elements() * element_bytes);
  const double waste = tile.places.overlap_waste(box);
  const int piece_bytes = bound.piece_bytes;
  const double term_cycles = piece_bytes == 64 ? kWideShuffleTerm : kShuffleTerm;
  const double least_part = target.vector_bytes == 32 ? kTwinShuffles : 1;
  const double most_terms = bound.cycles_per_byte * data_bytes / (waste * term_cycles * least_part);
  const auto worthwhile = static_cast<std::size_t>(std::min<double>(most_terms, kMaximumShuffleTerms));
  auto shuffle = make_shuffle(box, tile.data, element_bytes,
                              {piece_bytes, worthwhile, readable_bytes(box, tile.places, sizes.source_bytes)},
                              &tile.places);
  if (!shuffle) return std::nullopt;
  const double part = may_have_twins(*shuffle) ? least_part : 1;
  const std::size_t terms = term_count(*shuffle);
  const double cycles = static_cast<double>(terms) * term_cycles + mask_cycles(terms, piece_bytes, target) +
                        static_cast<double>(shuffle->sources.size()) * kLoad +
                        static_cast<double>(shuffle->destinations.size()) * kStore + kCall;
  KernelCandidate candidate;
  candidate.set_tile(tile.places);
  candidate.cycles_per_byte = part * cycles / data_bytes * waste;
  candidate.kernel = std::move(*shuffle);
  return candidate;
}

/// What of a box lies at multiples of its width in every piece: its elements, or parts of them where rows
/// begin anywhere (wide_elements.hpp).
std::int64_t aligned_bytes(const Box& box, std::int64_t element_bytes) {
  for (const Axis& axis : box.axes)
    element_bytes = std::gcd(element_bytes, std::gcd(axis.source_stride, axis.destination_stride));
  return element_bytes;
}

/// Byte permutes of whole vectors need VBMI; those of 2, 4 and 8 bytes are in AVX-512.
bool can_shuffle_wide(const Box& box, std::int64_t element_bytes, const Target& target) {
  return target.isa == Isa::kAvx512Vbmi ||
         (target.vector_bytes == 64 && aligned_bytes(box, element_bytes) % 2 == 0);
}

/// Bytes of pieces that the target can shuffle.
std::vector<int> piece_widths(const Box& box, std::int64_t element_bytes, const Target& target) {
  return can_shuffle_wide(box, element_bytes, target) ? std::vector{16, 64} : std::vector{16};
}

/// Of the cycles of their rivals, what shuffles may take of tiles that networks fit as well, but for gaps
/// between what they read: with a factor of 1, 27 more of 5600 random pairs on a Granite Rapids gain and lose
/// alike, and where masks are thought to cost nothing u8[16,9,1000,2]{1,3,2,0:T(4,1)} to [3, 2, 1, 0, 2
/// p(8)], 64 terms, runs at 0.35 and 0.10 of memcpy.
constexpr double kWorthwhileBetweenGaps = 0.6;

/// Runs that tiles of padded boxes have at least: of those of a line, of two and four the cheapest is taken,
/// since places that are no power of two fill whole pieces in some of them only.
constexpr std::array<std::int64_t, 3> kPaddedRunBytes = {64, 128, 256};

}  // namespace

void add_shuffles(const Box& box, const PairSizes& sizes, const Target& target, double most_cycles_per_byte,
                  std::vector<KernelCandidate>& candidates) {
  if (!box.sub_byte_bits.empty()) return;
  const auto tile = shuffled_tile(box, sizes.element_bytes, target);
  if (!tile) return;
  const double most = most_cycles_per_byte * (tile->has_powers_of_two_only() ? kWorthwhileBetweenGaps : 1);
  for (const int piece_bytes : piece_widths(box, sizes.element_bytes, target)) {
    auto shuffle = shuffle_candidate(box, {*tile, *tile}, sizes, target, {piece_bytes, most});
    if (shuffle) candidates.push_back(std::move(*shuffle));
  }
}

std::optional<KernelCandidate> padded_shuffle(const PaddedBox& padded, const PairSizes& sizes,
                                              const Target& target, double most_cycles_per_byte) {
  std::optional<KernelCandidate> best;
  double least = most_cycles_per_byte;
  for (const std::int64_t run_bytes : kPaddedRunBytes) {
    const auto places = tile_taking_axis_whole(padded.box, padded.axis, sizes.element_bytes, run_bytes);
    if (!places) break;
    MicroTile data = *places;
    data.extents[padded.axis] = padded.extent;
    for (const int piece_bytes : piece_widths(padded.box, sizes.element_bytes, target)) {
      auto shuffle = shuffle_candidate(padded.box, {data, *places}, sizes, target, {piece_bytes, least});
      if (!shuffle || shuffle->cycles_per_byte >= least) continue;
      least = shuffle->cycles_per_byte;
      best = std::move(shuffle);
    }
  }
  if (best) best->padded = PaddedRuns{padded.extent, padded.box.axes[padded.axis].extent};
  return best;
}

}  // namespace relayout::plan
