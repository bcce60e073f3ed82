#include "tests/plan/padding/gapped_boxes.hpp"

#include <algorithm>

#include "tests/plan/padding/padded_boxes.hpp"

namespace relayout::plan::testing {

Box last_rows(std::int64_t rows, std::int64_t places, std::int64_t columns, std::int64_t tiles,
              std::int64_t element_bytes) {
  Box box;
  box.axes = {{tiles, columns * places * element_bytes, element_bytes}};
  if (rows > 1) box.axes.push_back({rows, element_bytes, (tiles + 1) * element_bytes});
  box.axes.push_back({columns, places * element_bytes, (tiles + 1) * rows * element_bytes});
  return box;
}

std::int64_t source_bytes_of(const Box& box, std::int64_t places, std::int64_t element_bytes) {
  std::int64_t bytes = places * element_bytes;
  for (const Axis& axis : box.axes)
    if (axis.source_stride > element_bytes) bytes += (axis.extent - 1) * axis.source_stride;
  return bytes;
}

std::optional<GappedTile> whole_groups(const GappedBox& gapped, int element_bytes, NetworkTarget target) {
  const auto tile = power_of_two_tile(gapped.box, element_bytes, narrow_target(), {16, 32});
  if (!tile || tile->extents[gapped.axis] != gapped.box.axes[gapped.axis].extent) return std::nullopt;
  target.vector_bytes =
      static_cast<int>(std::min<std::int64_t>(target.vector_bytes, tile->elements() * element_bytes));
  auto network = synthesize(target, element_bytes, gapped_tile_bits(gapped, *tile, element_bytes));
  if (!network) return std::nullopt;
  mark_gaps(gapped, *network);
  return GappedTile{*tile, *network};
}

ByteOrigins written_from(const GappedBox& gapped, const MicroTile& tile, int element_bytes) {
  ByteOrigins origins = origins_of_places(gapped.box, gapped.axis, gapped.extent, tile, element_bytes);
  std::erase_if(origins, [](const auto& byte) { return !byte.second; });
  return origins;
}

}  // namespace relayout::plan::testing
