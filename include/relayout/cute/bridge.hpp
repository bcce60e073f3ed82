#pragma once

#include "relayout/cute/layout.hpp"
#include "relayout/cute/swizzle.hpp"
#include "relayout/layout.hpp"

namespace relayout {

/// An array laid out as CuTe's `layout` says. Its top-level modes are the logical dimensions; the coordinates
/// of a nested mode count colexicographically. The buffer spans the lowest to the highest offset: with
/// negative strides the lowest offset, not offset 0, is its first element. Strides of 0 and overlaps are fine
/// for a source; compile refuses them in a destination and shows two coordinates that collide.
/// \error kOverflow beyond 2^60 bytes
Result<Layout> from_cute(ElementType type, const cute::Layout& layout);

/// An array laid out as a composed layout says, swizzled or otherwise: its shape is the inner layout's. The
/// buffer begins at offset 0, or at the lowest offset where that is negative, and ends where the layout's
/// range does, so that an offset between the two layouts leaves places before the first element. \error
/// kOverflow beyond 2^60 bytes, kUnsupported for negative indices into an outer layout
Result<Layout> from_cute(ElementType type, const cute::ComposedLayout& layout);

/// The layout in CuTe's notation: a mode for every logical dimension, nested where the dimension is cut into
/// tiles. Where strides are negative, offset 0 is that of coordinate 0. \error kUnsupported, naming what
/// shape:stride cannot say: padding, combined dimensions, swizzles and compositions, packed elements, views,
/// no dimensions, no elements
Result<cute::Layout> to_cute(const Layout& layout);

/// The layout in CuTe's text: to_cute's, or what was given where the layout was made of a swizzled or
/// composed one. \error kUnsupported, as to_cute, for all others
Result<std::string> cute_text(const Layout& layout);

/// The same map in Morello's notation, whose text is `to_string()`. \error kUnsupported, naming what that
/// cannot say: strides of 0 and below, gaps, padding, combined dimensions, packed elements, views, and tiles
/// of a dimension out of their order, odd-even strips apart
Result<Layout> to_morello(const Layout& layout);

/// The same map in XLA's notation: as few tiles as a short search finds, all of which divide; a layout of
/// XLA's stays what it is. Strides of any order can be said, be it with up to 12 tiles. \error kUnsupported,
/// naming what cannot: strides of 0 and below, gaps (XLA's padding would lengthen the buffer), views
Result<Layout> to_xla(const Layout& layout);

}  // namespace relayout
