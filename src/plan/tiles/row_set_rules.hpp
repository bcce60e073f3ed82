#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "src/plan/model/pair_sizes.hpp"
#include "src/plan/model/plan_choice.hpp"
#include "src/plan/tiles/micro_tile.hpp"

namespace relayout::plan {

/// A range of distances between rows, each the largest of 512 bytes, 1, 2 and 4 KiB of which the real one is
/// a multiple, or 0 where there is none.
struct RowSpans {
  std::int64_t least = 0;
  std::int64_t most = 0;

  bool contain(std::int64_t bytes) const { return least <= bytes && bytes <= most; }
};

/// Where rows begin.
enum class RowsBegin : std::uint8_t { kAnywhere, kOnLines, kOffLines };

/// The runs that tiles of two axes have by how far apart rows lie at either side, and the order of loops that
/// goes with them, if any does.
struct RowSetRule {
  std::int64_t unit_bytes = 1;  ///< of an element, or of elements that lie next to each other on both sides
  RowSpans read;
  RowSpans written;
  RowsBegin lesser_rows = RowsBegin::kAnywhere;  ///< those of the side of the lesser span, or written ones
  TileRunLimits limits;
  std::optional<LoopWalk> walk = {};
};

/// The first that suits counts.
std::span<const RowSetRule> row_set_rules(Residence residence, int vector_bytes);

/// The same of rows of units of 32 bytes, each of several elements.
std::span<const RowSetRule> row_set_rules_of_units(Residence residence, int vector_bytes);

/// The same where at least one side's rows lie a little more or less than a multiple of 1 KiB and more apart.
std::span<const RowSetRule> rules_of_rows_nearly_so_far_apart(Residence residence, int vector_bytes);

}  // namespace relayout::plan
