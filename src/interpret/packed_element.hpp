#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace relayout::interpret {

/// How elements narrower than a byte lie in the two buffers. Element k starts at bit k * spacing, lowest bits
/// of a byte first; a spacing divides 8 or is a multiple of it.
struct PackedWidths {
  int moved_bits = 4;           ///< of every element, at most 8
  int source_spacing_bits = 4;  ///< from one element to the next
  int destination_spacing_bits = 8;

  /// Bytes of the destination that hold whole elements: 1, or an element's.
  std::int64_t unit_bytes() const noexcept { return std::max(destination_spacing_bits / 8, 1); }
  /// Elements in one such unit.
  std::int64_t unit_elements() const noexcept { return std::max(8 / destination_spacing_bits, 1); }
};

/// The elements' positions in their buffers, counted in elements.
struct PackedPosition {
  std::int64_t source = 0;
  std::int64_t destination = 0;
};

/// Moves one element. Bits between the moved ones and the end of its place become zero; all others stay.
inline void move_packed_element(const std::byte* source, std::byte* destination, PackedPosition at,
                                const PackedWidths& widths) noexcept {
  const std::int64_t from_bit = at.source * widths.source_spacing_bits;
  const std::int64_t to_bit = at.destination * widths.destination_spacing_bits;
  const unsigned mask = (1U << widths.moved_bits) - 1U;
  const unsigned value = static_cast<unsigned>(source[from_bit / 8]) >> (from_bit % 8) & mask;
  const int room_bits = std::min(widths.destination_spacing_bits, 8);
  const unsigned room = ((1U << room_bits) - 1U) << (to_bit % 8);
  std::byte& to = destination[to_bit / 8];
  to = static_cast<std::byte>((static_cast<unsigned>(to) & ~room) | value << (to_bit % 8));
  for (int byte = 1; byte < widths.destination_spacing_bits / 8; ++byte) {
    destination[to_bit / 8 + byte] = std::byte{0};
  }
}

}  // namespace relayout::interpret
