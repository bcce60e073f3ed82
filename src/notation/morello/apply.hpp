#pragma once

#include "relayout/layout.hpp"
#include "relayout/morello.hpp"

namespace relayout::morello {

/// The canonical list of the map that `layout` describes: unit physical dimensions dropped, packs that
/// continue their outer neighbour merged, the outermost digit of each logical dimension Dynamic, oe(2) gone.
/// Equal offset maps on one shape give equal lists (the merged digits are unique), and the result applies to
/// the same shape.
PhysicalDimensions canonical(const layout::LayoutData& layout);

}  // namespace relayout::morello
