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

/// The refined loop nest of the pair as extents and strides, or nothing where one box of constant strides
/// does not describe it (ragged tiles, irregular maps, strides that cut elements) or the layouts do not fit
/// each other.
/// Padding is not part of it.
std::optional<std::vector<LoopDimension>> loop_dimensions(const Layout& source, const Layout& destination);

}  // namespace relayout
