#include <algorithm>

#include "relayout/layout.hpp"
#include "src/plan/refinement/loop_nest.hpp"
#include "src/runtime/pair.hpp"

namespace relayout {

bool same_bytes(const Layout& a, const Layout& b) {
  if (a.shape() != b.shape() || a.size_bytes() != b.size_bytes() || a.element_bits() != b.element_bits())
    return false;
  if (a.element_count() == 0) return true;
  const auto problem = runtime::offsets_of(a, b);
  const auto nest = plan::refine(problem);
  if (!nest || nest->source_base != nest->destination_base || !nest->within_budget) return false;
  for (const plan::Factor& factor : nest->factors) {
    const bool still = std::all_of(factor.pieces.begin(), factor.pieces.end(), [](const plan::Piece& piece) {
      return piece.source_base == piece.destination_base &&
             std::all_of(piece.iterators.begin(), piece.iterators.end(), [](const plan::Iterator& iterator) {
               return iterator.source_stride == iterator.destination_stride;
             });
    });
    if (!still || factor.pieces.empty()) return false;
  }
  return true;
}

}  // namespace relayout
