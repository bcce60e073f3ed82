#include "src/plan/kernels/streamed_runs.hpp"

#include <algorithm>
#include <cstdlib>
#include <variant>

#include "src/plan/kernels/aligned_stores.hpp"
#include "src/plan/machine/line.hpp"
#include "src/plan/tiles/preferred_runs.hpp"
#include "src/plan/tiles/tile_rows.hpp"

namespace relayout::plan {
namespace {

/// Of four lines' bytes three are streamed on average.
constexpr std::int64_t kShortestStreamedRunBytes = 256;
/// Runs of 196 bytes into rows of 256, on a Zen 4: 0.93 of memcpy stored plainly, 1.10 streamed; of 132 bytes
/// 0.66 and 0.68.
constexpr std::int64_t kShortestRunOnLinesBytes = 192;

/// Streaming stores to lines that stores through the caches have just written in part wait for them, some 300
/// ns on a Zen 3. There seven pairs of rows of 700 to 3000 bytes that end in such runs ran at 0.29 of memcpy
/// streamed, at 0.99 not (f32[207732,43] to [0, 1, 0 p(4)] 0.23 and 1.21), two of 5600 and 22000 at 1.11 and
/// 1.06.
constexpr std::int64_t kOftenOverlappingBytes = 3072;

bool has_long_runs(const Network& network) {
  return network.destination.pieces.empty() && network.destination.piece_bytes() == network.vector_bytes &&
         written_run_bytes(network) >= kShortestStreamedRunBytes &&
         network.tile_bytes() <= kMaximumPreferredTileBytes;
}

bool has_long_runs(const CopyKernel& copy, bool on_lines) {
  return copy.bytes_from_table < 0 &&
         copy.bytes >= (on_lines ? kShortestRunOnLinesBytes : kShortestStreamedRunBytes);
}

}  // namespace

std::int64_t written_run_bytes(const Network& network) {
  return tile_rows(network.destination).run_bytes;
}

bool can_stream_runs(const Nest& nest) {
  if (const auto* copy = std::get_if<CopyKernel>(&nest.kernel))
    return has_long_runs(*copy, begins_on_lines(nest));
  const auto* permute = std::get_if<PermuteKernel>(&nest.kernel);
  return permute != nullptr && has_long_runs(permute->network);
}

bool runs_overlap_often(const Nest& nest, std::int64_t run_bytes) {
  const std::size_t loops = nest.staging ? nest.staging->first_loop : nest.loops.size();
  if (loops == 0 || nest.loops[loops - 1].guard < 0) return false;
  const Guard& guard = nest.guards[static_cast<std::size_t>(nest.loops[loops - 1].guard)];
  const std::int64_t back_bytes = std::abs(guard.destination_back_bytes);
  return back_bytes > 0 && back_bytes < run_bytes && guard.limit * run_bytes <= kOftenOverlappingBytes;
}

bool padding_cuts_lines(const Nest& nest) {
  const auto* fill = std::get_if<FillKernel>(&nest.kernel);
  return fill != nullptr && (fill->bytes % kLineBytes != 0 || nest.destination_base_bytes % kLineBytes != 0);
}

bool begins_on_lines(const Nest& nest) {
  return nest.destination_base_bytes % kLineBytes == 0 && steps_are_aligned(nest, kLineBytes);
}

}  // namespace relayout::plan
