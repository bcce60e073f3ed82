#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/refinement/padding.hpp"
#include "src/plan/tiles/micro_tile.hpp"

namespace relayout::plan {

/// A box together with the padding between its destination's runs, as if that were data: networks and table
/// shuffles then write zeros where nothing can be read, and lines that data and padding share are written
/// whole.
struct PaddedBox {
  Box box;                  ///< the axis has as many elements as places
  std::size_t axis = 0;     ///< along the destination's runs
  std::int64_t extent = 1;  ///< of its elements, those that exist; the others are padding
  std::size_t piece = 0;    ///< of the padding, the piece whose front this covers
  /// In which that piece is to be split, of which the front of the first is covered; empty: it is not.
  std::vector<PaddingPiece> parts = {};
  bool of_any_extent = false;  ///< only table shuffles and rounded tiles can move it

  std::int64_t run_bytes() const;  ///< of the axis, padding included
  double places_per_element() const;
  bool copies_rows() const;  ///< whether the axis runs along the source's rows, too
};

/// What moves a box with its padding.
enum class PaddedBy : std::uint8_t {
  kNetworks,          ///< which hold powers of two of elements, and find them by their strides
  kTilesOfAnyExtent,  ///< table shuffles and rounded tiles: any number, wherever they are
};

/// With the padding that shares lines with data, as far as there is some. Nothing where no piece of padding
/// lies right behind the runs of this box and nowhere else (but where a piece may be split), or where both
/// together are more than a tile, or not what `by` can move.
std::optional<PaddedBox> padded_box(const Box& box, std::span<const PaddingPiece> padding,
                                    std::int64_t element_bytes, bool may_split = false,
                                    PaddedBy by = PaddedBy::kNetworks);

/// The same of a part of its box that has the padded axis whole; nothing if that has not.
std::optional<PaddedBox> part_of(const PaddedBox& padded, const Box& part);

/// Takes what the box covers off the padding.
void remove_covered(const PaddedBox& padded, std::vector<PaddingPiece>& padding);

/// The bits of a tile that takes the padded axis whole. Those that lead only to padding have strides at the
/// source that nothing else has.
std::vector<TileBit> padded_tile_bits(const PaddedBox& padded, const MicroTile& tile,
                                      std::int64_t element_bytes);

/// Tells the network of padded_tile_bits what it can read.
void mark_padding(const PaddedBox& padded, Network& network);

}  // namespace relayout::plan
