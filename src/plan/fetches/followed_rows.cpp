// Blocks of a few lines a side stop at each of the rows that they read after a few lines, and fetch the next
// block's rows a megabyte and more ahead. Where these rows are a power of two apart, or many, what was
// fetched has left its few sets before its turn, and the processor's own prefetch has just begun to follow
// when a block ends. A block that is one call wide at the destination follows few rows, and each of them for
// longer; the next one goes on along the rows to write, whose lines that are not full yet wait in the caches.

#include "src/plan/fetches/followed_rows.hpp"

#include <cstdint>

#include "src/plan/machine/line.hpp"
#include "src/plan/tiles/row_sets.hpp"
#include "src/plan/tiles/transposed_rows.hpp"

namespace relayout::plan {
namespace {

/// Which rows are followed, all in bytes.
struct FollowedRows {
  std::int64_t apart = 0;  ///< rows to read are a multiple of it from each other
  std::int64_t run = 0;    ///< for which they are followed
  std::int64_t shortest_to_read = 0;
  std::int64_t shortest_to_write = 0;
};

/// Past the last cache, of 2 bytes, rows to write that begin on lines: 12 transposes on a Zen 3 1.15 and 1.46
/// of memcpy. Other widths lose as often as they gain. Rows to write that begin anywhere are staged instead:
/// 206 transposes of bytes and of 2 bytes 0.44 and 0.62, 200 of them faster by a twentieth and three slower;
/// 123 of 4 and 8 bytes with rows to read 4 KiB apart 0.48 and 0.80, all of them faster.
constexpr FollowedRows kOnLines = {kLineBytes, 2048, 2048, 896};

std::optional<FollowedRows> past_last_cache(const Box& box, const RowStrides& strides,
                                            std::int64_t element_bytes) {
  const bool suits = element_bytes == 2 && destination_rows_begin_on_lines(box) &&
                     strides.destination_bytes % kSharedSetsBytes != 0;
  return suits ? std::optional(kOnLines) : std::nullopt;
}

/// In the last cache, past what a processor has of it to itself, rows may begin anywhere on both sides. 80
/// unseen transposes of 10 to 24 MiB on a Zen 3 0.47 of memcpy, so 0.61, 63 faster by a twentieth and eight
/// slower, of which five of 2 bytes with shorter rows to read are ruled out. (Since then those past 22 MiB
/// are staged: Target::streamed_rows_from_bytes.)
std::optional<FollowedRows> in_shared_cache(const RowStrides& strides, std::int64_t element_bytes) {
  if (element_bytes > 4 || strides.destination_bytes % kSharedSetsBytes == 0) return std::nullopt;
  if (element_bytes == 2 && strides.source_bytes % kSetSpanBytes == 0) return std::nullopt;
  return FollowedRows{1, 1024, element_bytes == 2 ? 640 : 0, element_bytes == 1 ? 1024 : 1408};
}

std::optional<FollowedRows> rows_by_size(const Box& box, const RowStrides& strides, const PairSizes& sizes,
                                         const Target& target) {
  if (sizes.residence == Residence::kMemory) return past_last_cache(box, strides, sizes.element_bytes);
  if (!is_past_fast_share(sizes, target)) return std::nullopt;
  return in_shared_cache(strides, sizes.element_bytes);
}

}  // namespace

std::optional<BlockRuns> followed_rows(const Box& box, const MicroTile& tile, const PairSizes& sizes,
                                       const Target& target) {
  if (!target.follows_rows_to_read) return std::nullopt;
  const auto rows = transposed_rows(box, tile, sizes.element_bytes);
  if (!rows) return std::nullopt;
  const auto followed = rows_by_size(box, rows->strides, sizes, target);
  if (!followed || rows->strides.source_bytes % followed->apart != 0 ||
      rows->source_bytes < followed->shortest_to_read ||
      rows->destination_bytes < followed->shortest_to_write)
    return std::nullopt;
  return BlockRuns{.source_bytes = followed->run, .along_destination = true};
}

}  // namespace relayout::plan
