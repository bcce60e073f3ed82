#pragma once

#include <string>
#include <vector>

#include "src/plan/model/plan.hpp"
#include "src/plan/refinement/loop_nest.hpp"

namespace relayout::plan {

/// One dimension of a box; strides in bytes.
struct Axis {
  std::int64_t extent = 1;
  std::int64_t source_stride = 0;
  std::int64_t destination_stride = 0;
  int guard = -1;  ///< index into Box::guard_limits
  std::int64_t guard_step = 0;
  int run_table =
      -1;  ///< the extent comes from the current entry of this table; `extent` is the longest run then

  /// Whether elements along it, so many bytes each, follow one another on both sides.
  bool follows_on_both_sides(std::int64_t bytes) const {
    return source_stride == bytes && destination_stride == bytes;
  }
};

/// A part of the domain that one nest will cover: axes with constant strides, some under a guard, some with
/// their trip count and offsets from a run table.
struct Box {
  std::int64_t source_base = 0;       ///< bytes
  std::int64_t destination_base = 0;  ///< bytes
  std::vector<Axis> axes;             ///< by rising destination stride
  std::vector<std::int64_t> guard_limits;
  std::vector<RunTable> tables;
  /// Bits of every tile that move elements within bytes, for elements narrower than a byte; strides as in
  /// axes.
  std::vector<TileBit> sub_byte_bits;

  /// No guards, run tables or parts of bytes.
  bool has_plain_axes() const { return guard_limits.empty() && tables.empty() && sub_byte_bits.empty(); }
  double elements() const;  ///< product of the extents
};

struct BoxList {
  std::vector<Box> boxes;  ///< most elements first
  std::vector<std::string> notes;
  bool interleaved = false;  ///< the boxes lie between one another, and are best moved side by side
  bool trimmed = false;      ///< BoxBudget::trims_runs or trims_rows made a difference
};

/// Limits of the expansion: above them factors become guarded nests or run lists.
struct BoxBudget {
  std::int64_t pieces_per_factor = 8;
  std::int64_t interleaved_pieces = 64;  ///< of a factor whose pieces lie between one another
  std::int64_t boxes = 32;
  std::size_t runs = 4096;  ///< entries of one run table
  /// Factors whose guard only trims a run (trimmed_run.hpp) are guarded instead, for kernels that take such
  /// runs whole.
  bool trims_runs = false;
  /// The same of rows to write, for staged blocks that take these whole.
  bool trims_rows = false;
};

/// Chooses, factor by factor, between boxes of their own, guards and run lists, so that the number of boxes
/// stays bounded whatever the rank. \error kUnsupported if a factor fits none (only interpretation is left
/// then)
Result<BoxList> make_boxes(const LoopNest& nest, std::int64_t element_bytes, const BoxBudget& budget = {});

/// Whether all places of a box are in a source of so many bytes, those that its guards cut off included.
bool lies_in_source(const Box& box, std::int64_t element_bytes, std::int64_t source_bytes);

/// Whether all rows of a side begin on cache lines where the buffer does.
bool source_rows_begin_on_lines(const Box& box);
bool destination_rows_begin_on_lines(const Box& box);

/// Whether the contiguous rows of the destination begin and end on cache lines where the buffer begins on
/// one.
bool destination_rows_fill_lines(const Box& box);

}  // namespace relayout::plan
