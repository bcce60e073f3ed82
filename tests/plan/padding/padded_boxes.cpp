#include "tests/plan/padding/padded_boxes.hpp"

#include <algorithm>

#include "src/plan/cost_models/make_target.hpp"
#include "src/plan/kernels/rounded_tile.hpp"

namespace relayout::plan::testing {

Target narrow_target() {
  MachineInfo info;
  info.cost_model = "zen";
  return make_target(Isa::kAvx2, info);
}

Box random_box_of_runs(std::mt19937_64& random, int element_bytes, std::int64_t data, std::int64_t places) {
  const auto below = [&](std::uint64_t end) { return static_cast<std::int64_t>(random() % end); };
  const std::int64_t columns = 4 + below(80);
  const std::int64_t rows = 1 + below(4);
  const std::int64_t row_bytes = (columns + (below(2) == 0 ? below(9) : 0)) * element_bytes;
  Box box;
  box.destination_base = 64 * below(3);
  box.source_base = below(100);
  if (data > 1) box.axes.push_back({data, row_bytes, element_bytes});
  box.axes.push_back({columns, element_bytes, places * element_bytes});
  if (rows > 1) box.axes.push_back({rows, data * row_bytes, columns * places * element_bytes});
  return box;
}

Box random_box_of_rows(std::mt19937_64& random, int element_bytes, std::int64_t data, std::int64_t places) {
  Box box = random_box_of_runs(random, element_bytes, data, places);
  const std::int64_t row_bytes = (data + static_cast<std::int64_t>(random() % 3)) * element_bytes;
  std::int64_t source_stride = row_bytes;
  for (Axis& axis : box.axes) {
    const bool is_run = axis.destination_stride == element_bytes;
    axis.source_stride = is_run ? element_bytes : source_stride;
    if (!is_run) source_stride *= axis.extent;
  }
  return box;
}

PaddingPiece padding_behind(const Box& box, int element_bytes, std::int64_t places) {
  const Axis& first = box.axes.front();
  const bool has_runs = first.destination_stride == element_bytes;
  const std::int64_t data = has_runs ? first.extent : 1;
  PaddingPiece piece{box.destination_base / element_bytes + data, places - data, {}};
  for (const Axis& axis : box.axes)
    if (axis.destination_stride != element_bytes)
      piece.iterators.push_back({axis.extent, 0, axis.destination_stride / element_bytes, {}});
  return piece;
}

std::optional<PaddedTile> whole_tile(const PaddedBox& padded, int element_bytes, NetworkTarget target) {
  const std::int64_t written_bytes = std::max<std::int64_t>(64, padded.run_bytes());
  const auto tile = power_of_two_tile(padded.box, element_bytes, narrow_target(), {64, written_bytes});
  if (!tile || tile->extents[padded.axis] != padded.box.axes[padded.axis].extent) return std::nullopt;
  target.vector_bytes =
      static_cast<int>(std::min<std::int64_t>(target.vector_bytes, tile->elements() * element_bytes));
  auto network = synthesize(target, element_bytes, padded_tile_bits(padded, *tile, element_bytes));
  if (!network) return std::nullopt;
  mark_padding(padded, *network);
  return PaddedTile{*tile, *network};
}

std::optional<PaddedTile> whole_rounded_tile(const PaddedBox& padded, int element_bytes,
                                             NetworkTarget target) {
  auto rounded = rounded_tile(padded.box, element_bytes, {32, 64});
  if (!rounded || rounded->tile.extents[padded.axis] != padded.box.axes[padded.axis].extent)
    return std::nullopt;
  rounded->data_extent = padded.extent;
  target.vector_bytes =
      static_cast<int>(std::min<std::int64_t>(target.vector_bytes, rounded->rounded_bytes()));
  auto network = synthesize(target, element_bytes, rounded_tile_bits(*rounded));
  if (!network) return std::nullopt;
  place_pieces(padded.box, *rounded, *network);
  return PaddedTile{rounded->tile, *network};
}

ByteOrigins origins_of_places(const Box& box, std::size_t axis, std::int64_t extent, const MicroTile& tile,
                              int element_bytes) {
  ByteOrigins origins;
  for (std::int64_t index = 0; index < tile.elements(); ++index) {
    std::int64_t left = index;
    std::int64_t source = 0;
    std::int64_t destination = 0;
    bool exists = true;
    for (std::size_t i = 0; i < box.axes.size(); ++i) {
      const std::int64_t coordinate = left % tile.extents[i];
      left /= tile.extents[i];
      source += coordinate * box.axes[i].source_stride;
      destination += coordinate * box.axes[i].destination_stride;
      if (i == axis) exists = coordinate < extent;
    }
    for (int byte = 0; byte < element_bytes; ++byte)
      origins[destination + byte] = exists ? std::optional(source + byte) : std::nullopt;
  }
  return origins;
}

ByteOrigins expected_origins(const PaddedBox& padded, const MicroTile& tile, int element_bytes) {
  return origins_of_places(padded.box, padded.axis, padded.extent, tile, element_bytes);
}

}  // namespace relayout::plan::testing
