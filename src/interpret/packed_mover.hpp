#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/interpret/packed_run.hpp"
#include "src/plan/refinement/loop_nest.hpp"

namespace relayout::interpret {

/// Moves elements of 1 to 8 bits along a loop nest, without generated code: packing, unpacking and packed
/// relayouts. Threads share the work by ranges of the destination. An immutable value.
class PackedMover {
 public:
  /// Destination elements [first, last).
  struct Range {
    std::int64_t first = 0;
    std::int64_t last = 0;
  };

  /// \pre every factor of the nest has pieces
  PackedMover(const plan::LoopNest& nest, PackedWidths widths);

  /// Moves the elements that go to `range`. Bits of the destination between elements' moved bits and the end
  /// of their places become zero; all others stay. Neighbouring elements share bytes: threads may run at once
  /// if no byte has elements of two ranges. noexcept, no allocation.
  void run(const std::byte* source, std::byte* destination, Range range) const noexcept;

 private:
  /// Destination offsets that a loop's body reaches from where it starts, both inclusive.
  struct Reach {
    std::int64_t lowest = 0;
    std::int64_t highest = 0;
  };
  struct Task {
    const std::byte* source = nullptr;
    std::byte* destination = nullptr;
    Range range;
  };
  void walk_factors(const Task& task, std::size_t factor, PackedPosition at) const noexcept;
  void walk_piece(const Task& task, std::size_t factor, const plan::Piece& piece, std::size_t iterator,
                  PackedPosition at) const noexcept;
  void move_run(const Task& task, const plan::Iterator& loop, PackedPosition at) const noexcept;
  Reach reach_inside(std::size_t factor, const plan::Piece& piece, std::size_t iterator) const noexcept;

  plan::LoopNest nest_;
  PackedWidths widths_;
  MovePackedRun mover_ = nullptr;  ///< for runs of the destination; null: element by element
  std::vector<Reach> reach_;       ///< of factors i and above, one more than there are factors
};

/// Repeats the low `spacing_bits` of `element` over a byte; for a spacing of whole bytes, the byte itself.
std::uint8_t packed_fill_byte(std::uint8_t element, const PackedWidths& widths);

}  // namespace relayout::interpret
