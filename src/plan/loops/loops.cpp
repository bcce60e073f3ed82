#include "src/plan/loops/loops.hpp"

#include <utility>
#include <variant>

#include "src/plan/kernels/aligned_stores.hpp"
#include "src/plan/loops/loop_rules.hpp"
#include "src/plan/machine/line.hpp"

namespace relayout::plan {
namespace {

/// Contiguous bytes per step when a box is one long run: enough steps to cut into parts.
constexpr std::int64_t kChunkBytes = 32 * 1024;

/// Of a run cut into chunks of at most kChunkBytes, of whole lines: the last one, which overlaps the one
/// before, should not move much of it again.
std::int64_t even_chunk_bytes(std::int64_t run_bytes) {
  const std::int64_t chunks = (run_bytes + kChunkBytes - 1) / kChunkBytes;
  const std::int64_t lines = (run_bytes + kLineBytes * chunks - 1) / (kLineBytes * chunks);
  return lines * kLineBytes;
}

class NestMaker {
 public:
  NestMaker(const Box& box, KernelCandidate candidate, const PairSizes& sizes, const Target& target)
      : box_(box), candidate_(std::move(candidate)), sizes_(sizes), target_(target) {}

  Nest run(std::optional<LoopWalk> walk) {
    if (!walk) walk = candidate_.walk;
    nest_.source_base_bytes = box_.source_base;
    nest_.destination_base_bytes = box_.destination_base;
    for (const std::int64_t limit : box_.guard_limits) nest_.guards.push_back({limit, 0, 0});
    nest_.tables = box_.tables;
    add_table_loops();
    chunk_long_runs();
    for (std::size_t i = box_.axes.size(); i-- > 0;) add_axis(i);
    const TileRuns runs = tile_runs();
    nest_.kernel = std::move(candidate_.kernel);
    apply_loop_rules(nest_, {box_, MicroTile{candidate_.takes}, runs, sizes_, target_}, walk);
    if (nest_.loops.empty()) nest_.loops.push_back({});
    nest_.destination_aligned = stores_are_aligned(nest_, target_.line_bytes);
    return std::move(nest_);
  }

 private:
  void add_table_loops() {
    for (std::size_t i = 0; i < nest_.tables.size(); ++i) {
      Loop loop;
      loop.trips = static_cast<std::int64_t>(nest_.tables[i].size());
      loop.table = static_cast<int>(i);
      nest_.loops.push_back(loop);
    }
  }

  /// A box that is nothing but one long run gets a loop over chunks of it.
  void chunk_long_runs() {
    auto* copy = std::get_if<CopyKernel>(&candidate_.kernel);
    if (copy == nullptr || candidate_.run_axis >= 0 || copy->bytes < 2 * kChunkBytes) return;
    const std::int64_t chunk_bytes = even_chunk_bytes(copy->bytes);
    for (std::size_t i = 0; i < candidate_.takes.size(); ++i) {
      if (candidate_.takes[i] == 1) continue;
      candidate_.takes[i] = chunk_bytes / sizes_.element_bytes;
      copy->bytes = candidate_.takes[i] * sizes_.element_bytes;
    }
  }

  void add_axis(std::size_t index) {
    if (static_cast<int>(index) == candidate_.run_axis || is_trimmed(box_.axes[index])) return;
    const Loop loop = stepped_loop(box_.axes[index], candidate_.takes[index], nest_.guards);
    if (loop.trips > 1 || loop.trips_from_table >= 0 || loop.guard >= 0) nest_.loops.push_back(loop);
  }

  const TrimmedRun* trimmed() const {
    return candidate_.rounded && candidate_.rounded->trimmed ? &*candidate_.rounded->trimmed : nullptr;
  }

  /// Whether the kernel does what the axis's guard is for.
  bool is_trimmed(const Axis& axis) const {
    return axis.guard >= 0 && trimmed() != nullptr && trimmed()->guard == axis.guard;
  }

  /// Contiguous bytes from a tile's first byte on.
  std::int64_t run_bytes(std::int64_t Axis::*stride) const {
    const bool ends = trimmed() != nullptr && trimmed()->at_source == (stride == &Axis::source_stride);
    std::int64_t bytes = sizes_.element_bytes;
    for (bool longer = true; longer;) {
      if (ends && bytes == trimmed()->places_bytes) bytes = trimmed()->data_bytes;
      longer = sub_byte_bit_continues(box_, bytes, stride == &Axis::source_stride);
      if (longer) bytes *= 2;
      for (std::size_t i = 0; i < box_.axes.size(); ++i) {
        if (candidate_.takes[i] == 1 || box_.axes[i].*stride != bytes) continue;
        bytes *= candidate_.takes[i];
        longer = true;
      }
    }
    return bytes;
  }

  TileRuns tile_runs() const {
    TileRuns runs{run_bytes(&Axis::source_stride), run_bytes(&Axis::destination_stride),
                  sizes_.element_bytes};
    for (const std::int64_t take : candidate_.takes) runs.tile_bytes *= take;
    runs.tile_bytes <<= box_.sub_byte_bits.size();
    return runs;
  }

  const Box& box_;
  KernelCandidate candidate_;
  const PairSizes& sizes_;
  const Target& target_;
  Nest nest_;
};

}  // namespace

Loop stepped_loop(const Axis& axis, std::int64_t take, std::vector<Guard>& guards) {
  Loop loop;
  loop.trips = (axis.extent + take - 1) / take;
  loop.source_step_bytes = take * axis.source_stride;
  loop.destination_step_bytes = take * axis.destination_stride;
  loop.guard = axis.guard;
  loop.guard_step = axis.guard_step;
  loop.trips_from_table = axis.run_table;
  if (axis.extent % take != 0) {
    const std::int64_t back = take - axis.extent % take;
    loop.guard = static_cast<int>(guards.size());
    loop.guard_step = 1;
    guards.push_back({loop.trips, back * axis.source_stride, back * axis.destination_stride});
  }
  return loop;
}

Nest make_nest(const Box& box, KernelCandidate candidate, const PairSizes& sizes, const Target& target,
               std::optional<LoopWalk> walk) {
  return NestMaker(box, std::move(candidate), sizes, target).run(walk);
}

}  // namespace relayout::plan
