#include "src/plan/loops/fused_loops.hpp"

#include <algorithm>
#include <cstddef>

namespace relayout::plan {
namespace {

bool may_be_one(const Loop& outer, const Loop& inner) {
  return outer.is_counted() && inner.is_counted() && goes_on(outer, inner) && outer.guard == inner.guard &&
         (outer.guard < 0 || outer.guard_step == inner.guard_step * inner.trips);
}

void remove_guard(Nest& nest, int guard) {
  nest.guards.erase(nest.guards.begin() + guard);
  for (Loop& loop : nest.loops) {
    if (loop.guard == guard) loop.guard = -1;
    if (loop.guard > guard) --loop.guard;
  }
}

/// Of a guard that a single loop is under: what it leaves of the trips, and if it does nothing else, it goes.
void count_instead_of_guard(Nest& nest, Loop& loop) {
  const int index = loop.guard;
  if (index < 0) return;
  const Guard& guard = nest.guards[static_cast<std::size_t>(index)];
  if (std::ranges::count(nest.loops, index, &Loop::guard) > 1) return;
  loop.trips = loop.trips_within(guard.limit);
  if (!guard.overlaps()) remove_guard(nest, index);
}

}  // namespace

bool goes_on(const Loop& outer, const Loop& inner) {
  return outer.source_step_bytes == inner.trips * inner.source_step_bytes &&
         outer.destination_step_bytes == inner.trips * inner.destination_step_bytes;
}

void fuse_loops(Nest& nest) {
  for (std::size_t i = 0; i + 1 < nest.loops.size();) {
    Loop& outer = nest.loops[i];
    const Loop inner = nest.loops[i + 1];
    if (!may_be_one(outer, inner)) {
      ++i;
      continue;
    }
    outer.trips *= inner.trips;
    outer.guard_step = inner.guard_step;
    outer.source_step_bytes = inner.source_step_bytes;
    outer.destination_step_bytes = inner.destination_step_bytes;
    nest.loops.erase(nest.loops.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    if (nest.cut_loop > i) --nest.cut_loop;
    count_instead_of_guard(nest, nest.loops[i]);
  }
}

}  // namespace relayout::plan
