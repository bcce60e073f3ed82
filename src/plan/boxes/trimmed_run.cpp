#include "src/plan/boxes/trimmed_run.hpp"

#include "src/expr/small_vector.hpp"

namespace relayout::plan {

std::optional<TrimmedRun> trimmed_run(const Box& box, int guard, bool at_source) {
  expr::SmallVector<const Axis*, 4> axes;
  for (const Axis& axis : box.axes)
    if (axis.guard == guard) axes.push_back(&axis);
  // Along a run the guard's steps are as the strides are, each going on where the axes before it end.
  std::int64_t places = 1;
  std::int64_t unit = 0;
  for (std::size_t found = 0; found < axes.size(); ++found) {
    const Axis* next = nullptr;
    for (const Axis* axis : axes)
      if (axis->guard_step == places) next = axis;
    if (next == nullptr) return std::nullopt;
    const std::int64_t stride = at_source ? next->source_stride : next->destination_stride;
    if (places == 1) unit = stride;
    if (unit <= 0 || stride != unit * places) return std::nullopt;
    places *= next->extent;
  }
  const std::int64_t limit = box.guard_limits[static_cast<std::size_t>(guard)];
  if (axes.empty() || limit >= places) return std::nullopt;
  return TrimmedRun{guard, at_source, unit, unit * places, unit * limit};
}

std::optional<TrimmedRun> first_trimmed_run(const Box& box, bool at_source) {
  for (std::size_t guard = 0; guard < box.guard_limits.size(); ++guard) {
    const auto run = trimmed_run(box, static_cast<int>(guard), at_source);
    if (run && run->places_bytes <= kMostTrimmedRunBytes) return run;
  }
  return std::nullopt;
}

std::optional<TrimmedRun> trimmed_row(const Box& box) {
  if (box.guard_limits.size() != 1) return std::nullopt;
  auto row = trimmed_run(box, 0, false);
  const bool suits =
      row && row->places_bytes <= kMostTrimmedRowBytes && 4 * row->data_bytes >= 3 * row->places_bytes;
  return suits ? row : std::nullopt;
}

}  // namespace relayout::plan
