#include "src/plan/kernels/aligned_stores.hpp"

#include <algorithm>
#include <variant>

#include "src/plan/kernels/shuffle.hpp"

namespace relayout::plan {
namespace {

/// Padding that begins or ends within a line is streamed where it fills two lines at least.
constexpr std::int64_t kShortestStreamedFillBytes = 192;

bool kernel_stores_are_aligned(const Kernel& kernel, std::int64_t alignment_bytes) {
  if (const auto* copy = std::get_if<CopyKernel>(&kernel)) {
    return copy->bytes_from_table < 0 && copy->bytes % alignment_bytes == 0;
  }
  if (const auto* fill = std::get_if<FillKernel>(&kernel)) return fill->bytes % alignment_bytes == 0;
  if (const auto* shuffle = std::get_if<ShuffleKernel>(&kernel))
    return writes_whole_lines(*shuffle, alignment_bytes);
  const auto* permute = std::get_if<PermuteKernel>(&kernel);
  if (permute == nullptr || permute->network.destination.piece_bytes() < permute->network.vector_bytes ||
      !permute->network.destination.pieces.empty())
    return false;
  const auto& strides = permute->network.destination.register_stride_bytes;
  const std::int64_t vector_bytes = permute->network.vector_bytes;
  // Vectors of half a line have to come in pairs: c128 into (4,1) tiles of which 2 of 4 are data, streamed in
  // halves, ran at 0.20 of memcpy, through the caches at 0.57 (Zen 4).
  const bool whole_lines =
      vector_bytes % alignment_bytes == 0 || std::ranges::find(strides, vector_bytes) != strides.end();
  return whole_lines && std::ranges::all_of(strides, [&](std::int64_t stride) {
           return stride % alignment_bytes == 0 || stride == vector_bytes;
         });
}

}  // namespace

bool steps_are_aligned(const Nest& nest, std::int64_t alignment_bytes) {
  const auto aligned = [alignment_bytes](std::int64_t offset) { return offset % alignment_bytes == 0; };
  for (const Loop& loop : nest.loops) {
    if (!aligned(loop.destination_step_bytes)) return false;
  }
  for (const Guard& guard : nest.guards) {
    if (!aligned(guard.destination_back_bytes)) return false;
  }
  for (const RunTable& table : nest.tables) {
    for (const Run& run : table) {
      if (!aligned(run.destination_offset_bytes)) return false;
    }
  }
  return true;
}

bool stores_are_aligned(const Nest& nest, std::int64_t alignment_bytes) {
  if (!steps_are_aligned(nest, alignment_bytes)) return false;
  const auto* fill = std::get_if<FillKernel>(&nest.kernel);
  if (fill != nullptr && fill->bytes >= kShortestStreamedFillBytes) return true;
  return nest.destination_base_bytes % alignment_bytes == 0 &&
         kernel_stores_are_aligned(nest.kernel, alignment_bytes);
}

}  // namespace relayout::plan
