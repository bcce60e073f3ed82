#include "relayout/loops.hpp"
#include "src/layout/memory_guard.hpp"
#include "src/plan/refinement/loop_nest.hpp"
#include "src/runtime/pair.hpp"

namespace relayout {
namespace {

LoopBox to_box(const plan::Piece& piece) {
  LoopBox box{piece.source_base, piece.destination_base, {}};
  for (const plan::Iterator& iterator : piece.iterators) {
    box.loops.push_back({iterator.extent, iterator.source_stride, iterator.destination_stride});
  }
  return box;
}

std::optional<std::vector<LoopBox>> find_boxes(const Layout& source, const Layout& destination,
                                               std::int64_t limit) {
  const auto problem = runtime::raw_problem(source, destination);
  if (!problem || source.element_count() == 0) return std::nullopt;
  if (problem->element_bytes != source.type().storage_bytes())
    return std::nullopt;  // strides that cut elements
  const auto nest = plan::refine(*problem, {.guarded = false});
  if (!nest || !nest->within_budget || plan::expanded_pieces(*nest) > limit) return std::nullopt;
  std::vector<LoopBox> boxes;
  for (const plan::Piece& piece : plan::expand(*nest)) boxes.push_back(to_box(piece));
  return boxes;
}

}  // namespace

std::optional<std::vector<LoopBox>> loop_boxes(const Layout& source, const Layout& destination,
                                               std::int64_t limit) {
  using Boxes = std::optional<std::vector<LoopBox>>;
  auto boxes =
      layout::without_exceptions([&]() -> Result<Boxes> { return find_boxes(source, destination, limit); });
  return boxes ? std::move(*boxes) : std::nullopt;
}

std::optional<std::vector<LoopDimension>> loop_dimensions(const Layout& source, const Layout& destination) {
  auto boxes = loop_boxes(source, destination, 1);
  if (!boxes || boxes->size() != 1) return std::nullopt;
  LoopBox& box = boxes->front();
  if (box.source_base != 0 || box.destination_base != 0) return std::nullopt;
  return std::move(box.loops);
}

}  // namespace relayout
