#pragma once

#include <cstdint>

#include "relayout/cute/layout.hpp"
#include "relayout/layout.hpp"
#include "relayout/result.hpp"

namespace relayout {

/// `source o destination^-1`: the source offset as a function of the destination offset, in elements, as a
/// layout, and the run that is contiguous on both sides from destination offset 0 on.
struct OffsetMap {
  cute::Layout layout;  ///< coalesced
  std::int64_t contiguous_elements = 1;
  std::int64_t contiguous_bytes = 0;  ///< whole bytes, where elements are packed
};

/// The map of a pair, where shape:stride can say it. \error kUnsupported where it cannot, or where that was
/// not decided; the message says what is in the way; kShapeMismatch
Result<OffsetMap> offset_map(const Layout& source, const Layout& destination);
/// The same of CuTe's layouts, as functions of a 1-D index. \error kUnsupported, kShapeMismatch, kOverflow
Result<cute::Layout> offset_map(const cute::Layout& source, const cute::Layout& destination);

}  // namespace relayout
