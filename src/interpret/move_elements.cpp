#include "src/interpret/move_elements.hpp"

#include <cstring>

namespace relayout::interpret {
namespace {

/// \param element_bytes kBytes, or the width at run time if kBytes is 0.
template <std::int64_t kBytes, class Offset>
void move_all(const ElementMoves& moves, std::int64_t element_bytes) noexcept {
  const std::int64_t bytes = kBytes != 0 ? kBytes : element_bytes;
  const auto* source_offsets = static_cast<const Offset*>(moves.source_offsets);
  const auto* destination_offsets = static_cast<const Offset*>(moves.destination_offsets);
  for (std::int64_t index = 0; index < moves.count; ++index) {
    std::memcpy(moves.destination + static_cast<std::int64_t>(destination_offsets[index]) * bytes,
                moves.source + static_cast<std::int64_t>(source_offsets[index]) * bytes,
                static_cast<std::size_t>(bytes));
  }
}

template <std::int64_t kBytes>
void move_with(const ElementMoves& moves, std::int64_t element_bytes = kBytes) noexcept {
  if (moves.wide) {
    move_all<kBytes, std::uint64_t>(moves, element_bytes);
  } else {
    move_all<kBytes, std::uint32_t>(moves, element_bytes);
  }
}

template <class Offset>
void move_all_packed(const ElementMoves& moves, const PackedWidths& widths) noexcept {
  const auto* source_offsets = static_cast<const Offset*>(moves.source_offsets);
  const auto* destination_offsets = static_cast<const Offset*>(moves.destination_offsets);
  for (std::int64_t index = 0; index < moves.count; ++index) {
    const PackedPosition at = {static_cast<std::int64_t>(source_offsets[index]),
                               static_cast<std::int64_t>(destination_offsets[index])};
    move_packed_element(moves.source, moves.destination, at, widths);
  }
}

}  // namespace

void move_elements(const ElementMoves& moves, std::int64_t element_bytes) noexcept {
  switch (element_bytes) {
    case 1:
      return move_with<1>(moves);
    case 2:
      return move_with<2>(moves);
    case 4:
      return move_with<4>(moves);
    case 8:
      return move_with<8>(moves);
    case 16:
      return move_with<16>(moves);
    default:
      return move_with<0>(moves, element_bytes);
  }
}

void move_packed_elements(const ElementMoves& moves, const PackedWidths& widths) noexcept {
  moves.wide ? move_all_packed<std::uint64_t>(moves, widths) : move_all_packed<std::uint32_t>(moves, widths);
}

}  // namespace relayout::interpret
