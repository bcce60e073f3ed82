#pragma once

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/model/packed_spacing.hpp"
#include "src/plan/refinement/padding.hpp"

namespace relayout::plan {

/// A box of elements narrower than a byte as a box of bytes, with tile bits for what moves within them.
/// \param box strides, bases and offsets of run tables in elements
/// \error kUnsupported if a byte of a packed side is not made of elements along one set of axes, if bytes do
/// not begin where elements do, and between two different spacings below a byte
Result<Box> pack_box(const Box& box, const PackedSpacing& spacing);

/// The destination's padding in bytes. \error kUnsupported if a byte is shared with elements
Result<std::vector<PaddingPiece>> pack_padding(std::vector<PaddingPiece> pieces, int destination_bits);

}  // namespace relayout::plan
