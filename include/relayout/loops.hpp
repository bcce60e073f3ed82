#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "relayout/layout.hpp"

namespace relayout {

/// One loop of a plain nested-loop conversion. Strides in elements.
struct LoopDimension {
  std::int64_t extent = 1;
  std::int64_t source_stride = 0;
  std::int64_t destination_stride = 0;
};

/// A part of a conversion that is one nest of plain loops: element sum(counter * source_stride) past
/// `source_base` goes to sum(counter * destination_stride) past `destination_base`, all in elements.
struct LoopBox {
  std::int64_t source_base = 0;
  std::int64_t destination_base = 0;
  std::vector<LoopDimension> loops;  ///< by rising destination stride: innermost first
};

/// The refined loop nest of the pair as boxes of constant strides that together move every element once:
/// what to generate code from, or to hand to a library of strided copies. Nothing where more than `limit`
/// boxes are needed, or none can say it (irregular maps, strides that cut elements), where the layouts do not
/// fit each other, for an empty array, or for want of memory. Padding is not part of it. Thread safe; costs
/// microseconds.
std::optional<std::vector<LoopBox>> loop_boxes(const Layout& source, const Layout& destination,
                                               std::int64_t limit = 32);

/// The loops of the pair's only box, which starts at both buffers' beginnings; nothing where it has another
/// form.
std::optional<std::vector<LoopDimension>> loop_dimensions(const Layout& source, const Layout& destination);

}  // namespace relayout
