#include "relayout/loops.hpp"
#include "src/plan/loop_nest.hpp"
#include "src/runtime/pair.hpp"

namespace relayout {

std::optional<std::vector<LoopDimension>> loop_dimensions(const Layout& source, const Layout& destination) {
  const auto problem = runtime::raw_problem(source, destination);
  if (!problem || source.element_count() == 0) return std::nullopt;
  if (problem->element_bytes != source.type().storage_bytes())
    return std::nullopt;  // strides that cut elements
  const auto nest = plan::refine(*problem);
  if (!nest || plan::expanded_pieces(*nest) != 1) return std::nullopt;
  const std::vector<plan::Piece> pieces = plan::expand(*nest);
  if (pieces.front().source_base != 0 || pieces.front().destination_base != 0) return std::nullopt;
  std::vector<LoopDimension> dimensions;
  for (const plan::Iterator& iterator : pieces.front().iterators) {
    dimensions.push_back({iterator.extent, iterator.source_stride, iterator.destination_stride});
  }
  return dimensions;
}

}  // namespace relayout
