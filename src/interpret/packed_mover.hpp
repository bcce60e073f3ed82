#pragma once

#include <cstddef>
#include <cstdint>

#include "src/plan/loop_nest.hpp"

namespace relayout::interpret {

/// How elements narrower than a byte lie in the two buffers. Element k starts at bit k * spacing, lowest bits
/// of a byte first; a spacing divides 8 or is a multiple of it.
struct PackedWidths {
  int moved_bits = 4;           ///< of every element, at most 8
  int source_spacing_bits = 4;  ///< from one element to the next
  int destination_spacing_bits = 8;
};

/// Moves elements of 1 to 8 bits one by one along a loop nest: packing, unpacking and packed relayouts.
/// Neighbouring elements share bytes, so only one thread may run it. An immutable value.
class PackedMover {
 public:
  PackedMover(plan::LoopNest nest, PackedWidths widths) : nest_(std::move(nest)), widths_(widths) {}

  /// Bits of the destination between elements' moved bits and the end of their spacing become zero; all
  /// others stay. noexcept, no allocation. \pre every factor of the nest has pieces
  void run(const std::byte* source, std::byte* destination) const noexcept;

 private:
  struct Offsets {
    std::int64_t source = 0;
    std::int64_t destination = 0;
  };
  struct Buffers {
    const std::byte* source = nullptr;
    std::byte* destination = nullptr;
  };
  void walk_factors(const Buffers& buffers, std::size_t factor, Offsets at) const noexcept;
  void walk_piece(const Buffers& buffers, std::size_t factor, const plan::Piece& piece, std::size_t iterator,
                  Offsets at) const noexcept;
  void move(const Buffers& buffers, Offsets at) const noexcept;

  plan::LoopNest nest_;
  PackedWidths widths_;
};

/// Repeats the low `spacing_bits` of `element` over a byte; for a spacing of whole bytes, the byte itself.
std::uint8_t packed_fill_byte(std::uint8_t element, const PackedWidths& widths);

}  // namespace relayout::interpret
