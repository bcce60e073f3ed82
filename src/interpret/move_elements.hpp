#pragma once

#include <cstddef>
#include <cstdint>

#include "src/interpret/packed_element.hpp"

namespace relayout::interpret {

/// `count` elements to move, one by one. Offsets are in elements, as 32-bit or (`wide`) 64-bit unsigned
/// integers.
struct ElementMoves {
  const std::byte* source = nullptr;
  std::byte* destination = nullptr;
  const void* source_offsets = nullptr;
  const void* destination_offsets = nullptr;
  std::int64_t count = 0;
  bool wide = false;
};

/// Moves them in order. Widths of 1, 2, 4, 8 and 16 bytes are single loads and stores.
void move_elements(const ElementMoves& moves, std::int64_t element_bytes) noexcept;

/// The same for elements narrower than a byte.
void move_packed_elements(const ElementMoves& moves, const PackedWidths& widths) noexcept;

}  // namespace relayout::interpret
