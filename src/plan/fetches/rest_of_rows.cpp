#include "src/plan/fetches/rest_of_rows.hpp"

#include <algorithm>
#include <cstddef>
#include <variant>

#include "src/plan/machine/line.hpp"

namespace relayout::plan {
namespace {

/// Whether the tiles that continue the rows of this one are near enough for their lines to wait in the first
/// cache: those that come between are written meanwhile. In a Cascade Lake's last cache 18 transposes of
/// narrow or byte matrices ran at 0.47 of memcpy with the lines of the next call fetched, which is mostly too
/// late for them, at 0.63 with those that continue the rows (u8[7017,264] 0.44 and 0.70); 200 random pairs
/// there at 0.87 and 0.89. Twice as many between made no difference.
constexpr std::int64_t kMostBetweenOfFirstCache = 2;  ///< one part of so many

}  // namespace

std::int64_t bytes_to_rest_of_rows(const Nest& nest, const std::vector<Extent>& written_runs,
                                   std::int64_t level1_data_bytes) {
  if (!std::holds_alternative<PermuteKernel>(nest.kernel)) return 0;
  std::int64_t written = 0;
  std::int64_t row_bytes = 0;
  for (const Extent& run : written_runs) {
    written += run.bytes;
    row_bytes = std::max(row_bytes, run.bytes);
  }
  if (row_bytes < kLineBytes / 2) return 0;
  const std::int64_t most_between = level1_data_bytes / kMostBetweenOfFirstCache;
  for (std::size_t i = nest.loops.size(); i-- > 0 && written <= most_between;) {
    if (nest.loops[i].destination_step_bytes == row_bytes) return std::max(row_bytes, kLineBytes);
    written *= nest.loops[i].trips;
  }
  return 0;
}

}  // namespace relayout::plan
