// Extents of 9, 49 or 77 leave much of a line's worth of vectors over: of 9 f32, a 3 x 3 filter's, the second
// vector of a run holds one. Longer runs, of several such axes or of a longer one, leave over a part of their
// last vector only, and vectors that hold nothing cost nothing. Of 16000 random pairs whose data are up to 22
// MiB, on a Zen 3, 1414 change: 0.73 of memcpy and 0.82, 900 faster by a twentieth and 112 slower, elements
// of 1, 2, 4 and 8 bytes alike (u8[102,128,8,35][1, 3, 2, 0] to {3,2,1,0} 0.21 and 0.57,
// u8[42,8,16,120,8]{1,3,0,4,2} to [1, 3, 4, 2, 0] 0.45 and 0.29). By a first version, runs of at most 128
// bytes changed seven tenths as many, of 512 a sixth more, both 1.08 times as fast; tiles of 9 KiB a few
// more. 25 pairs past the last cache would run 0.99 times as fast; 48 of 7500 have such tiles in staged
// blocks, whose data the caches hold, 1.04 times, 17 faster and 13 slower. 135 of which no rival is known
// would run as fast; boxes that are moved with their padding (padded_box.hpp) were among them, and are left
// alone, but for rows of any number of places (rounded_padded_candidate).

#include "src/plan/kernels/long_rounded_tile.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "src/plan/machine/line.hpp"
#include "src/plan/tiles/row_sets.hpp"

namespace relayout::plan {
namespace {

/// That a tile moves: its code, of no more than 13 KiB, is unrolled.
constexpr std::int64_t kMostBytes = 4608;
/// That its vectors have room for, as the scratch of two phases has to have.
constexpr std::int64_t kMostVectorBytes = 8192;

/// Of pieces of lines, more rows than ways in a set of the first cache push each other out before the next
/// piece is read, or written: 111 pairs ran as fast so as otherwise, 41 faster and 37 slower (bf16[4096,8,43]
/// out of (4,1) tiles 0.54 and 0.12). Lines that are read or written whole, but for those at a run's end, are
/// not needed again: 121 of 16000 pairs with such rows to read 0.94 and 1.04, 74 faster and 21 slower
/// (u8[16384,68][1, 0] to [0, 1] 0.19 and 0.44), if the vectors of a line are loaded one after the other
/// (Network::reads_whole_lines; without that they would run 0.91 times as fast); to write, which have to
/// begin on lines, 29 of 100 others, 22 and seven (bf16[2047,43] transposed, rows 4094 bytes apart, would run
/// at 0.17 instead of 0.29).
///
/// Where the shorter tile is predicted to take nearly twice the cycles, sets with pieces to read may have
/// four times as many: without that 26 of 40000 pairs would run 0.85 times as fast, 16 slower and eight
/// faster (u8[9,100,32,64][0, 2, 1, 3] to [1, 3, 2, 0] 0.29 instead of 0.59, s8[64,64,3,3]{0,1,3,2} to
/// {3,2,1,0} 0.19 instead of 0.35); without an end they would gain a third as much, and lose if that held for
/// writing, too.
///
/// Not in the second cache where the shorter tile reads whole lines, each once
/// (Target::reads_crowded_lines_once).
constexpr double kFarCheaper = 0.55;
constexpr int kTimesTheWays = 4;

bool is_long(std::int64_t run_bytes) {
  return run_bytes > kLineBytes;
}

/// The next shorter run to try: half of it, and a line before parts of one. Or of long runs half a line less
/// (Target::tries_runs_half_a_line_shorter).
std::int64_t shorter(std::int64_t run_bytes, const Target& target) {
  if (!is_long(run_bytes)) return run_bytes / 2;
  return std::max(target.tries_runs_half_a_line_shorter ? run_bytes - kLineBytes / 2 : run_bytes / 2,
                  kLineBytes);
}

/// Whether a run has all of its axes' elements, or as many of the last one as fit. \pre it has an axis
bool ends_well(const Box& box, const RoundedTile& rounded, const RoundedRun& run) {
  const std::size_t first = run.axes.front();
  return run.axes.size() > 1 || rounded.tile.extents[first] == box.axes[first].extent;
}

/// Long runs of a side are no shorter than this, or they end within their first axis. 0: not known
std::int64_t shortest_that_ends_well(const Box& box, std::int64_t element_bytes, std::int64_t Axis::*stride) {
  if (!box.guard_limits.empty()) return 0;  // what is trimmed may be longer than the limits
  const auto first = std::ranges::find(box.axes, element_bytes, stride);
  const bool known = first != box.axes.end() && !first->follows_on_both_sides(element_bytes);
  return known ? first->extent * element_bytes : 0;
}

/// Lines in the fullest set of the first cache, each row's first one: those beside them lie in other sets.
int lines_in_fullest_set(const std::vector<std::int64_t>& row_offsets) {
  std::vector<std::int64_t> lines;
  lines.reserve(row_offsets.size());
  for (const std::int64_t offset : row_offsets) lines.push_back(line_of(offset));
  std::ranges::sort(lines);
  const auto repeated = std::ranges::unique(lines);
  lines.erase(repeated.begin(), repeated.end());
  std::array<int, kSetSpanBytes / kLineBytes> in_set{};
  for (const std::int64_t line : lines) ++in_set[static_cast<std::size_t>(line) % in_set.size()];
  return *std::ranges::max_element(in_set);
}

bool begin_on_lines(const std::vector<std::int64_t>& row_offsets) {
  return std::ranges::all_of(row_offsets, [](std::int64_t offset) { return offset % kLineBytes == 0; });
}

/// Whether sets may have the pieces of kTimesTheWays as many rows to read as they have ways.
bool may_read_crowded_pieces(double cycles_per_byte, const Target& target, const RoundedRivals& rivals) {
  if (rivals.shorter == nullptr || cycles_per_byte >= kFarCheaper * rivals.shorter->cycles_per_byte)
    return false;
  const bool reads_lines_once = rivals.shorter->rounded.tile.source_run_bytes >= kLineBytes;
  return !(target.reads_crowded_lines_once && rivals.in_second_cache && reads_lines_once);
}

bool overfills_sets(const Box& box, const RoundedTile& rounded, const Target& target, bool may_crowd) {
  const int ways = target.level1_data_ways;
  const std::vector<std::int64_t> written = row_offsets(box, rounded, false);
  const bool writes_lines = rounded.tile.destination_run_bytes >= kLineBytes && begin_on_lines(written);
  if (!writes_lines && lines_in_fullest_set(written) > ways) return true;
  if (rounded.tile.source_run_bytes >= kLineBytes) return false;
  const int most_read = ways * (may_crowd ? kTimesTheWays : 1);
  return lines_in_fullest_set(row_offsets(box, rounded, true)) > most_read;
}

/// The tile whose runs are as long as the limits let them, if that makes one long.
std::optional<RoundedTile> long_tile(const Box& box, std::int64_t element_bytes, TileRunLimits limits) {
  auto rounded = rounded_tile(box, element_bytes, {limits, kMostVectorBytes});
  if (!rounded || rounded->moved_bytes() > kMostBytes) return std::nullopt;
  if (rounded->source.axes.empty() || rounded->destination.axes.empty()) return std::nullopt;
  const bool long_source = is_long(rounded->tile.source_run_bytes);
  const bool long_destination = is_long(rounded->tile.destination_run_bytes);
  if (long_source != is_long(limits.source_bytes)) return std::nullopt;
  if (long_destination != is_long(limits.destination_bytes)) return std::nullopt;
  if (long_source && !ends_well(box, *rounded, rounded->source)) return std::nullopt;
  if (long_destination && !ends_well(box, *rounded, rounded->destination)) return std::nullopt;
  rounded->is_long = true;
  return rounded;
}

std::optional<double> least_waste(const Box& box, const Target& target, const RoundedRivals& rivals) {
  if (rivals.shorter == nullptr) return rivals.network_overlap;
  const double of_shorter = rounded_waste(box, rivals.shorter->rounded, target);
  return rivals.network_overlap ? std::min(of_shorter, *rivals.network_overlap) : of_shorter;
}

}  // namespace

std::optional<RoundedChoice> cheapest_long_rounded_tile(const Box& box, std::int64_t element_bytes,
                                                        const Target& target, const RoundedRivals& rivals,
                                                        std::optional<std::size_t> whole_axis) {
  const std::int64_t longest = target.longest_rounded_run_bytes;
  if (!is_long(longest) || !may_be_rounded(box, element_bytes)) return std::nullopt;
  const auto least = least_waste(box, target, rivals);
  if (!least) return std::nullopt;
  const double most_waste = target.worthwhile_long_waste * *least;
  if (most_waste < 1) return std::nullopt;
  const double most_cycles =
      rivals.shorter != nullptr ? rivals.shorter->cycles_per_byte : std::numeric_limits<double>::infinity();
  const std::int64_t shortest_source = shortest_that_ends_well(box, element_bytes, &Axis::source_stride);
  const std::int64_t shortest_destination =
      shortest_that_ends_well(box, element_bytes, &Axis::destination_stride);
  std::optional<RoundedChoice> best;
  for (std::int64_t source = longest; source >= kShortestRunBytes; source = shorter(source, target)) {
    if (is_long(source) && source < shortest_source) continue;
    for (std::int64_t destination = longest; destination >= kShortestRunBytes;
         destination = shorter(destination, target)) {
      if (!is_long(source) && !is_long(destination)) continue;
      if (is_long(destination) && destination < shortest_destination) continue;
      auto rounded = long_tile(box, element_bytes, {source, destination});
      if (!rounded || rounded_waste(box, *rounded, target) > most_waste) continue;
      if (whole_axis && !rounded->writes_whole(box, *whole_axis)) continue;
      const double cycles = rounded_cycles_per_byte(box, *rounded, element_bytes, target);
      if (cycles >= (best ? best->cycles_per_byte : most_cycles)) continue;
      if (overfills_sets(box, *rounded, target, may_read_crowded_pieces(cycles, target, rivals))) continue;
      best = RoundedChoice{std::move(*rounded), cycles};
    }
  }
  return best;
}

}  // namespace relayout::plan
