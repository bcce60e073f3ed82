// Rows that begin anywhere in a line are written best in long runs of whole lines, one row after the other,
// and read best in whole lines too. A block that does both is too large for registers: its tiles go to a
// scratch in the first cache, which then holds whole runs of the destination.

#include "src/plan/staging/staged_block.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "src/plan/loops/loop_order.hpp"
#include "src/plan/machine/line.hpp"
#include "src/plan/model/scratch.hpp"

namespace relayout::plan {
namespace {

/// Of four lines' bytes three are written whole on average.
constexpr std::int64_t kShortestStagedRunBytes = 256;
/// Blocks that follow one another go on along either side for so long: the same pairs 0.53 with 1 KiB and
/// with 512 bytes, 0.52 with 256.
constexpr std::int64_t kWantedRunBytes = 512;
/// Blocks are at least so many times as long as what they share.
constexpr std::int64_t kFewestOverlaps = 4;
/// Parts are multiples of it: what tiles read at once of a row, at least.
constexpr std::int64_t kLeastPartBytes = 16;

std::size_t axis_with(const Box& box, std::int64_t Axis::*stride, std::int64_t bytes) {
  std::size_t found = 0;
  while (found < box.axes.size() && (box.axes[found].extent == 1 || box.axes[found].*stride != bytes))
    ++found;
  return found;
}

bool is_plain(const Box& box) {
  if (!box.has_plain_axes()) return false;
  return std::ranges::all_of(box.axes, [](const Axis& axis) {
    return axis.guard < 0 && axis.run_table < 0 && axis.source_stride >= 0 && axis.destination_stride > 0;
  });
}

/// Parts of an axis that are as equal as whole units of it allow.
std::int64_t even_share(std::int64_t extent, std::int64_t most, std::int64_t unit) {
  most = std::max(unit, most / unit * unit);
  const std::int64_t parts = (extent + most - 1) / most;
  const std::int64_t share = (extent + parts - 1) / parts;
  return std::min(extent, (share + unit - 1) / unit * unit);
}

class BlockChoice {
 public:
  BlockChoice(const Box& box, std::int64_t element_bytes, const BlockRoom& room, const TrimmedRun* trimmed)
      : box_(box),
        element_bytes_(element_bytes),
        room_(room),
        trimmed_(trimmed),
        extents_(box.axes.size(), 1) {}

  std::optional<StagedBlock> run() {
    if (!is_plain(box_)) return std::nullopt;
    read_whole_lines();
    std::int64_t bytes = element_bytes_;
    for (const std::int64_t extent : extents_) bytes *= extent;
    const std::int64_t run_bytes = lengthen_run(bytes);
    if (run_bytes < kShortestStagedRunBytes || (trimmed_ != nullptr && trimmed_stride_bytes_ == 0))
      return std::nullopt;
    return with_rows(run_bytes);
  }

 private:
  /// Of the axes that lead to another element of the same line or lines, as much as fills them.
  void read_whole_lines() {
    for (std::size_t axis = 0; axis < extents_.size(); ++axis) {
      const std::int64_t stride = box_.axes[axis].source_stride;
      if (stride == 0 || stride >= room_.read_bytes) continue;
      const std::int64_t extent = box_.axes[axis].extent;
      extents_[axis] = std::min(extent, (room_.read_bytes + stride - 1) / stride);
      if (room_.part_bytes > 0 && extents_[axis] < extent && extent * stride % kLineBytes != 0)
        extents_[axis] = even_share(extent, room_.part_bytes / stride,
                                    std::max<std::int64_t>(1, kLeastPartBytes / stride));
    }
  }

  /// Takes as much of the axes that continue the destination's run as fits; `bytes` are those of the block.
  std::int64_t lengthen_run(std::int64_t bytes) {
    std::int64_t run_bytes = element_bytes_;
    while (true) {
      const std::size_t axis = axis_with(box_, &Axis::destination_stride, run_bytes);
      if (axis == box_.axes.size()) return run_bytes;
      const std::int64_t extent = box_.axes[axis].extent;
      const std::int64_t unit = extents_[axis];
      const std::int64_t others = bytes / unit;
      const bool whole = extent * others <= room_.whole_rows_bytes;
      const std::int64_t most = whole ? extent : std::clamp(room_.block_bytes / others, unit, extent);
      extents_[axis] = whole && room_.keeps_whole_axes ? extent : even_share(extent, most, unit);
      if (extents_[axis] < extent && unit == 1) overlap_runs(axis, most, run_bytes);
      in_run_.push_back(axis);
      run_bytes *= extents_[axis];
      bytes = others * extents_[axis];
      if (extents_[axis] < extent) return run_bytes;
      if (trimmed_ != nullptr && run_bytes == trimmed_->places_bytes) {
        run_bytes = trimmed_->data_bytes;
        trimmed_stride_bytes_ = box_.axes[axis].destination_stride;
      }
    }
  }

  /// Lets blocks along the axis, `step_bytes` an element of it at the destination, share a line or little
  /// more, if there is room for so much, unless rows begin and blocks end on lines.
  void overlap_runs(std::size_t axis, std::int64_t most, std::int64_t step_bytes) {
    const std::int64_t overlap = (kLineBytes + step_bytes - 1) / step_bytes;
    const std::int64_t extent = box_.axes[axis].extent;
    const bool whole = rows_begin_on_lines(step_bytes) && extents_[axis] * step_bytes % kLineBytes == 0;
    if (!room_.overlaps_runs || trimmed_ != nullptr || whole || most < kFewestOverlaps * overlap) return;
    extents_[axis] = overlap + even_share(extent - overlap, most - overlap, 1);
    overlap_ = overlap;
    row_axis_ = axis;
  }

  bool rows_begin_on_lines(std::int64_t step_bytes) const {
    return box_.destination_base % kLineBytes == 0 && std::ranges::all_of(box_.axes, [&](const Axis& axis) {
             return axis.destination_stride <= step_bytes || axis.destination_stride % kLineBytes == 0;
           });
  }

  /// At most as many axes as there is room for may lead from run to run.
  std::optional<StagedBlock> with_rows(std::int64_t run_bytes) {
    StagedBlock staged;
    staged.staging.run_bytes = run_bytes;
    staged.overlap = overlap_;
    staged.row_axis = row_axis_;
    if (trimmed_ != nullptr) {
      staged.staging.slack_bytes = trimmed_->places_bytes - trimmed_->data_bytes;
      if (run_bytes > trimmed_->data_bytes) staged.backwards_stride_bytes = trimmed_stride_bytes_;
    }
    std::size_t row_axes = 0;
    for (std::size_t axis = 0; axis < extents_.size(); ++axis) {  // by destination stride
      if (extents_[axis] == 1) continue;
      Axis taken = box_.axes[axis];
      taken.extent = extents_[axis];
      if (std::ranges::find(in_run_, axis) == in_run_.end()) {
        if (++row_axes > room_.row_axes || taken.destination_stride < run_bytes) return std::nullopt;
        add_rows(taken, staged.staging);
      }
      staged.block.axes.push_back(taken);
    }
    if (staged.staging.scratch_bytes() > room_.scratch_bytes) return std::nullopt;
    std::ranges::stable_sort(staged.block.axes, {}, &Axis::destination_stride);
    staged.extents = extents_;
    return staged;
  }

  /// Runs, then groups of them; `axis` gets their distance in the scratch.
  static void add_rows(Axis& axis, Staging& staging) {
    if (staging.runs == 1) {
      staging.runs = axis.extent;
      staging.run_stride_bytes = axis.destination_stride;
      staging.scratch_stride_bytes = axis.destination_stride =
          row_stride(staging.run_bytes + staging.slack_bytes);
    } else {
      staging.groups = axis.extent;
      staging.group_stride_bytes = axis.destination_stride;
      axis.destination_stride = staging.runs * staging.scratch_stride_bytes;
    }
  }

  /// An odd number of lines, so that rows do not share sets of the cache.
  static std::int64_t row_stride(std::int64_t run_bytes) {
    return ((run_bytes + kLineBytes - 1) / kLineBytes | 1) * kLineBytes;
  }

  const Box& box_;
  std::int64_t element_bytes_;
  const BlockRoom& room_;
  const TrimmedRun* trimmed_;
  std::int64_t trimmed_stride_bytes_ = 0;  ///< of the last axis of such a row; 0: it is not whole yet
  std::int64_t overlap_ = 0;               ///< elements along row_axis_
  std::size_t row_axis_ = 0;
  std::vector<std::int64_t> extents_;
  std::vector<std::size_t> in_run_;
};

/// Where in the scratch, and how far from the block in the source, loops begin of which one goes backwards.
struct Beginning {
  std::int64_t source_bytes = 0;
  std::int64_t scratch_bytes = 0;
};

/// Turns the loop along such an axis round: its last step comes first. It goes around all others, since the
/// row that follows may be another loop's. Nothing if no loop of its own walks the axis.
std::optional<Beginning> walk_backwards(const StagedBlock& staged, Nest& nest) {
  const std::int64_t stride = staged.backwards_stride_bytes;
  const auto axis = std::ranges::find(staged.block.axes, stride, &Axis::destination_stride);
  if (axis == staged.block.axes.end()) return std::nullopt;
  const auto loop = std::ranges::find_if(nest.loops, [&](const Loop& candidate) {
    const std::int64_t taken = candidate.destination_step_bytes / stride;
    return taken * stride == candidate.destination_step_bytes && taken < axis->extent &&
           taken * axis->source_stride == candidate.source_step_bytes &&
           (axis->extent + taken - 1) / taken == candidate.trips;
  });
  if (loop == nest.loops.end()) return std::nullopt;
  Beginning end{(loop->trips - 1) * loop->source_step_bytes,
                (loop->trips - 1) * loop->destination_step_bytes};
  loop->source_step_bytes = -loop->source_step_bytes;
  loop->destination_step_bytes = -loop->destination_step_bytes;
  if (loop->guard >= 0) {
    Guard& guard = nest.guards[static_cast<std::size_t>(loop->guard)];
    end.source_bytes -= guard.source_back_bytes;
    end.scratch_bytes -= guard.destination_back_bytes;
    guard.source_back_bytes = -guard.source_back_bytes;
    guard.destination_back_bytes = -guard.destination_back_bytes;
  }
  std::rotate(nest.loops.begin(), loop, loop + 1);
  return end;
}

/// The loop from block to block along an axis. \param overlap elements that neighbours share
Loop loop_of_blocks(Axis axis, std::int64_t taken, std::int64_t overlap, std::vector<Guard>& guards) {
  axis.extent -= overlap;
  return stepped_loop(axis, taken - overlap, guards);
}

/// Where the loop along the row is among those in order; nothing if it has become two.
std::optional<std::size_t> find_loop(const std::vector<Loop>& loops, const Loop& wanted) {
  for (std::size_t i = 0; i < loops.size(); ++i) {
    if (loops[i].trips == wanted.trips && loops[i].source_step_bytes == wanted.source_step_bytes &&
        loops[i].destination_step_bytes == wanted.destination_step_bytes)
      return i;
  }
  return std::nullopt;
}

/// Orders the loops from block to block. Blocks of blocks may cut the one along the row, `row`, so that runs
/// meet along it that would have overlapped: the source's order, where the room says so, does not.
void order_blocks(Nest& outer, const StagedBlock& staged, const Loop& row, LoopWalk walk,
                  const BlockRoom& room) {
  const TileRuns runs{kLineBytes, staged.staging.run_bytes,
                      staged.staging.all_runs() * staged.staging.run_bytes};
  // 16 pairs ran at 0.564 of memcpy with the loops in order, at 0.545 with shares of the longest around them
  // (Cascade Lake).
  const auto order = [&](Nest& nest, LoopWalk wanted) {
    order_loops(nest, runs, 0,
                {.walk = wanted,
                 .contiguous_run_bytes = kWantedRunBytes,
                 .run_bytes = kWantedRunBytes,
                 .outermost = OutermostRule::stays()});
  };
  if (!room.orders_to_overlap || staged.overlap == 0) {
    order(outer, walk);
    return;
  }
  Nest ordered = outer;
  order(ordered, walk);
  if (!find_loop(ordered.loops, row)) {
    ordered = std::move(outer);
    order(ordered, LoopWalk::kSource);
  }
  outer = std::move(ordered);
}

constexpr std::int64_t kPairBytes = 2 * kLineBytes;
/// Zen 3, 67 random pairs: parts of at most 128 bytes 0.65 of memcpy, 256 bytes 0.68, 512 bytes 0.68, blocks
/// of a line 0.59.
constexpr std::int64_t kPartBytes = 256;

/// What a line does not hold, and would be read in two blocks that overlap, while two lines do.
bool fills_a_pair(const Axis& axis) {
  const std::int64_t bytes = axis.source_stride * axis.extent;
  return axis.source_stride < kLineBytes && bytes > kLineBytes && bytes <= kPairBytes;
}

/// Lines that do not begin where blocks do belong to two of them.
std::int64_t past_shared_lines(std::int64_t step_bytes) {
  return step_bytes <= kLineBytes ? 2 * step_bytes : step_bytes;
}

}  // namespace

/// 24 pairs on a Zen 4 with 32-byte vectors ran at 0.56 of memcpy with 12 KiB, at 0.55 with 8 and with 16.
/// Axes that fit whole: f32[10,7,35,49,29][0,4,1,3,2] to [3,2,0,1,4] 0.39 of memcpy instead of 0.32.
BlockRoom BlockRoom::usual() {
  return {10 * 1024, 13 * 1024, static_cast<std::int64_t>(kUsualScratchBytes)};
}

/// An Emerald Rapids, whose first cache has 48 KiB: see Target::least_fetched_for_large_staging.
BlockRoom BlockRoom::large() {
  return {40 * 1024, 44 * 1024, static_cast<std::int64_t>(kMostScratchBytes)};
}

BlockRoom BlockRoom::pairs_of_lines() {
  return {20 * 1024, 24 * 1024, static_cast<std::int64_t>(kMostScratchBytes), kPairBytes};
}

BlockRoom BlockRoom::equal_parts() {
  BlockRoom room = large();
  room.part_bytes = kPartBytes;
  return room;
}

bool do_lines_overlap(const Box& box, double least) {
  return std::ranges::any_of(box.axes, [&](const Axis& axis) {
    if (axis.source_stride <= 0 || axis.source_stride >= kLineBytes) return false;
    const std::int64_t bytes = axis.extent * axis.source_stride;
    const std::int64_t overlap = whole_lines(bytes) - bytes;
    return bytes > kLineBytes && static_cast<double>(overlap) >= least * static_cast<double>(bytes);
  });
}

bool reads_pairs_of_lines(const Box& box) {
  if (std::ranges::any_of(box.axes, fills_a_pair)) return true;
  return box.source_base % kLineBytes == 0 && std::ranges::all_of(box.axes, [](const Axis& axis) {
           return axis.source_stride % kPairBytes == 0 || kPairBytes % axis.source_stride == 0;
         });
}

std::optional<StagedBlock> staged_block(const Box& box, std::int64_t element_bytes, const BlockRoom& room,
                                        const TrimmedRun* trimmed) {
  return BlockChoice(box, element_bytes, room, trimmed).run();
}

bool walks_backwards(const StagedBlock& staged, const std::vector<std::int64_t>& takes) {
  for (std::size_t i = 0; i < staged.block.axes.size(); ++i) {
    const Axis& axis = staged.block.axes[i];
    if (axis.destination_stride == staged.backwards_stride_bytes) return takes[i] < axis.extent;
  }
  return false;
}

std::optional<Nest> stage(const Box& box, const StagedBlock& staged, Nest inner, LoopWalk walk,
                          const BlockRoom& room) {
  Nest outer;
  Loop row;
  for (std::size_t axis = 0; axis < box.axes.size(); ++axis) {
    const bool along_row = staged.overlap > 0 && axis == staged.row_axis;
    const Loop loop =
        loop_of_blocks(box.axes[axis], staged.extents[axis], along_row ? staged.overlap : 0, outer.guards);
    if (loop.trips > 1) outer.loops.push_back(loop);
    if (along_row) row = loop;
  }
  order_blocks(outer, staged, row, walk, room);
  if (outer.loops.empty()) outer.loops.push_back({});
  const Loop next = outer.loops.back();
  Beginning beginning;
  if (staged.backwards_stride_bytes > 0) {
    const auto end = walk_backwards(staged, inner);
    if (!end) return std::nullopt;
    beginning = *end;
  }
  const auto guards = static_cast<int>(outer.guards.size());
  for (Loop& loop : inner.loops)
    if (loop.guard >= 0) loop.guard += guards;
  const std::int64_t kernel_bytes = scratch_bytes(inner);
  inner.staging = staged.staging;
  inner.staging->scratch_offset_bytes = whole_lines(kernel_bytes);
  if (scratch_bytes(inner) > room.scratch_bytes) return std::nullopt;
  inner.staging->first_loop = outer.loops.size();
  inner.cut_loop = outer.cut_loop;
  if (staged.overlap == 0) {
    inner.staging->next_bytes = next.destination_step_bytes;
  } else {
    const auto row_loop = find_loop(outer.loops, row);
    if (!row_loop || row.trips > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
    inner.staging->row_loop = *row_loop;
    inner.staging->overlap_bytes = staged.overlap * box.axes[staged.row_axis].destination_stride;
  }
  inner.prefetch_source_bytes =
      past_shared_lines(next_bytes(outer.loops, &Loop::source_step_bytes, room.fewest_to_fetch_along));
  inner.staging->first_bytes = beginning.scratch_bytes;
  inner.source_base_bytes = box.source_base + beginning.source_bytes;
  inner.destination_base_bytes = box.destination_base;
  inner.loops.insert(inner.loops.begin(), outer.loops.begin(), outer.loops.end());
  inner.guards.insert(inner.guards.begin(), outer.guards.begin(), outer.guards.end());
  inner.destination_aligned = false;
  return inner;
}

}  // namespace relayout::plan
