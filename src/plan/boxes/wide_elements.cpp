#include "src/plan/boxes/wide_elements.hpp"

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

/// Visits all that a piece has in elements.
template <class Piece, class Visit>
void visit_elements(Piece& piece, Visit visit) {
  visit(piece.destination_base);
  visit(piece.length);
  for (auto& iterator : piece.iterators) visit(iterator.destination_stride);
}

bool has_whole_groups(const PaddingPiece& piece, std::int64_t elements) {
  bool whole = true;
  visit_elements(piece, [&](std::int64_t count) { whole = whole && count % elements == 0; });
  return whole;
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
  for (PaddingPiece& piece : groups) visit_elements(piece, [&](std::int64_t& count) { count /= elements; });
  return groups;
}

std::vector<PaddingPiece> in_elements(std::vector<PaddingPiece> padding, std::int64_t elements) {
  for (PaddingPiece& piece : padding) visit_elements(piece, [&](std::int64_t& count) { count *= elements; });
  return padding;
}

}  // namespace relayout::plan
