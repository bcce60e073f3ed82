#include "src/plan/kernels/striped_scratch.hpp"

#include <algorithm>
#include <numeric>

#include "src/plan/model/scratch.hpp"
#include "src/plan/tiles/row_sets.hpp"
#include "src/plan/tiles/tile_rows.hpp"

// A line that is streamed holds a way of its set of the first cache until it has left. If a tile's rows are a
// multiple of 4 KiB apart, all of its lines pass through one set, and the one line of the scratch that
// belongs there waits for dozens of them, and what is to be streamed waits for it: a chain of loads through
// 64 lines took 5.9 ns a load beside lines streamed 4096 bytes apart, 1.2 ns beside others, and 1.2 ns too
// where the loads kept out of that set (Zen 3).
//
// Ratios to memcpy of transposes past the last cache, in one piece and in stripes, on that Zen 3: of 96
// unseen ones of 1, 2 and 4 bytes, rows filling lines, 51 change, 0.47 and 0.65, of 90 others 42, 0.48 and
// 0.66, all of them faster by a twentieth (u8 4096x4096 0.42 and 0.71, bf16[4096,3584] 0.64 and 1.09,
// f32[1024,7040] 0.70 and 0.96).

namespace relayout::plan {
namespace {

/// Shorter stripes have not been tried: rows 512 bytes apart spread over eight sets, which take their lines.
constexpr std::int64_t kShortestStripeBytes = 512;

}  // namespace

void stripe_scratch(Network& network, const Target& target) {
  if (network.scratch_bytes == 0 || !network.destination.pieces.empty()) return;
  const TileRows rows = tile_rows(network.destination);
  const std::int64_t period = std::gcd(kSetSpanBytes, rows.apart_bytes);
  const std::int64_t stripe = period / 2;
  const std::int64_t rows_in_set = rows.count * period / kSetSpanBytes;
  if (rows_in_set <= target.level1_data_ways || stripe < kShortestStripeBytes) return;
  const std::int64_t first = std::min(network.tile_bytes(), stripe);
  const std::int64_t stripes = (network.tile_bytes() + stripe - 1) / stripe;
  const std::int64_t bytes = period * stripes + first;  // up to a period to the first one included
  if (rows.run_bytes > stripe / 2 || bytes > static_cast<std::int64_t>(kUsualScratchBytes)) return;
  network.scratch_stripes = {stripe, stripe + (rows.run_bytes - first) / 2};
  network.scratch_bytes = bytes;
}

}  // namespace relayout::plan
