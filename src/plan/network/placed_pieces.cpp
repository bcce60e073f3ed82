#include "src/plan/network/placed_pieces.hpp"

#include <algorithm>
#include <cstdint>

namespace relayout::plan {

std::vector<int> touched_at_source(const Network& network) {
  const Side& side = network.source;
  const int whole = std::min(side.piece_bytes(), network.vector_bytes);
  std::int64_t end = 0;
  for (const SidePiece& piece : side.pieces)
    if (piece.bytes > 0) end = std::max(end, piece.offset_bytes + piece.bytes);
  std::vector<int> touched;
  touched.reserve(side.pieces.size());
  for (const SidePiece& piece : side.pieces)
    touched.push_back(piece.bytes > 0 && piece.offset_bytes + whole <= end ? whole : piece.bytes);
  return touched;
}

}  // namespace relayout::plan
