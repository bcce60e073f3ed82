#pragma once

#include "src/plan/boxes.hpp"
#include "src/plan/padding.hpp"

namespace relayout::plan {

/// Bits from one element to the next on either side, where elements are of at most a byte. An element has as
/// many bits as the narrower of both; the others of a place are zero at the destination.
struct PackedSpacing {
  int source_bits = 8;
  int destination_bits = 8;

  bool is_packed() const { return source_bits != 8 || destination_bits != 8; }
};

/// A box of elements narrower than a byte as a box of bytes, with tile bits for what moves within them.
/// \param box strides, bases and offsets of run tables in elements
/// \error kUnsupported if a byte of a packed side is not made of elements along one set of axes, if bytes do
/// not begin where elements do, and between two different spacings below a byte
Result<Box> pack_box(const Box& box, const PackedSpacing& spacing);

/// The destination's padding in bytes. \error kUnsupported if a byte is shared with elements
Result<std::vector<PaddingPiece>> pack_padding(std::vector<PaddingPiece> pieces, int destination_bits);

}  // namespace relayout::plan
