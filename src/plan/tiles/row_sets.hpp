#pragma once

#include <cstdint>
#include <vector>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/tiles/micro_tile.hpp"

namespace relayout::plan {

/// Bytes after which the sets of a first cache repeat: its size over its ways, of all x86 processors one
/// page.
inline constexpr std::int64_t kSetSpanBytes = 4096;
/// Where an offset lies within so many bytes.
std::int64_t place_in_page(std::int64_t offset_bytes);
/// Rows a multiple of this apart have 4 sets of a first cache of 64.
inline constexpr std::int64_t kFewSetsBytes = kSetSpanBytes / 4;

/// How the rows of a tile lie in the sets of the first cache.
enum class RowSets : std::uint8_t {
  kSpread,
  kNearlyOne,  ///< each a few bytes further in the set of the row before
  kOne,
};

/// Of tiles with fewer rows along an axis, these count as spread.
inline constexpr std::int64_t kFewRows = 4;
/// Rows so little more or less than a multiple of the span apart are as bad: f32 1023x1025 0.20 and 0.45.
inline constexpr std::int64_t kNearBytes = 16;

/// Of the rows of a tile that are `stride` apart, where rows a multiple of `span_bytes` apart share sets,
/// nearly those at most `near_bytes` more or less.
RowSets row_sets(const Box& box, const MicroTile& tile, std::int64_t Axis::*stride, std::int64_t span_bytes,
                 std::int64_t near_bytes = kNearBytes);

/// Whether `row_bytes` and more of a side follow one another along one axis.
bool has_row(const Box& box, std::int64_t Axis::*stride, std::int64_t row_bytes, std::int64_t element_bytes);

/// Whether the rows that a tile writes, or those that it reads, lie so far apart that few sets of the first
/// cache have their lines: a multiple of half the sets' span at the destination, of `span_bytes` at the
/// source.
bool written_rows_share_sets(const Box& box, const MicroTile& tile);
bool read_rows_share_sets(const Box& box, const MicroTile& tile, std::int64_t span_bytes = kSetSpanBytes);

/// Whether the rows of a tile, a multiple of `span_bytes` apart, go on along their axis to more rows, of
/// which at most `most_rows` count, than the sets of the first cache that they share hold lines of.
bool rows_outgrow_sets(const Box& box, const MicroTile& tile, std::int64_t Axis::*stride,
                       std::int64_t span_bytes, std::int64_t most_rows, std::int64_t level1_data_bytes);

/// Where the rows of a tile on a side begin that lie a line and more apart, in bytes from the first one.
std::vector<std::int64_t> rows_of_tile(const Box& box, const MicroTile& tile, std::int64_t Axis::*stride);

/// Lines in that set of the first cache which has most of them, of so many bytes from each row on that a side
/// of a tile has. The tile's first row begins on a line.
std::int64_t most_lines_in_a_set(const Box& box, const MicroTile& tile, std::int64_t Axis::*stride,
                                 std::int64_t row_bytes);

/// Whether that set has not room for a line of each of the tile's rows.
bool outgrows_a_set(const Box& box, const MicroTile& tile, std::int64_t Axis::*stride, const Target& target);

/// Of the rows that a tile writes, with the line behind each, which is fetched ahead.
std::int64_t most_written_lines_in_a_set(const Box& box, const MicroTile& tile);

/// Whether a side's rows of a tile have as many lines in a set of the first cache as that holds; `nearly`: or
/// nearly as many, as rows a few bytes more or less than a page apart have, which reach into several sets.
bool rows_fill_sets(const Box& box, const MicroTile& tile, std::int64_t level1_data_bytes, bool nearly);

}  // namespace relayout::plan
