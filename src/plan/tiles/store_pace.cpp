// Stores alone, in the second cache of a Granite Rapids (12 ways; 2 MiB pages), to each of some rows in turn
// that are 4096 bytes and some more apart, then to the bytes behind, the next line of each fetched; ns each:
//
//                     64 bytes, rows                32 bytes, rows
//   bytes more     10    12    14    16    32    64    10    12    16    32    64
//            4    1.1   1.8   5.0   4.4   3.6   3.6   0.7   1.1   3.7   2.9   2.9
//           16    1.1   1.8   3.5   4.4   4.1   4.3   0.6   0.9   2.5   2.9   1.4
//           24    1.1   1.5   3.2   4.3   4.0   1.6   0.6   0.9   2.0   1.1   0.7
//           40    1.1   1.3   3.5   3.9   1.7   1.0   0.6   0.8   1.0   0.6   0.6
//           64    1.1   1.2   2.2   1.7   1.0   1.0   0.6   0.6   0.6   0.6   0.6
//           96    1.0   1.1   1.1   1.0   1.0   1.0   0.6   0.6   0.6   0.6   0.6
//
// More rows than the 12 ways wait for each other while fewer than some 18 stores to other sets lie between
// two to one. Rows of 4120 bytes, whose lines spread over six sets, are as slow as those of 4097, whose lines
// lie in one. A Zen 4 (8 ways) is the same but for their number, without fetches, runs of 64 bytes as two of
// 32:
//
//                     64 bytes, rows                32 bytes, rows
//   bytes more      8     9    12    24    64     8     9    12    24    64
//            4    1.0   2.7   3.4   3.7   3.1   0.6   2.2   2.7   2.3   1.9
//           24    1.0   2.4   3.2   2.6   1.3   0.6   1.3   1.8   1.4   0.8
//           40    1.0   1.8   2.0   1.4   1.2   0.6   1.0   1.0   0.8   0.7
//           64    0.6   0.8   1.0   0.6   0.5   0.3   0.4   0.4   0.3   0.4
//          128    0.6   0.6   0.7   0.6   0.5   0.6   0.6   0.3   0.3   0.4

#include "src/plan/tiles/store_pace.hpp"

#include <algorithm>
#include <cstddef>

#include "src/plan/machine/line.hpp"
#include "src/plan/tiles/row_sets.hpp"

namespace relayout::plan {
namespace {

/// Of 12 ways those that rows to write may take, the others are for lines that are read. Of a Zen 4's eight
/// ways ten as well: eight in tiles leave ends of one or two rows (142 random pairs 1.04 times as fast, 43
/// and 35, with ten 117, 1.05 times, 33 and 22).
constexpr std::size_t kWaysOfRows = 10;
/// Stores to other sets between two to one.
constexpr std::int64_t kStoresApart = 18;

}  // namespace

bool stores_keep_pace(std::vector<std::int64_t> rows, std::int64_t run_bytes) {
  if (rows.size() <= kWaysOfRows) return true;
  std::ranges::transform(rows, rows.begin(), place_in_page);
  std::ranges::sort(rows);
  const auto count = static_cast<std::int64_t>(rows.size());
  const std::int64_t least_bytes =
      kStoresApart * static_cast<std::int64_t>(kWaysOfRows) * std::min(run_bytes, kLineBytes) / count;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t last = i + kWaysOfRows;
    const std::int64_t bytes =
        last < rows.size() ? rows[last] - rows[i] : rows[last - rows.size()] + kSetSpanBytes - rows[i];
    if (bytes < least_bytes) return false;
  }
  return true;
}

bool stores_keep_pace(const Box& box, const MicroTile& tile) {
  return stores_keep_pace(rows_of_tile(box, tile, &Axis::destination_stride), tile.destination_run_bytes);
}

}  // namespace relayout::plan
