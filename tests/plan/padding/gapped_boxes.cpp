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
  ByteOrigins origins;
  for (std::int64_t index = 0; index < tile.elements(); ++index) {
    std::int64_t left = index;
    std::int64_t source = 0;
    std::int64_t destination = 0;
    bool is_written = true;
    for (std::size_t axis = 0; axis < gapped.box.axes.size(); ++axis) {
      const std::int64_t coordinate = left % tile.extents[axis];
      left /= tile.extents[axis];
      source += coordinate * gapped.box.axes[axis].source_stride;
      if (axis == gapped.axis) is_written = coordinate < gapped.extent;
      // Of an axis that the box has not, only the first place exists.
      if (axis != gapped.axis || gapped.extent > 1)
        destination += coordinate * gapped.box.axes[axis].destination_stride;
    }
    for (int byte = 0; is_written && byte < element_bytes; ++byte)
      origins[destination + byte] = source + byte;
  }
  return origins;
}

}  // namespace relayout::plan::testing
