#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/boxes/trimmed_run.hpp"
#include "src/plan/loops/loops.hpp"
#include "src/plan/model/plan.hpp"

namespace relayout::plan {

/// A part of a box whose destination is put together in a scratch, in one run or in equal runs.
struct StagedBlock {
  /// Its elements along the box's axes, and where they lie in the scratch instead of the destination. Without
  /// the axes of which it has one element.
  Box block;
  std::vector<std::int64_t> extents;  ///< of all axes of the box
  Staging staging;                    ///< its runs; without loops and the place in the scratch
  /// Elements along the box's axis `row_axis` that neighbouring blocks share (Staging::overlap_bytes); 0:
  /// none.
  std::int64_t overlap = 0;
  std::size_t row_axis = 0;
  /// Of the block's axis at whose end a trimmed row has places that do not exist, bytes in the scratch; 0:
  /// none. Where rows follow one another there, what is written to such places belongs to the next row, so
  /// that the axis is walked backwards.
  std::int64_t backwards_stride_bytes = 0;
};

/// What a block may take.
struct BlockRoom {
  std::int64_t block_bytes = 0;       ///< that its runs hold together
  std::int64_t whole_rows_bytes = 0;  ///< the same where an axis fits whole, which would else be shared out
  std::int64_t scratch_bytes = 0;     ///< with the space between its runs, and its kernel's own scratch
  std::int64_t read_bytes = 64;       ///< of each row to read, whole lines
  std::size_t row_axes = 1;           ///< that lead from run to run, at most
  std::int64_t part_bytes = 0;        ///< the longest equal parts of rows that lines do not fill; 0: lines
  bool keeps_whole_axes = false;      ///< an axis that fits whole is not rounded to lines
  std::int64_t fewest_to_fetch_along = 5;  ///< Target::fewest_blocks_to_fetch_along
  bool overlaps_runs = false;              ///< where they would meet within lines (Staging::overlap_bytes)
  bool orders_to_overlap = false;  ///< the loops around blocks, where others would cut the one along a row

  /// That the first cache holds beside what is read.
  static BlockRoom usual();
  /// As large as the first cache or larger, for what usual blocks cannot hold or have in short runs only.
  static BlockRoom large();
  /// Between the two: of each row to read two lines, which a processor fetches together.
  static BlockRoom pairs_of_lines();
  /// As large ones; of rows that lines do not fill, those of up to 256 bytes are read whole, longer ones in
  /// equal parts.
  static BlockRoom equal_parts();
};

/// Whether rows to read begin on pairs of lines, or an axis of them fills more than a line and at most two.
bool reads_pairs_of_lines(const Box& box);

/// Whether a row to read is longer than a line, and blocks of a line overlap by at least the fraction `least`
/// of its bytes.
bool do_lines_overlap(const Box& box, double least);

/// The block that reads whole lines and writes the longest runs. None where runs would be short, or the box
/// has guards, tables or parts of bytes.
/// \param trimmed a row of the box that the block takes whole, places included; none if it has no room. The
/// box has its axes without their guard.
std::optional<StagedBlock> staged_block(const Box& box, std::int64_t element_bytes, const BlockRoom& room,
                                        const TrimmedRun* trimmed = nullptr);

/// Whether a loop around tiles walks such an axis at all.
bool walks_backwards(const StagedBlock& staged, const std::vector<std::int64_t>& takes);

/// The nest of all blocks of the box around `inner`, the nest of one of them. None if it wants too much
/// scratch, or has no loop that can go backwards where one should.
std::optional<Nest> stage(const Box& box, const StagedBlock& staged, Nest inner, LoopWalk walk,
                          const BlockRoom& room);

}  // namespace relayout::plan
