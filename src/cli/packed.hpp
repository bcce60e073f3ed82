#pragma once

#include "relayout/layout.hpp"

namespace relayout::cli {

/// Whether elements take another number of bits than their type is stored in, so that some share bytes.
inline bool is_packed(const Layout& layout) {
  return layout.element_bits() != layout.type().storage_bits();
}

}  // namespace relayout::cli
