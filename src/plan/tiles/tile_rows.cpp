#include "src/plan/tiles/tile_rows.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace relayout::plan {

TileRows tile_rows(const Side& side) {
  std::vector<std::int64_t> strides = side.lane_stride_bytes;
  strides.insert(strides.end(), side.register_stride_bytes.begin(), side.register_stride_bytes.end());
  std::ranges::sort(strides, {}, [](std::int64_t stride) { return std::abs(stride); });
  TileRows rows;
  for (const std::int64_t stride : strides) {
    if (rows.count == 1 && stride == rows.run_bytes) {
      rows.run_bytes *= 2;
    } else if (stride != 0) {
      rows.count *= 2;
      rows.apart_bytes = std::gcd(rows.apart_bytes, stride);
    }
  }
  return rows;
}

}  // namespace relayout::plan
