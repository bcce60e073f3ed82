#pragma once

#include <optional>
#include <vector>

#include "src/expr/small_vector.hpp"
#include "src/plan/boxes/spread_units.hpp"
#include "src/plan/boxes/trimmed_run.hpp"
#include "src/plan/tiles/micro_tile.hpp"

namespace relayout::plan {

/// A side's run within a rounded tile: axes that follow one another on that side, of which vectors hold a
/// power of two of elements although there are fewer.
struct RoundedRun {
  expr::SmallVector<std::size_t, 4> axes;  ///< smallest stride first
  std::int64_t units = 1;                  ///< that exist, the last maybe in part
  std::int64_t rounded() const;            ///< that vectors have room for
};

/// A tile of two runs whose extents need not be powers of two: each is moved by the network of the next
/// larger tile, which loads and stores what exists.
struct RoundedTile {
  MicroTile tile;
  /// What is moved as one: an element, or several that follow one another on both sides. Bytes that it has in
  /// vectors, and in memory, where units follow one another without a gap (spread_units.hpp).
  std::int64_t unit_bytes = 1;
  std::int64_t unit_data_bytes = 1;
  RoundedRun source;
  RoundedRun destination;
  /// Of the elements along the destination's innermost axis those that exist at the source, where the others
  /// are padding (padded_box.hpp).
  std::optional<std::int64_t> data_extent;
  /// What the end of a run is cut off by, which no loop has to do then.
  std::optional<TrimmedRun> trimmed;
  /// Its runs go on past a line (long_rounded_tile.hpp).
  bool is_long = false;

  UnitBytes unit() const { return {unit_data_bytes, unit_bytes}; }
  bool spreads_units() const { return unit_data_bytes != unit_bytes; }
  /// What a run's bytes take up in vectors.
  std::int64_t in_vectors(std::int64_t run_bytes) const {
    return spreads_units() ? run_bytes / unit_data_bytes * unit_bytes : run_bytes;
  }
  std::int64_t rounded_bytes() const;
  std::int64_t moved_bytes() const;  ///< of those, what exists
  /// Whether its runs at the destination begin with all of an axis of their box, element by element.
  bool writes_whole(const Box& box, std::size_t axis) const;
};

/// Of usual rounded tiles, with what vectors have room for: each vector is loaded and stored by code of its
/// own.
inline constexpr std::int64_t kMostRoundedBytes = 1024;

/// What rounded tiles may have.
struct RoundedLimits {
  TileRunLimits runs;  ///< bytes in vectors
  std::int64_t most_bytes = kMostRoundedBytes;
  std::int64_t longest_spread_unit_bytes = 0;  ///< of units that fill no power of two
};

/// The rounded tile within the limits; nothing if nothing is rounded, or if the tile fills no vector.
std::optional<RoundedTile> rounded_tile(const Box& box, std::int64_t element_bytes,
                                        const RoundedLimits& limits);

/// Where the rows that a tile reads at its source, or writes at its destination, begin: offsets in bytes.
std::vector<std::int64_t> row_offsets(const Box& box, const RoundedTile& tile, bool at_source);

/// The bits of the larger tile. Where a run's place on the other side is no sum over bits, the strides only
/// number the bits.
std::vector<TileBit> rounded_tile_bits(const RoundedTile& tile);

/// Tells the network of rounded_tile_bits where its pieces are, and which of them exist.
void place_pieces(const Box& box, const RoundedTile& tile, Network& network);

}  // namespace relayout::plan
