#include "src/plan/tiles/transposed_rows.hpp"

#include <algorithm>

namespace relayout::plan {

std::optional<TransposedRows> transposed_rows(const Box& box, const MicroTile& tile,
                                              std::int64_t element_bytes) {
  TransposedRows rows;
  for (std::size_t i = 0; i < box.axes.size(); ++i) {
    if (tile.extents[i] == 1) continue;
    const Axis& axis = box.axes[i];
    if (axis.guard >= 0) return std::nullopt;
    const bool at_source = axis.source_stride == element_bytes;
    if (at_source == (axis.destination_stride == element_bytes)) return std::nullopt;
    std::int64_t& bytes = at_source ? rows.source_bytes : rows.destination_bytes;
    if (bytes != 0) return std::nullopt;
    bytes = axis.extent * element_bytes;
    (at_source ? rows.strides.destination_bytes : rows.strides.source_bytes) =
        at_source ? axis.destination_stride : axis.source_stride;
  }
  if (std::min(rows.strides.source_bytes, rows.strides.destination_bytes) <= 0) return std::nullopt;
  return rows;
}

}  // namespace relayout::plan
