#include "src/plan/streamed_runs.hpp"

#include <algorithm>

#include "src/plan/preferred_runs.hpp"

namespace relayout::plan {
namespace {

/// Of four lines' bytes three are streamed on average.
constexpr std::int64_t kShortestStreamedRunBytes = 256;

std::int64_t written_run_bytes(const Network& network) {
  std::int64_t bytes = network.vector_bytes;
  const auto& strides = network.destination.register_stride_bytes;
  while (std::ranges::find(strides, bytes) != strides.end()) bytes *= 2;
  return bytes;
}

}  // namespace

std::int64_t tile_bytes(const Network& network) {
  return std::int64_t{network.vector_bytes} << network.slots;
}

bool streams_runs(const Target& target) {
  return target.vector_bytes == 32;  // not measured with 64
}

bool can_stream_runs(const Network& network, const Target& target) {
  return streams_runs(target) && network.destination.piece_bytes() == network.vector_bytes &&
         written_run_bytes(network) >= kShortestStreamedRunBytes &&
         tile_bytes(network) <= kMaximumPreferredTileBytes;
}

}  // namespace relayout::plan
