#include "src/plan/tiles/short_rows.hpp"

#include <algorithm>
#include <span>

#include "src/plan/tiles/row_sets.hpp"
#include "src/plan/tiles/short_row_rules.hpp"
#include "src/plan/tiles/transposed_rows.hpp"

namespace relayout::plan {
namespace {

/// The largest of 1, 2 and 4 KiB of which rows lie a multiple apart; 0: none.
std::int64_t span_between_rows(std::int64_t apart_bytes) {
  for (std::int64_t span = kSetSpanBytes; span >= kFewSetsBytes; span /= 2)
    if (apart_bytes % span == 0) return span;
  return 0;
}

/// Rows that follow one another, or lie with little between them, as those do that were timed. Where the
/// short rows share sets as well three of ten random pairs lost (f32[64,4,16,2,64], runs of 128 bytes 16 KiB
/// apart, 0.58 and 0.12 of memcpy).
bool are_near(std::int64_t apart_bytes, std::int64_t row_bytes) {
  return apart_bytes <= 2 * row_bytes;
}

/// Those of the rule for short rows of so many bytes, if both sides have runs so long.
std::optional<PreferredRuns> runs_by(std::span<const ShortRowRule> rules, std::int64_t row_bytes,
                                     const TransposedRows& rows, std::int64_t element_bytes) {
  const auto rule = std::ranges::find_if(rules, [&](const ShortRowRule& of) {
    return of.element_bytes == element_bytes && of.least_row_bytes <= row_bytes &&
           row_bytes <= of.most_row_bytes && of.limits.source_bytes <= rows.source_bytes &&
           of.limits.destination_bytes <= rows.destination_bytes;
  });
  if (rule == rules.end()) return std::nullopt;
  PreferredRuns runs = of_few_sets(rule->limits);
  runs.in_half_vectors = rule->in_half_vectors;
  return runs;
}

}  // namespace

std::optional<PreferredRuns> runs_of_short_rows(const Box& box, const MicroTile& tile, const PairSizes& sizes,
                                                const Target& target) {
  if (sizes.of_staged_block) return std::nullopt;
  const auto rows = transposed_rows(box, tile, sizes.element_bytes);
  if (!rows) return std::nullopt;
  const auto [read_apart, written_apart] = rows->strides;
  ShortRowCase of{sizes.residence, sizes.leaves_last_cache_early(), target.vector_bytes == 64,
                  span_between_rows(read_apart)};
  if (of.span_bytes != 0 && are_near(written_apart, rows->destination_bytes))
    return runs_by(rules_of_short_rows_to_write(of), rows->destination_bytes, *rows, sizes.element_bytes);
  of.span_bytes = span_between_rows(written_apart);
  if (of.span_bytes != 0 && are_near(read_apart, rows->source_bytes))
    return runs_by(rules_of_short_rows_to_read(of), rows->source_bytes, *rows, sizes.element_bytes);
  return std::nullopt;
}

}  // namespace relayout::plan
