#include "src/plan/boxes/cut_box.hpp"

#include <algorithm>
#include <numeric>

#include "src/plan/machine/line.hpp"

namespace relayout::plan {
namespace {

/// The outermost of the axes that make up the destination's rows; none if elements are not contiguous or if
/// the row's length is not the same everywhere.
const Axis* last_of_row(const Box& box, std::int64_t element_bytes) {
  const Axis* last = nullptr;
  std::int64_t row_bytes = element_bytes;
  while (true) {
    const auto next = std::ranges::find(box.axes, row_bytes, &Axis::destination_stride);
    if (next == box.axes.end()) return last;
    if (next->guard >= 0 || next->run_table >= 0) return nullptr;
    last = &*next;
    row_bytes *= next->extent;
  }
}

}  // namespace

CutBox cut_axis(const Box& box, std::size_t index, std::int64_t whole, std::int64_t rest) {
  const Axis& axis = box.axes[index];
  CutBox cut{box, box};
  cut.whole.axes[index].extent = whole;
  cut.rest.axes[index].extent = rest;
  cut.rest.source_base += (axis.extent - rest) * axis.source_stride;
  cut.rest.destination_base += (axis.extent - rest) * axis.destination_stride;
  // Axes of boxes have two elements at least.
  if (rest == 1) cut.rest.axes.erase(cut.rest.axes.begin() + static_cast<std::ptrdiff_t>(index));
  return cut;
}

std::optional<CutBox> cut_at_last_line(const Box& box, std::int64_t element_bytes) {
  const Axis* const last = last_of_row(box, element_bytes);
  if (last == nullptr || !box.tables.empty() || !box.sub_byte_bits.empty()) return std::nullopt;
  const std::int64_t in_lines = kLineBytes / std::gcd(last->destination_stride, kLineBytes);
  const std::int64_t rest = last->extent % in_lines;
  if (rest == 0 || rest == last->extent) return std::nullopt;
  const auto axis = static_cast<std::size_t>(last - box.axes.data());
  CutBox cut = cut_axis(box, axis, last->extent - rest, rest);
  if (!destination_rows_fill_lines(cut.whole)) return std::nullopt;
  return cut;
}

}  // namespace relayout::plan
