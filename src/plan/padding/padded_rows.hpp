#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/refinement/padding.hpp"

namespace relayout::plan {

/// A box whose rows at the destination are taken together with the padding behind some of its axes. Unlike a
/// PaddedBox's, its kernel moves data only: a scratch in which rows are put together holds the padding
/// already.
struct PaddedRows {
  /// Of whose places some are data.
  struct PaddedAxis {
    std::int64_t destination_stride = 0;  ///< bytes
    std::int64_t data = 0;                ///< elements that exist; the others are padding
    std::int64_t places = 0;              ///< elements and padding
  };
  Box box;  ///< its axes have as many elements as places
  std::vector<PaddedAxis> axes;
  std::vector<std::size_t> pieces;  ///< of the padding, that it covers
  std::vector<PaddingPiece> rests;  ///< parts of these pieces that lie behind others, and that it does not

  double places_per_element() const;  ///< of all axes
};

/// With all pieces of padding that lie right behind an axis, one after the other, or parts of pieces if they
/// may be split; nothing where none does, or the box has guards, tables or parts of bytes.
std::optional<PaddedRows> padded_rows(const Box& box, std::span<const PaddingPiece> padding,
                                      std::int64_t element_bytes, bool may_split = false);

/// A part of these rows whose runs of so many bytes have their strides, with its data only; nothing if a run
/// does not have a padded axis whole. Other axes, which lead from run to run, may have any strides.
std::optional<Box> data_of(const PaddedRows& rows, const Box& part, std::int64_t run_bytes);

/// Takes what the rows cover off the padding.
void remove_covered(const PaddedRows& rows, std::vector<PaddingPiece>& padding);

}  // namespace relayout::plan
