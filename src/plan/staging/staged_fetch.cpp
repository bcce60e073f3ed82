// While a block is put together its kernel fetches the next one, and while its runs leave nothing is read:
// memory is read and written in turn. Where each line that leaves fetches another, half a block further on,
// either does half of the reading. On a Zen 3, of 8000 random pairs of 14 to 250 MiB 263 change, and of 136
// of these 75 were faster by a twentieth and three slower, 0.93 and 0.99 of memcpy (u8[822,19168] out of
// (16,1) tiles 0.81 and 1.01, bf16[25586,512][1, 0, 1 p(4)] transposed 1.19 and 1.46;
// f32[96,12,1892]{1,0,2} reversed, 17 MiB, 1.18 and 1.08). Four others, whose blocks do not begin where the
// last one ended, get no such fetch: 0.82 and 0.95 with it (u8[28247,1269] out of (8,128)(2,1) tiles 0.80 and
// 1.04). A whole block further on gains as much, but of 130 others 12 lost instead of three; with no other
// fetches 87 ran 1.01 times as fast, 33 and 22.

#include "src/plan/staging/staged_fetch.hpp"

#include <algorithm>
#include <vector>

namespace relayout::plan {
namespace {

/// What is fetched past the last block of a loop is in vain.
constexpr std::int64_t kFewestBlocks = 8;

/// Of the block's source, if it lies there in one piece; else 0. Where that was much shorter than the runs,
/// beside padding, as many pairs lost as won; of blocks that read rows far apart 69 ran 1.02 times as fast
/// with these fetched, 17 and seven.
std::int64_t stretch_bytes(const Box& block) {
  std::vector<Axis> axes = block.axes;
  std::ranges::sort(axes, {}, &Axis::source_stride);
  std::int64_t bytes = 0;
  for (const Axis& axis : axes) {
    if (bytes == 0) bytes = axis.source_stride;
    if (axis.source_stride > bytes) return 0;
    bytes += (axis.extent - 1) * axis.source_stride;
  }
  return bytes;
}

/// But for a twentieth: tiles' ends that are not data, and blocks that overlap.
bool is_about(std::int64_t bytes, std::int64_t wanted_bytes) {
  return 20 * bytes >= 19 * wanted_bytes && 20 * bytes <= 21 * wanted_bytes;
}

}  // namespace

std::int64_t fetched_as_runs_leave(const Nest& nest, const Box& block) {
  const Staging& staging = *nest.staging;
  const Loop& next = nest.loops[staging.first_loop - 1];
  const bool is_walked_backwards = staging.first_bytes != 0;
  if (nest.prefetch_source_bytes == 0 || is_walked_backwards || next.trips < kFewestBlocks) return 0;
  const std::int64_t read_bytes = stretch_bytes(block);
  if (!is_about(read_bytes, staging.all_runs() * staging.run_bytes)) return 0;
  if (!is_about(next.source_step_bytes, read_bytes)) return 0;
  return nest.prefetch_source_bytes + next.source_step_bytes / 2;
}

}  // namespace relayout::plan
