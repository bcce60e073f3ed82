#include "src/plan/tiles/runs_by_row_sets.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "src/plan/machine/line.hpp"
#include "src/plan/tiles/row_set_rules.hpp"
#include "src/plan/tiles/row_sets.hpp"

namespace relayout::plan {
namespace {

/// As RowSpans has them, of both sides.
struct BothSpans {
  std::int64_t read = 0;
  std::int64_t written = 0;
};

/// The largest spans of at least so many bytes of which a tile's rows lie a multiple apart, or nearly.
template <class Counts>
BothSpans spans_of(const Box& box, const MicroTile& tile, std::int64_t least_bytes, std::int64_t near_bytes,
                   Counts counts) {
  const auto of = [&](std::int64_t Axis::*stride) -> std::int64_t {
    for (std::int64_t span = kSetSpanBytes; span >= least_bytes; span /= 2)
      if (counts(row_sets(box, tile, stride, span, near_bytes))) return span;
    return 0;
  };
  return {of(&Axis::source_stride), of(&Axis::destination_stride)};
}

BothSpans exact_spans(const Box& box, const MicroTile& tile) {
  return spans_of(box, tile, kSetSpanBytes / 8, 0, [](RowSets sets) { return sets == RowSets::kOne; });
}

/// Farther from a multiple rows lie in several sets. Of transposes of rows up to 16 bytes from one 211 whose
/// rows are farther than that ran at 0.43 of memcpy with these runs and without, 97 faster by a twentieth and
/// 83 slower, 679 others at 0.38 and 0.51, 517 and 78.
BothSpans near_spans(const Box& box, const MicroTile& tile, std::int64_t element_bytes) {
  const std::int64_t near_bytes = std::clamp<std::int64_t>(2 * element_bytes, 4, kNearBytes);
  return spans_of(box, tile, kSetSpanBytes / 4, near_bytes,
                  [](RowSets sets) { return sets != RowSets::kSpread; });
}

/// Bytes that lie next to each other on both sides, along one axis that a tile takes whole, or an element's.
std::int64_t unit_bytes_of(const Box& box, const MicroTile& tile, std::int64_t element_bytes) {
  for (std::size_t i = 0; i < box.axes.size(); ++i) {
    const Axis& axis = box.axes[i];
    if (axis.follows_on_both_sides(element_bytes) && axis.extent == tile.extents[i])
      return axis.extent * element_bytes;
  }
  return element_bytes;
}

/// Whether a tile takes units in a run of one axis at the source and of another at the destination.
bool crosses_two_axes(const MicroTile& tile, std::int64_t element_bytes, std::int64_t unit_bytes) {
  const auto takes = std::ranges::count_if(tile.extents, [](std::int64_t extent) { return extent > 1; });
  return takes == (unit_bytes > element_bytes ? 3 : 2) &&
         tile.source_run_bytes * tile.destination_run_bytes == tile.elements() * element_bytes * unit_bytes;
}

/// The tile, with as many rows as count for row_sets: of units of 32 bytes one of lines has two.
MicroTile with_rows(MicroTile tile) {
  for (std::int64_t& extent : tile.extents)
    if (extent > 1) extent = std::max(extent, kFewRows);
  return tile;
}

/// Whether rows to read are shorter than a line and begin anywhere within lines, but have more elements than
/// a set of the first cache has ways. Tiles that take such rows whole would write to as many lines in turn,
/// one of the row of each element, all in that set: 58 transposes of rows of nine elements and more of 2 and
/// 4 bytes in the caches 0.51 and 0.61; those of five to eight elements 0.95 and 0.60. Rows to write are as
/// fast so.
bool are_short_but_many(const Box& box, std::int64_t unit_bytes, const Target& target) {
  const auto along = std::ranges::find(box.axes, unit_bytes, &Axis::source_stride);
  return along != box.axes.end() && along->extent > target.level1_data_ways &&
         std::ranges::any_of(box.axes, [](const Axis& axis) {
           const std::int64_t bytes = std::abs(axis.source_stride);
           return bytes > 0 && bytes < kLineBytes && kLineBytes % bytes != 0;
         });
}

/// Whether the rows of the side that shares fewer sets begin on lines, or lie within them.
bool lesser_rows_begin_on_lines(const Box& box, bool at_source, std::int64_t unit_bytes,
                                const Target& target) {
  if (!at_source) return destination_rows_begin_on_lines(box);
  return source_rows_begin_on_lines(box) && !are_short_but_many(box, unit_bytes, target);
}

/// Takes runs of so many bytes along the side's rows; false if these are shorter.
bool take_runs(const Box& box, std::int64_t Axis::*stride, std::int64_t run_bytes, std::int64_t unit_bytes,
               MicroTile& tile) {
  const std::int64_t take = std::max<std::int64_t>(1, run_bytes / unit_bytes);
  for (std::size_t i = 0; i < box.axes.size(); ++i) {
    if (box.axes[i].*stride != unit_bytes || box.axes[i].extent < take) continue;
    tile.extents[i] = take;
    return true;
  }
  return false;
}

/// Whether rows have such runs, and these overlap hardly more than the tile of lines does: tiles that overlap
/// more are dropped later (tile_candidates.cpp), with no other runs in their place.
bool have_runs(const Box& box, const MicroTile& tile, const TileRunLimits& limits, std::int64_t unit_bytes) {
  MicroTile longer{std::vector<std::int64_t>(box.axes.size(), 1)};
  return take_runs(box, &Axis::source_stride, limits.source_bytes, unit_bytes, longer) &&
         take_runs(box, &Axis::destination_stride, limits.destination_bytes, unit_bytes, longer) &&
         longer.overlap_waste(box) <= kTolerableWasteOfPreferred * tile.overlap_waste(box);
}

/// Wide elements that a nearly full last cache streams, or stages, are as fast so as they are: of 2600
/// transposes, shapes and random pairs of 14 to 24 MiB 112 of 8 and 16 bytes 0.98 times as fast by these
/// rules, 14 faster by a twentieth and 23 slower, at AVX2 136, 13 and 35.
bool is_streamed_early(const PairSizes& sizes) {
  constexpr std::int64_t kLeastBytes = 8;
  return sizes.leaves_last_cache_early() && sizes.element_bytes >= kLeastBytes;
}

std::optional<PreferredRuns> first_that_suits(std::span<const RowSetRule> rules, const BothSpans& spans,
                                              const Box& box, const MicroTile& tile, const PairSizes& sizes,
                                              std::int64_t unit_bytes, const Target& target) {
  if (spans.read == 0 && spans.written == 0) return std::nullopt;
  const bool on_lines = lesser_rows_begin_on_lines(box, spans.read < spans.written, unit_bytes, target);
  const RowsBegin lesser_rows = on_lines ? RowsBegin::kOnLines : RowsBegin::kOffLines;
  for (const RowSetRule& rule : rules) {
    if (sizes.wants_whole_lines && rule.limits.destination_bytes < kLineBytes) continue;
    if (rule.unit_bytes != unit_bytes || !rule.read.contain(spans.read) ||
        !rule.written.contain(spans.written) ||
        (rule.lesser_rows != RowsBegin::kAnywhere && rule.lesser_rows != lesser_rows) ||
        !have_runs(box, tile, rule.limits, unit_bytes))
      continue;
    PreferredRuns runs = of_few_sets(rule.limits);
    runs.walk = rule.walk;
    return runs;
  }
  return std::nullopt;
}

}  // namespace

std::optional<PreferredRuns> runs_by_row_sets(const Box& box, const MicroTile& tile, const PairSizes& sizes,
                                              const Target& target) {
  const std::int64_t element_bytes = sizes.element_bytes;
  const std::int64_t unit_bytes = unit_bytes_of(box, tile, element_bytes);
  if (sizes.of_staged_block || is_streamed_early(sizes) || !crosses_two_axes(tile, element_bytes, unit_bytes))
    return std::nullopt;
  if (unit_bytes > element_bytes)
    return first_that_suits(row_set_rules_of_units(sizes.residence, target.vector_bytes),
                            exact_spans(box, with_rows(tile)), box, tile, sizes, unit_bytes, target);
  const BothSpans exact = exact_spans(box, tile);
  const BothSpans nearly = near_spans(box, tile, element_bytes);
  // First, for rows that nearly share sets are none of spread ones: 18 transposes of which only one side's
  // rows are exactly so far apart 0.37 and 0.68, 17 faster and one slower (AVX2; with vectors of 64 bytes of
  // 72 as many gain as lose).
  if (nearly.read > exact.read || nearly.written > exact.written) {
    const BothSpans both = {std::max(nearly.read, exact.read), std::max(nearly.written, exact.written)};
    if (auto runs = first_that_suits(rules_of_rows_nearly_so_far_apart(sizes.residence, target.vector_bytes),
                                     both, box, tile, sizes, element_bytes, target))
      return runs;
  }
  return first_that_suits(row_set_rules(sizes.residence, target.vector_bytes), exact, box, tile, sizes,
                          element_bytes, target);
}

}  // namespace relayout::plan
