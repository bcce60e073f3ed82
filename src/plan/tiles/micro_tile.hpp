#pragma once

#include <optional>
#include <vector>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/model/plan.hpp"
#include "src/plan/model/target.hpp"

namespace relayout::plan {

/// How much of each axis one kernel call moves.
struct MicroTile {
  std::vector<std::int64_t> extents;  ///< per axis of the box; 1 for axes outside the tile
  std::int64_t source_run_bytes = 1;  ///< contiguous bytes at the source, within the tile
  std::int64_t destination_run_bytes = 1;

  std::int64_t elements() const;
  bool has_powers_of_two_only() const;
  /// Bytes moved per byte of the box: above 1 where tails overlap.
  double overlap_waste(const Box& box) const;
};

/// Whether one of the box's bits within bytes, which are in every tile, lengthens a run of `run_bytes`.
bool sub_byte_bit_continues(const Box& box, std::int64_t run_bytes, bool source);

/// Runs of tiles are not cut below this.
inline constexpr std::int64_t kShortestRunBytes = 16;

/// Bytes at which a tile's runs stop growing.
struct TileRunLimits {
  std::int64_t source_bytes = 64;
  std::int64_t destination_bytes = 64;
};

/// A tile of power-of-two extents whose runs reach the limits on both sides where the box has that much
/// contiguous; nothing if the box is smaller than 16 bytes.
std::optional<MicroTile> power_of_two_tile(const Box& box, std::int64_t element_bytes, const Target& target,
                                           TileRunLimits limits);

/// A tile for table shuffles: one that takes small extents whole, whatever their factors (RGB's 3), or that
/// reads a few bytes at a time with gaps between them. Nothing if power_of_two_tile is as good, or if the
/// tile would be too large for tables.
std::optional<MicroTile> shuffled_tile(const Box& box, std::int64_t element_bytes, const Target& target);

/// A tile for table shuffles that takes an axis whole, and so much of others that runs have `run_bytes` where
/// these go on behind it; nothing if it would be too large for tables.
std::optional<MicroTile> tile_taking_axis_whole(const Box& box, std::size_t axis, std::int64_t element_bytes,
                                                std::int64_t run_bytes);

/// The tile's logical bits: the element's own, then each axis's.
std::vector<TileBit> tile_bits(const Box& box, const MicroTile& tile, std::int64_t element_bytes);

}  // namespace relayout::plan
