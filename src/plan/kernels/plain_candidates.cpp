#include "src/plan/kernels/plain_candidates.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <vector>

#include "src/plan/machine/kernel_cycles.hpp"
#include "src/plan/machine/line.hpp"

namespace relayout::plan {
namespace {

/// c128[623,11] transposed took 2.6 cycles an element by scalar moves of AVX2, 1.1 by a network (Zen 4). 21
/// random pairs of 16-byte elements ran at 1.48 of memcpy by scalar moves at AVX-512, at 1.63 by networks and
/// table shuffles (Cascade Lake; c128[9,43,32,11,5] 0.62 and 1.16).
constexpr double kWideGatheredElement = 2.5;
/// Elements that one call moves where each is on a line of its own: few enough that those lines are still in
/// the first cache when the next call wants their neighbours. Longer runs are cut: of 41 random pairs with
/// gathered tails 9 ran 1.2 to 6 times as fast, one 0.95 times; calls of 8 and 32 elements are as good, of 64
/// and more worse (u8[50,8154,3] out of (8,128)(2,1) tiles 0.15 and 0.96 of memcpy; Granite Rapids).
constexpr std::int64_t kGatheredLines = 16;
/// Where they share lines, a call moves so many that it costs nothing, and that arrays of one axis still have
/// trips for parts.
constexpr std::int64_t kGatheredElements = 1024;

/// The axis that is contiguous on both sides, or -1.
int shared_run_axis(const Box& box, std::int64_t element_bytes) {
  for (std::size_t i = 0; i < box.axes.size(); ++i) {
    const Axis& axis = box.axes[i];
    if (axis.follows_on_both_sides(element_bytes) && axis.guard < 0) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

std::vector<std::int64_t> takes_of(const Box& box, int axis) {
  std::vector<std::int64_t> takes(box.axes.size(), 1);
  if (axis >= 0) takes[static_cast<std::size_t>(axis)] = box.axes[static_cast<std::size_t>(axis)].extent;
  return takes;
}

/// Loop control around one copy. Shorter runs are as slow as the networks that have their elements:
/// f64[27,117,3] ran at 0.49 of memcpy by table shuffles, at 0.42 run by run (AVX2, Zen 5).
double copy_call_cycles(std::int64_t run_bytes, const PairSizes& sizes, const Target& target) {
  constexpr std::int64_t kShortRunBytes = 32;
  const bool cached = sizes.residence != Residence::kMemory;
  return cached && run_bytes > kShortRunBytes ? target.cached_copy_call_cycles : kCall;
}

/// Elements of an axis that one call gathers. Long axes are cut evenly, for the last call overlaps the one
/// before.
std::int64_t gathered_count(const Axis& along) {
  if (along.run_table >= 0) return along.extent;
  const bool on_lines_of_their_own =
      std::max(std::abs(along.source_stride), std::abs(along.destination_stride)) >= kLineBytes;
  if (on_lines_of_their_own) return std::min(along.extent, kGatheredLines);
  const std::int64_t calls = (along.extent + kGatheredElements - 1) / kGatheredElements;
  return (along.extent + calls - 1) / std::max<std::int64_t>(calls, 1);
}

}  // namespace

KernelCandidate copy_candidate(const Box& box, const PairSizes& sizes, const Target& target) {
  const std::int64_t element_bytes = sizes.element_bytes;
  const int axis = shared_run_axis(box, element_bytes);
  KernelCandidate candidate;
  candidate.family = KernelFamily::kCopy;
  candidate.takes = takes_of(box, axis);
  CopyKernel kernel{element_bytes, -1, element_bytes};
  if (axis >= 0) {
    const Axis& run = box.axes[static_cast<std::size_t>(axis)];
    kernel.bytes = run.extent * element_bytes;
    kernel.bytes_from_table = run.run_table;
    if (run.run_table >= 0) candidate.run_axis = axis;
  }
  const double vectors = static_cast<double>((kernel.bytes + target.vector_bytes - 1) / target.vector_bytes);
  candidate.cycles_per_byte = (copy_call_cycles(kernel.bytes, sizes, target) + vectors * (kLoad + kStore)) /
                              static_cast<double>(kernel.bytes);
  candidate.kernel = kernel;
  return candidate;
}

KernelCandidate gather_candidate(const Box& box, std::int64_t element_bytes, const Target& target,
                                 bool forced) {
  KernelCandidate candidate;
  candidate.family = KernelFamily::kGather;
  // Along the destination's run where there is one, else along the smallest destination stride.
  int axis = -1;
  for (std::size_t i = 0; i < box.axes.size() && axis < 0; ++i) {
    if (box.axes[i].guard < 0) axis = static_cast<int>(i);
  }
  candidate.takes = takes_of(box, axis);
  GatherKernel kernel;
  kernel.element_bytes = element_bytes;
  if (axis >= 0) {
    const Axis& along = box.axes[static_cast<std::size_t>(axis)];
    kernel.count = gathered_count(along);
    candidate.takes[static_cast<std::size_t>(axis)] = kernel.count;
    kernel.count_from_table = along.run_table;
    kernel.source_stride_bytes = along.source_stride;
    kernel.destination_stride_bytes = along.destination_stride;
    if (along.run_table >= 0) candidate.run_axis = axis;
  }
  const bool has_instruction = element_bytes == 4 || element_bytes == 8;
  // Cycles a gathered element, and a scalar load with insert: 0.7 and 0.5 on a Zen 5, 1.6 to 3.5 and 0.9 on a
  // Cascade Lake, probably since its microcode keeps them from leaking data.
  kernel.hardware = has_instruction && kernel.destination_stride_bytes == element_bytes && forced;
  const bool wide = element_bytes == 16 && (target.vector_bytes == 32 || target.is_short_of_shuffles());
  candidate.cycles_per_byte =
      ((wide ? kWideGatheredElement : kGatheredElement) + kCall / static_cast<double>(kernel.count)) /
      static_cast<double>(element_bytes);
  candidate.kernel = kernel;
  return candidate;
}

}  // namespace relayout::plan
