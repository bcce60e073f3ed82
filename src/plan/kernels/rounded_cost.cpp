// Cycles of a Zen 4, as tile_cycles.cpp counts them. Measured there with AVX2 in the caches, against the
// best tile of powers of two, in cycles a byte: bytes [3,64,5,42,28], runs of 3 x 5, 0.11 and 0.61; [4096,5]
// 0.14 and 0.23; [28,28,100] 0.13 and 0.20; 2-byte elements 20 x 24 0.09 and 0.20, [3,32,19,19] 0.14 and
// 0.33; f32 10 x 10 0.12 and 0.22; f64 5 x 30 0.08 and 0.11. Predictions are right to a third, those of other
// tiles are not.

#include "src/plan/kernels/rounded_cost.hpp"

#include <algorithm>
#include <bit>

#include "src/plan/boxes/spread_units.hpp"
#include "src/plan/machine/kernel_cycles.hpp"
#include "src/plan/tiles/row_sets.hpp"

namespace relayout::plan {
namespace {

constexpr double kShuffle = 0.5;
constexpr double kUnhiddenCycles = 0.25;
constexpr int kStagesInOnePass = 3;
constexpr std::int64_t kMostInOnePass = 8;  // vectors
/// Tiles whose rows share cache sets may have so many bytes where they do well (Target).
constexpr std::int64_t kMostBytesOfSharedSets = 2 * kMostRoundedBytes;

/// Of tiles that move several elements as one to rows of less than 16 bytes, which table shuffles put
/// together to whole vectors: 2-byte elements [6,16541]{1,0:T(8,128)(2,1)} to rows of 6 ran at 0.70 of memcpy
/// rounded, at 1.08 by tables (AVX2, Granite Rapids).
constexpr double kShortRowsOfUnits = 1.3;
constexpr std::int64_t kShortRowBytes = 16;

/// What one side of a rounded tile takes.
struct RoundedSide {
  std::int64_t piece_bytes = 0;
  std::int64_t accesses = 0;
  std::int64_t inserts = 0;  ///< and extracts: accesses of less than a vector

  /// As many shuffles as the inserts take.
  double insert_shuffles(const Target& target) const {
    constexpr std::int64_t kInsertedLaneBytes = 16;
    return static_cast<double>(inserts) * (piece_bytes < kInsertedLaneBytes ? 1 : target.lane_insert_factor);
  }
};

/// What a side's vectors are, and the pieces that they are accessed in at most.
struct VectorPieces {
  std::int64_t vector_bytes = 0;
  std::int64_t most_piece_bytes = 0;
};

/// `joined` runs follow one another without a gap: what is left over a run is accessed with the next one.
RoundedSide rounded_side(std::int64_t run_bytes, std::int64_t runs, VectorPieces pieces, bool joined) {
  const auto rounded = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(run_bytes)));
  RoundedSide side;
  side.piece_bytes = std::min(rounded, pieces.most_piece_bytes);
  const std::int64_t rest = run_bytes % side.piece_bytes;
  const std::int64_t of_rest = joined ? (rest == 0 ? 0 : 1) : std::popcount(static_cast<std::uint64_t>(rest));
  side.accesses = runs * (run_bytes / side.piece_bytes + of_rest);
  side.inserts = runs * (joined ? 0 : of_rest);
  if (side.piece_bytes < pieces.vector_bytes) side.inserts = side.accesses;
  return side;
}

/// Whether the destination's runs of a tile lie one right after the other.
bool joins_at_destination(const Box& box, const RoundedTile& rounded) {
  return !rounded.source.axes.empty() &&
         box.axes[rounded.source.axes.front()].destination_stride == rounded.tile.destination_run_bytes;
}

/// Whether the first cache has room for the rows that a tile writes: u8[42,16,12,2,8][4,2,1,3,0] to
/// {1,2,4,3,0}, 42 rows of 3 KiB, ran at 0.38 of memcpy otherwise, at 0.17 rounded (Cascade Lake).
bool spread_over_sets(const Box& box, const RoundedTile& rounded) {
  return std::ranges::none_of(rounded.source.axes, [&](std::size_t axis) {
    return box.axes[axis].destination_stride % kFewSetsBytes == 0;
  });
}

struct RoundedSides {
  RoundedSide source;
  RoundedSide destination;
  std::int64_t vector_bytes = 0;

  /// Filled by what is accessed, on the mean of both sides.
  double vectors() const {
    return static_cast<double>(source.accesses * source.piece_bytes +
                               destination.accesses * destination.piece_bytes) /
           static_cast<double>(2 * vector_bytes);
  }
};

RoundedSides sides_of(const Box& box, const RoundedTile& rounded, const Target& target) {
  const std::int64_t vector_bytes = std::min<std::int64_t>(target.vector_bytes, rounded.rounded_bytes());
  const std::int64_t written =
      rounded.spreads_units() ? longest_closed_piece(rounded.unit(), vector_bytes, target.isa) : vector_bytes;
  return {rounded_side(rounded.in_vectors(rounded.tile.source_run_bytes), rounded.destination.units,
                       {vector_bytes, vector_bytes}, true),
          rounded_side(rounded.in_vectors(rounded.tile.destination_run_bytes), rounded.source.units,
                       {vector_bytes, written}, joins_at_destination(box, rounded)),
          vector_bytes};
}

/// Without what is known of tiles of some kinds (margin_of).
double usual_cycles_per_byte(const Box& box, const RoundedTile& rounded, const Target& target) {
  const RoundedSides sides = sides_of(box, rounded, target);
  const auto& [source, destination, vector_bytes] = sides;
  const auto shorter = static_cast<std::uint64_t>(std::min(source.piece_bytes, destination.piece_bytes));
  const int stages = std::bit_width(shorter / static_cast<std::uint64_t>(rounded.unit_bytes)) - 1;
  const double vectors = sides.vectors();
  const bool in_two_passes =
      stages > kStagesInOnePass && rounded.rounded_bytes() > kMostInOnePass * vector_bytes;
  const double passes = in_two_passes ? vectors : 0;
  const double loads = kLoad * (static_cast<double>(source.accesses) + passes);
  const double stores = kStore * (static_cast<double>(destination.accesses) + passes);
  const int spreading = rounded.spreads_units()
                            ? instructions_to_spread(source.piece_bytes, target.isa) +
                                  instructions_to_spread(destination.piece_bytes, target.isa)
                            : 0;
  const double shuffles = kShuffle * (vectors * (stages + spreading) + source.insert_shuffles(target) +
                                      destination.insert_shuffles(target));
  const double most = std::max({loads, stores, shuffles});
  const double cycles = most + kUnhiddenCycles * (loads + stores + shuffles - most) + kCall;
  const double margin =
      spread_over_sets(box, rounded) ? target.rounded_margin : target.rounded_margin_of_few_sets;
  return margin * cycles / static_cast<double>(rounded.moved_bytes()) * rounded.tile.overlap_waste(box);
}

bool may_spread(const Box& box, const RoundedTile& rounded, const Target& target) {
  if (!rounded.spreads_units()) return true;
  return can_spread_units(rounded.unit(), sides_of(box, rounded, target).source.piece_bytes, target.isa);
}

/// Where rows share cache sets shorter runs than a line are not tried, on either side: bytes [65536,27]{0,1}
/// took 0.27 and 0.20, 2-byte elements [4096,20]{0,1} 0.31 and 0.21.
bool suits_its_rows(const Box& box, const RoundedTile& rounded, std::int64_t bytes, TileRunLimits limits,
                    const Target& target) {
  const bool written = written_rows_share_sets(box, rounded.tile);
  const bool read = read_rows_share_sets(box, rounded.tile);
  const bool does_well = target.rounds_rows_of_shared_sets;
  if (bytes > kMostRoundedBytes && !(does_well && (written || read))) return false;
  if (written && limits.destination_bytes < target.line_bytes) return false;
  return !read || limits.source_bytes >= target.line_bytes || (does_well && written);
}

/// What the predicted cycles are taken times, where that is known to be needed.
double margin_of(const Box& box, const RoundedTile& rounded, std::int64_t element_bytes,
                 const Target& target) {
  double margin = written_rows_share_sets(box, rounded.tile) ? target.rounded_margin_of_shared_sets : 1;
  if (rounded.unit_bytes > element_bytes && rounded.tile.destination_run_bytes < kShortRowBytes)
    margin *= kShortRowsOfUnits;
  return margin;
}

bool has_power_of_two_extent(const Axis& axis) {
  return std::has_single_bit(static_cast<std::uint64_t>(axis.extent));
}

}  // namespace

bool may_be_rounded(const Box& box, std::int64_t element_bytes) {
  if (!box.sub_byte_bits.empty() || element_bytes > 8) return false;
  if (!std::has_single_bit(static_cast<std::uint64_t>(element_bytes))) return false;
  return !box.guard_limits.empty() || !std::ranges::all_of(box.axes, has_power_of_two_extent);
}

double rounded_cycles_per_byte(const Box& box, const RoundedTile& rounded, std::int64_t element_bytes,
                               const Target& target) {
  return usual_cycles_per_byte(box, rounded, target) * margin_of(box, rounded, element_bytes, target);
}

double rounded_waste(const Box& box, const RoundedTile& rounded, const Target& target) {
  const RoundedSides sides = sides_of(box, rounded, target);
  return sides.vectors() * static_cast<double>(sides.vector_bytes) /
         static_cast<double>(rounded.moved_bytes()) * rounded.tile.overlap_waste(box);
}

std::optional<RoundedChoice> cheapest_rounded_tile(const Box& box, std::int64_t element_bytes,
                                                   const Target& target,
                                                   std::optional<std::size_t> whole_axis) {
  if (!may_be_rounded(box, element_bytes)) return std::nullopt;
  std::optional<RoundedChoice> best;
  for (std::int64_t source = target.line_bytes; source >= kShortestRunBytes; source /= 2) {
    for (std::int64_t destination = target.line_bytes; destination >= kShortestRunBytes; destination /= 2) {
      const TileRunLimits limits{source, destination};
      auto rounded = rounded_tile(box, element_bytes,
                                  {limits, kMostBytesOfSharedSets, target.longest_spread_unit_bytes});
      if (!rounded || !may_spread(box, *rounded, target)) continue;
      if (whole_axis && !rounded->writes_whole(box, *whole_axis)) continue;
      if (!suits_its_rows(box, *rounded, rounded->rounded_bytes(), limits, target)) continue;
      const double cycles = rounded_cycles_per_byte(box, *rounded, element_bytes, target);
      if (best && cycles >= best->cycles_per_byte) continue;
      best = RoundedChoice{std::move(*rounded), cycles};
    }
  }
  return best;
}

}  // namespace relayout::plan
