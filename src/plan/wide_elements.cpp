#include "src/plan/wide_elements.hpp"

#include <algorithm>
#include <bit>

namespace relayout::plan {
namespace {

constexpr std::int64_t kWidestElementBytes = 16;

/// Whether no guard or table cuts the axis, which makes up an element of so many bytes.
bool is_group(const Axis& axis, std::int64_t group_bytes) {
  return axis.guard < 0 && axis.run_table < 0 && group_bytes <= kWidestElementBytes &&
         std::has_single_bit(static_cast<std::uint64_t>(group_bytes));
}

bool has_whole_groups(const PaddingPiece& piece, std::int64_t elements) {
  return piece.destination_base % elements == 0 && piece.length % elements == 0 &&
         std::ranges::all_of(piece.iterators, [&](const Iterator& iterator) {
           return iterator.destination_stride % elements == 0;
         });
}

}  // namespace

std::optional<WideBox> with_wide_elements(const Box& box, std::int64_t element_bytes) {
  if (box.axes.size() < 2 || !box.tables.empty() || !box.sub_byte_bits.empty()) return std::nullopt;
  const auto group = std::ranges::find_if(
      box.axes, [&](const Axis& axis) { return axis.follows_on_both_sides(element_bytes); });
  if (group == box.axes.end()) return std::nullopt;
  const std::int64_t group_bytes = group->extent * element_bytes;
  if (!is_group(*group, group_bytes)) return std::nullopt;
  WideBox wide{box, group_bytes};
  wide.box.axes.erase(wide.box.axes.begin() + (group - box.axes.begin()));
  return wide;
}

std::optional<std::vector<PaddingPiece>> in_groups(std::span<const PaddingPiece> padding,
                                                   std::int64_t elements) {
  const auto is_whole = [&](const PaddingPiece& piece) { return has_whole_groups(piece, elements); };
  if (!std::ranges::all_of(padding, is_whole)) return std::nullopt;
  std::vector<PaddingPiece> groups(padding.begin(), padding.end());
  for (PaddingPiece& piece : groups) {
    piece.destination_base /= elements;
    piece.length /= elements;
    for (Iterator& iterator : piece.iterators) iterator.destination_stride /= elements;
  }
  return groups;
}

std::vector<PaddingPiece> in_elements(std::vector<PaddingPiece> padding, std::int64_t elements) {
  for (PaddingPiece& piece : padding) {
    piece.destination_base *= elements;
    piece.length *= elements;
    for (Iterator& iterator : piece.iterators) iterator.destination_stride *= elements;
  }
  return padding;
}

}  // namespace relayout::plan
