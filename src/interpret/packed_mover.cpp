#include "src/interpret/packed_mover.hpp"

#include <algorithm>

namespace relayout::interpret {

void PackedMover::run(const std::byte* source, std::byte* destination) const noexcept {
  walk_factors({source, destination}, 0, {nest_.source_base, nest_.destination_base});
}

void PackedMover::walk_factors(const Buffers& buffers, std::size_t factor, Offsets at) const noexcept {
  if (factor == nest_.factors.size()) return move(buffers, at);
  for (const plan::Piece& piece : nest_.factors[factor].pieces) {
    walk_piece(buffers, factor, piece, piece.iterators.size(),
               {at.source + piece.source_base, at.destination + piece.destination_base});
  }
}

/// Iterators are sorted by rising destination stride: the last is the outermost.
void PackedMover::walk_piece(const Buffers& buffers, std::size_t factor, const plan::Piece& piece,
                             std::size_t iterator, Offsets at) const noexcept {
  if (iterator == 0) return walk_factors(buffers, factor + 1, at);
  const plan::Iterator& loop = piece.iterators[iterator - 1];
  for (std::int64_t i = 0; i < loop.extent; ++i) {
    walk_piece(buffers, factor, piece, iterator - 1, at);
    at.source += loop.source_stride;
    at.destination += loop.destination_stride;
  }
}

void PackedMover::move(const Buffers& buffers, Offsets at) const noexcept {
  const std::int64_t from_bit = at.source * widths_.source_spacing_bits;
  const std::int64_t to_bit = at.destination * widths_.destination_spacing_bits;
  const auto mask = static_cast<unsigned>((1 << widths_.moved_bits) - 1);
  const auto from = static_cast<unsigned>(buffers.source[from_bit / 8]);
  const unsigned value = from >> (from_bit % 8) & mask;
  const int room_bits = std::min(widths_.destination_spacing_bits, 8);
  const unsigned room = ((1U << room_bits) - 1U) << (to_bit % 8);
  std::byte& to = buffers.destination[to_bit / 8];
  to = static_cast<std::byte>((static_cast<unsigned>(to) & ~room) | value << (to_bit % 8));
  for (int byte = 1; byte < widths_.destination_spacing_bits / 8; ++byte) {
    buffers.destination[to_bit / 8 + byte] = std::byte{0};
  }
}

std::uint8_t packed_fill_byte(std::uint8_t element, const PackedWidths& widths) {
  const unsigned value = element & ((1U << widths.moved_bits) - 1U);
  unsigned byte = value;
  for (int bit = widths.destination_spacing_bits; bit < 8; bit += widths.destination_spacing_bits) {
    byte |= value << bit;
  }
  return static_cast<std::uint8_t>(byte);
}

}  // namespace relayout::interpret
