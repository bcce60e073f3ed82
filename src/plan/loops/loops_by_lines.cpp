// In the second cache. Of 518 random pairs on an Emerald Rapids, in several orders each, 857 differences in
// time were fitted to those of a simulated first cache: a line of the source that misses it costs a cycle, a
// line of the destination fetched ahead or found missing by a store some five, which explains 0.63 of the
// differences' variance. Stores retire in order, and rows that share sets drop each other's lines between the
// prefetch and the store: bf16[5,128,78,4][1, 3, 0, 2] to [2, 1, 0, 3], 78 rows of 5 KiB, was written at 0.13
// of memcpy in blocks, at 0.47 in the destination's order.
//
// On a Zen 3, 1536 differences of 736 pairs: 1.6 cycles a line of either side, 0.49 of the variance (of the
// estimated lines 1.5 and 1.0, 0.46). What these leave are misses to one set after the other, which do not
// overlap: f64[512,54] transposed takes 20 cycles for each of them.

#include "src/plan/loops/loops_by_lines.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "src/plan/loops/lines_fetched.hpp"
#include "src/plan/loops/written_pace.hpp"

namespace relayout::plan {
namespace {

/// Of what an order costs that is given up for another. With 0.95 a third more pairs changed, and as many of
/// these lost as gained; with 0.85 a quarter of the gain was lost. Of 6000 random pairs on a Zen 3 0.95
/// gained 135 and lost 29, this 115 and 20.
constexpr double kFarFewer = 0.9;

/// What lines to write cost more whose stores wait for each other. Of 6500 transposes of rows nearly a
/// multiple of 4096 bytes or of a part of that apart 46 change, 0.34 and 0.49 of memcpy, 38 faster by a
/// twentieth and five slower (f64[21,510] 0.28 and 0.71); at AVX2 39, 0.33 and 0.43, 35 and two. Of 60000
/// random pairs 22, 0.50 and 0.71, 15 and seven (c128[771,16] 0.32 and 0.86). 3, 5 and 10 change hardly more
/// (Granite Rapids). Calls that write whole lines wait half as long, and other things count more: of the same
/// 60000 pairs 245 would change, as fast, 72 and 51, at AVX2 no faster.
constexpr double kWaiting = 2;

double cost_of_lines(const Nest& nest, const Target& target) {
  const FetchedLines lines = lines_fetched_by_sets(nest, target);
  const bool wait = target.orders_loops_by_pace && !calls_write_whole_lines(nest) && !stores_keep_pace(nest);
  return lines.source + target.first_cache_destination_line * (wait ? kWaiting : 1) * lines.destination;
}

}  // namespace

LoopsInOrder LoopsInOrder::of(const Nest& nest) {
  return {nest.loops, nest.guards, nest.cut_loop, nest.prefetch_source_bytes, nest.follows_rows_to_read};
}

void LoopsInOrder::put_into(Nest& nest) && {
  nest.loops = std::move(loops);
  nest.guards = std::move(guards);
  nest.cut_loop = cut_loop;
  nest.prefetch_source_bytes = prefetch_source_bytes;
  nest.follows_rows_to_read = follows_rows_to_read;
}

void order_by_lines(Nest& nest, const LoopsInOrder& unordered, const TileRuns& runs, int ragged_guards,
                    std::span<const LoopGoals> others, const Target& target) {
  double least = cost_of_lines(nest, target);
  LoopsInOrder best = LoopsInOrder::of(nest);
  std::vector<std::vector<Loop>> counted = {nest.loops};  // orders are often the same
  for (const LoopGoals& goals : others) {
    LoopsInOrder(unordered).put_into(nest);
    order_loops(nest, runs, ragged_guards, goals);
    if (std::ranges::find(counted, nest.loops) != counted.end()) continue;
    counted.push_back(nest.loops);
    const double cost = cost_of_lines(nest, target);
    if (cost >= kFarFewer * least) continue;
    least = cost;
    best = LoopsInOrder::of(nest);
  }
  std::move(best).put_into(nest);
}

}  // namespace relayout::plan
