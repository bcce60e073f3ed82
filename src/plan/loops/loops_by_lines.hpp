#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/plan/loops/loop_order.hpp"
#include "src/plan/model/plan.hpp"
#include "src/plan/model/target.hpp"

namespace relayout::plan {

/// What order_loops sets of a nest.
struct LoopsInOrder {
  std::vector<Loop> loops;
  std::vector<Guard> guards;
  std::size_t cut_loop = 0;
  std::int64_t prefetch_source_bytes = 0;
  bool follows_rows_to_read = false;

  static LoopsInOrder of(const Nest& nest);
  void put_into(Nest& nest) &&;
};

/// Orders the loops of `nest`, which are in an order already, for the first of `others` that fetches far
/// fewer lines into the first cache (Target::first_cache_destination_line; those that are written in parts,
/// by stores that wait for each other, count twice, Target::orders_loops_by_pace), then for the next that
/// fetches far fewer than that, and so on; or leaves them. `unordered` are the nest's loops as they were.
/// Takes a few microseconds for each of them.
void order_by_lines(Nest& nest, const LoopsInOrder& unordered, const TileRuns& runs, int ragged_guards,
                    std::span<const LoopGoals> others, const Target& target);

}  // namespace relayout::plan
