#include "src/plan/padding/padded_rows.hpp"

#include <algorithm>
#include <functional>

#include "src/plan/padding/padding_behind.hpp"

namespace relayout::plan {
namespace {

void add_places(PaddedRows& rows, Axis& axis, std::int64_t places) {
  auto padded =
      std::ranges::find(rows.axes, axis.destination_stride, &PaddedRows::PaddedAxis::destination_stride);
  if (padded == rows.axes.end())
    padded = rows.axes.insert(padded, {axis.destination_stride, axis.extent, axis.extent});
  axis.extent += places;
  padded->places = axis.extent;
}

/// Leaves what of a piece does not lie behind a contiguous axis to others (little is gained behind other
/// axes: padded_box.cpp). \param others pieces of padding besides this one \return places of that which does
std::int64_t split_piece(PaddedRows& rows, std::size_t axis, const PaddingPiece& piece, std::size_t others,
                         std::int64_t element_bytes) {
  if (rows.box.axes[axis].destination_stride != element_bytes) return 0;
  const std::vector<PaddingPiece> parts =
      parts_behind(rows.box, axis, piece, others + rows.rests.size(), element_bytes);
  if (parts.empty()) return 0;
  rows.rests.insert(rows.rests.end(), parts.begin() + 1, parts.end());
  return piece.length;
}

/// Lengthens an axis by a piece that lies behind it, or by a part of one if that has to be split. \return
/// whether one does
bool take_piece(PaddedRows& rows, std::span<const PaddingPiece> padding, std::int64_t element_bytes,
                bool splits) {
  for (std::size_t piece = 0; piece < padding.size(); ++piece) {
    if (std::ranges::find(rows.pieces, piece) != rows.pieces.end()) continue;
    for (std::size_t i = 0; i < rows.box.axes.size(); ++i) {
      Axis& axis = rows.box.axes[i];
      if (axis.extent == 1) continue;
      const std::int64_t places =
          splits ? split_piece(rows, i, padding[piece], padding.size() - 1, element_bytes)
                 : places_behind(rows.box, i, padding[piece], element_bytes);
      if (places == 0) continue;
      add_places(rows, axis, places);
      rows.pieces.push_back(piece);
      return true;
    }
  }
  return false;
}

}  // namespace

double PaddedRows::places_per_element() const {
  double places = 1;
  for (const PaddedAxis& axis : axes)
    places *= static_cast<double>(axis.places) / static_cast<double>(axis.data);
  return places;
}

std::optional<PaddedRows> padded_rows(const Box& box, std::span<const PaddingPiece> padding,
                                      std::int64_t element_bytes, bool may_split) {
  if (!box.has_plain_axes()) return std::nullopt;
  PaddedRows rows{.box = box, .axes = {}, .pieces = {}, .rests = {}};
  // A piece may lie behind an axis as it is once another has lengthened the rows.
  while (take_piece(rows, padding, element_bytes, false) ||
         (may_split && take_piece(rows, padding, element_bytes, true))) {
  }
  return rows.pieces.empty() ? std::nullopt : std::optional(std::move(rows));
}

std::optional<Box> data_of(const PaddedRows& rows, const Box& part, std::int64_t run_bytes) {
  Box data = part;
  for (const PaddedRows::PaddedAxis& padded : rows.axes) {
    const auto axis = std::ranges::find(data.axes, padded.destination_stride, &Axis::destination_stride);
    const bool in_run = padded.destination_stride < run_bytes;
    if (!in_run || axis == data.axes.end() || axis->extent != padded.places) return std::nullopt;
    axis->extent = padded.data;
  }
  std::erase_if(data.axes, [](const Axis& axis) { return axis.extent == 1; });
  return data;
}

void remove_covered(const PaddedRows& rows, std::vector<PaddingPiece>& padding) {
  std::vector<std::size_t> pieces = rows.pieces;
  std::ranges::sort(pieces, std::greater());
  for (const std::size_t piece : pieces) padding.erase(padding.begin() + static_cast<std::ptrdiff_t>(piece));
  padding.insert(padding.end(), rows.rests.begin(), rows.rests.end());
}

}  // namespace relayout::plan
