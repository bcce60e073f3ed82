#pragma once

#include "src/interpret/packed_element.hpp"

namespace relayout::interpret {

/// Elements of a run, one after the other at the destination, every `source_stride` elements at the source.
struct PackedRun {
  PackedPosition first;
  std::int64_t source_stride = 1;
  std::int64_t count = 0;
};

/// Moves a run. Bytes that hold elements of the run only are built whole; the ones at its ends keep their
/// other bits. noexcept, no allocation.
using MovePackedRun = void (*)(const std::byte* source, std::byte* destination,
                               const PackedRun& run) noexcept;

/// The function for these widths; null where a place has more than 8 bits. \pre moved_bits is the narrower of
/// both spacings
MovePackedRun packed_run_mover(const PackedWidths& widths) noexcept;

}  // namespace relayout::interpret
