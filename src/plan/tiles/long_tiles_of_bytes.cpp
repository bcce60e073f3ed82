// In a nearly full last cache tiles of 16 rows, which suit it, are slow where rows to write begin anywhere,
// and are not streamed. Of 400 transposes of 14 to 24 MiB on a Zen 4 119 change, 0.38 and 0.45 of memcpy, 88
// faster by a twentieth and 17 slower, of 2000 random pairs of bytes 47, 0.37 and 0.47, 37 and four; beside a
// neighbour that copies 8 MiB in turn 36 of 150 transposes 0.35 and 0.42, 27 and six. Out of rows further
// apart tiles of a line each way are faster: 130 up to 18 MiB 0.30 with tiles of 16 rows, 0.39 with such,
// 0.36 with long runs. Rows to write of less than 1 KiB gain and lose, and those of less than 64 bytes to
// read lose.

#include "src/plan/tiles/long_tiles_of_bytes.hpp"

#include <cstdint>
#include <cstdlib>

#include "src/plan/machine/line.hpp"
#include "src/plan/tiles/row_sets.hpp"

namespace relayout::plan {
namespace {

constexpr std::int64_t kByte = 1;
constexpr std::int64_t kLongWrittenRowBytes = 1024;
constexpr std::int64_t kNearReadRowsBytes = 1024;

/// How far apart at the source the rows are that a long row to write gathers bytes of; nothing without one.
std::optional<std::int64_t> gathered_rows_apart(const Box& box) {
  for (const Axis& axis : box.axes)
    if (axis.destination_stride == kByte && axis.extent >= kLongWrittenRowBytes)
      return std::abs(axis.source_stride);
  return std::nullopt;
}

}  // namespace

bool suits_long_tiles_of_bytes(const Box& box, const PairSizes& sizes, const Target& target) {
  return target.lengthens_tiles_of_bytes_early && sizes.element_bytes == kByte &&
         sizes.leaves_last_cache_early() && !destination_rows_begin_on_lines(box) &&
         has_row(box, &Axis::source_stride, kLineBytes, kByte) && gathered_rows_apart(box).has_value();
}

std::optional<PreferredRuns> runs_of_long_tiles_of_bytes(const Box& box) {
  if (*gathered_rows_apart(box) >= kNearReadRowsBytes) return std::nullopt;
  return PreferredRuns{{32, 256}, "whole lines of longer runs are streamed, out of rows next to each other"};
}

}  // namespace relayout::plan
