#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "relayout/isa.hpp"
#include "src/plan/network/network.hpp"

namespace relayout::plan {

/// A limit on a sum of loop counters: `sum(guard_step of the loops of this guard * their counters) < limit`.
/// One per ragged split and one per blocked iterator. A loop under a guard runs
/// `min(trips, ceil(remaining / guard_step))` times, where `remaining` is the limit less what the outer loops
/// of the same guard have used.
struct Guard {
  std::int64_t limit = 0;
  /// Overlapping tail: when the body runs with `remaining == 1` (the last step of all), both pointers are
  /// moved back by these many bytes, so that a full-size tile ends exactly at the end of the iterator. 0: no
  /// overlap.
  std::int64_t source_back_bytes = 0;
  std::int64_t destination_back_bytes = 0;
  bool overlaps() const { return source_back_bytes != 0 || destination_back_bytes != 0; }
};

/// One run of a run list.
struct Run {
  std::int64_t length = 0;  ///< trips of the loop that takes its count from this table
  std::int64_t source_offset_bytes = 0;
  std::int64_t destination_offset_bytes = 0;
};

/// A run list: for non-chains (tiles of 4 against 6) whose pieces are too many to be boxes.
using RunTable = std::vector<Run>;

/// One loop of a nest. Exactly one of three forms:
/// - counted: `trips` steps of `source_step_bytes` and `destination_step_bytes`;
/// - over a run table (`table >= 0`): one trip per entry, offsets from the entry; steps and trips unused;
/// - counted with trips from the current entry of a table that an outer loop walks (`trips_from_table >= 0`).
struct Loop {
  std::int64_t trips = 1;
  std::int64_t source_step_bytes = 0;
  std::int64_t destination_step_bytes = 0;
  int guard = -1;  ///< index into Nest::guards, or -1
  std::int64_t guard_step = 0;
  int table = -1;             ///< index into Nest::tables, or -1
  int trips_from_table = -1;  ///< index into Nest::tables, or -1
  /// Steps of one length, as many each time.
  bool is_counted() const { return table < 0 && trips_from_table < 0; }
  /// Trips where the loops around it have used nothing of `limit`, its guard's. \pre a guard_step above 0
  std::int64_t trips_within(std::int64_t limit) const {
    return limit <= 0 ? 0 : std::min(trips, (limit - 1) / guard_step + 1);
  }
  bool operator==(const Loop&) const = default;
};

/// Contiguous on both sides: moves `bytes`, or (length of the current entry of table `bytes_from_table`) *
/// `element_bytes` bytes.
struct CopyKernel {
  std::int64_t bytes = 0;
  int bytes_from_table = -1;
  std::int64_t element_bytes = 1;
};

/// A micro-tile of power-of-two extents, moved by a permutation network (network.hpp).
struct PermuteKernel {
  Network network;
};

/// `count` elements of `element_bytes` (or as many as the current entry of table `count_from_table` says),
/// element i from `i * source_stride_bytes` to `i * destination_stride_bytes`. `hardware` asks for gather
/// instructions where the element width has them (4 and 8 bytes) and the destination is contiguous; otherwise
/// scalar loads with inserts.
struct GatherKernel {
  std::int64_t count = 1;
  int count_from_table = -1;
  std::int64_t element_bytes = 1;
  std::int64_t source_stride_bytes = 0;
  std::int64_t destination_stride_bytes = 0;
  bool hardware = false;
};

/// A micro-tile with extents that are not powers of two (RGB's 3), or with gaps between what it reads: source
/// pieces of at most `piece_bytes`, which may reach past the tile, are combined into destination pieces by
/// table shuffles, `destination[j] = OR over k of shuffle(source[k], table)`, where an index of 0x80 selects
/// zero, as do all of a piece of padding, which has no terms. Pieces of 16 bytes are shuffled by `vpshufb`,
/// pieces of 64 by the masked table permutes of AVX-512.
struct ShuffleKernel {
  struct Term {
    int source_piece = 0;
    std::vector<std::uint8_t> index;  ///< `piece_bytes` entries; 0x80 selects zero
  };
  struct Piece {
    std::int64_t offset_bytes = 0;  ///< of its first byte from the tile's base
    int bytes = 16;                 ///< shorter pieces touch only that many bytes
  };
  std::vector<Piece> sources;
  std::vector<Piece> destinations;
  std::vector<std::vector<Term>> terms;  ///< per destination piece
  int piece_bytes = 16;                  ///< 16 or 64
  bool stores_halves = false;            ///< of pieces of 64 bytes that go through the caches
};

/// Writes `bytes` of padding: one element's bytes over and over. Reads nothing from the source.
struct FillKernel {
  std::int64_t bytes = 0;             ///< a multiple of the element's
  std::vector<std::uint8_t> element;  ///< 1, 2, 4, 8 or 16 bytes
};

using Kernel = std::variant<CopyKernel, PermuteKernel, GatherKernel, ShuffleKernel, FillKernel>;

enum class StorePolicy : std::uint8_t {
  kTemporal,
  /// vmovntdq for whole vectors where the destination is aligned at run time, with one fence at the end of
  /// each part. Of padding that begins or ends within a line, for the lines that it fills.
  kStreaming,
  /// Of a permutation, wherever the destination begins: runs are put together in the scratch and copied from
  /// there, their whole lines by vmovntdq, the parts of lines at their ends plainly. With a fence as above. A
  /// copy's runs the same, from where they are.
  kStreamingRuns,
};

/// Where a permutation whose lines are streamed fetches the source's (Nest::prefetch_source_bytes). What is
/// not streamed fetches after loads.
enum class SourceFetches : std::uint8_t {
  kAfterLoads,            ///< of a network's first phase, those that it loads
  kBetweenStores,         ///< of the last phase, the lines of the registers that it stores
  kBetweenStoresInOrder,  ///< of the last phase, one line after the other of a row, and row by row
};

/// The innermost loops of a nest write into a scratch instead of the destination, as if a part of it lay
/// there. What they put together leaves in a few long runs. For rows that begin anywhere in a line, and rows
/// that share sets of a cache: their lines are then written whole, one after the other.
struct Staging {
  std::size_t first_loop = 1;             ///< the outermost of these loops
  std::int64_t run_bytes = 0;             ///< contiguous at the destination, 256 at least
  std::int64_t runs = 1;                  ///< of a group
  std::int64_t run_stride_bytes = 0;      ///< from run to run of the destination
  std::int64_t scratch_stride_bytes = 0;  ///< the same in the scratch, where groups follow one another
  std::int64_t groups = 1;
  std::int64_t group_stride_bytes = 0;    ///< from group to group of the destination
  std::int64_t scratch_offset_bytes = 0;  ///< of the first run; what lies before it belongs to the kernel
  std::int64_t first_bytes = 0;  ///< where in the scratch the loops begin, of which one may go backwards
  std::int64_t slack_bytes = 0;  ///< that tiles write behind the last run, and that stay in the scratch
  /// The next block's runs begin so far from this one's; their first and last line are fetched, but not by a
  /// run that begins and ends on lines if that of the next block must, too. 0: they are not.
  std::int64_t next_bytes = 0;
  /// While the runs leave, with each whole line one of the source is fetched into the second cache, from so
  /// far behind the block's beginning on; 0: none is.
  std::int64_t fetch_bytes = 0;
  /// Runs that follow one another along a row of the destination overlap by so many bytes, a line at least,
  /// and write whole lines but for the row's two ends: each up to the line in which it ends, where the next
  /// one begins to write. 0: they meet, and each writes its own part of that line.
  std::int64_t overlap_bytes = 0;
  std::size_t row_loop = 0;  ///< that goes from one of these runs to the next, a trip each
  /// One element of padding, with which the scratch is filled before the nest's loops begin: what no block
  /// writes there leaves with each. Empty: blocks write all of their runs.
  std::vector<std::uint8_t> background = {};
  std::int64_t all_runs() const { return groups * runs; }
  std::int64_t scratch_bytes() const {
    return (all_runs() - 1) * scratch_stride_bytes + run_bytes + slack_bytes;
  }
};

/// A copy or a fill of a longer run than this fetches the lines that it will store as it goes on
/// (Nest::prefetch_destination_bytes).
inline constexpr std::int64_t kLongestRunFetchedAtOnceBytes = 512;

/// Rows of one side of a block of calls, and how many of them each call fetches.
struct FetchedRows {
  std::int64_t ahead_bytes = 0;    ///< of the first row, from where the loops stand when the block begins
  std::int64_t stride_bytes = 0;   ///< from row to row
  std::int64_t row_bytes = 0;      ///< contiguous
  std::int64_t rows_per_call = 0;  ///< 0: this side is not fetched
};

/// Of a permutation: while one block is moved, the lines of the next are fetched into the second-level cache,
/// those of a row one after the other. Of a staged nest while a region of several blocks is moved, of the
/// next region (fetched_region.hpp). Takes the place of Nest::prefetch_source_bytes and
/// Nest::prefetch_destination_bytes, which fetch in the order of the kernel's own loads and stores.
struct BlockFetch {
  /// The outermost of the loops that make up a block; one past the last: none; of a staged nest one outside
  /// its blocks.
  std::size_t first_loop = 0;
  FetchedRows source;
  FetchedRows destination;     ///< not by streaming code; into the first-level cache
  bool to_write = false;       ///< the destination's lines are fetched with the right to write to them
  bool unless_staged = false;  ///< only where the destination cannot be staged
};

/// What a kernel has before the others that its nest might have had.
enum class ChosenFor : std::uint8_t {
  kFewestCycles,   ///< predicted
  kPreferredRuns,  ///< the lengths of its runs (preferred_runs.hpp)
  kStreamedLines,  ///< whole lines, though it takes more cycles
  kMovedOnce,      ///< tails that do not overlap, though it takes more cycles
  kStoresAtPace,   ///< so few rows to write that the first cache keeps pace, though it takes more cycles
  kBlockOfRuns,    ///< the pieces that it writes to the scratch of a staged nest
  kRoundedBlock,   ///< the same, but by fewer predicted cycles than a network of longer pieces takes
};

/// A loop nest around one kernel. Loops are listed from outermost to innermost.
struct Nest {
  std::int64_t source_base_bytes = 0;
  std::int64_t destination_base_bytes = 0;
  std::vector<Loop> loops;  ///< at least one
  /// Which of them is cut into parts: each part runs its share of this loop's trips, and the loops around it
  /// whole. It lies around what `staging` puts together, and does not have its trips from a table.
  std::size_t cut_loop = 0;
  /// Blocks follow rows to read further than those to write (followed_rows.hpp); for people.
  bool follows_rows_to_read = false;
  std::vector<Guard> guards;
  std::vector<RunTable> tables;
  Kernel kernel;
  StorePolicy store = StorePolicy::kTemporal;  ///< of the staged runs where there are such
  /// Steps and strides of the destination within its loops, guards that only these use included, are those of
  /// the scratch.
  std::optional<Staging> staging;
  /// True if every destination address of whole vectors is a multiple of the vector size when the buffer is,
  /// so that streaming stores may be used for an aligned buffer.
  bool destination_aligned = false;
  /// Software prefetch into the second-level cache: where the kernel loads a line, the line this many bytes
  /// further on is asked for, which is the same place in the block that the loops visit next; of copies, into
  /// the first-level cache, what follows in the run or the next ones. 0: none. A prefetch never faults, so it
  /// may point past the buffer.
  std::int64_t prefetch_source_bytes = 0;
  SourceFetches source_fetches = SourceFetches::kAfterLoads;  ///< where permutations do that
  /// As above, of the lines that the kernel stores, into the first-level cache; all of them when a call
  /// begins, but those of copies and fills of more than kLongestRunFetchedAtOnceBytes as they go on. Not for
  /// streaming stores, but for the parts of lines that kStreamingRuns stores plainly, where there may be any.
  std::int64_t prefetch_destination_bytes = 0;
  std::optional<BlockFetch> block_fetch;  ///< in place of both distances, which are 0 then
  /// Vectors of copies, those out of a scratch included, have at most so many bytes.
  int widest_copy_bytes = 64;
  /// Whole vectors of both buffers are loaded and stored under a mask of all ones, which a processor's own
  /// prefetch does not follow (masked_access.hpp). Of copies, permutations and fills that are not streamed,
  /// and of staged permutations.
  bool under_masks = false;
  ChosenFor chosen_for = ChosenFor::kFewestCycles;  ///< why this kernel, for people
  std::string reason;                               ///< the kernel in words, where wanted

  /// Trips of the loop that is cut.
  std::int64_t cut_trips() const {
    const Loop& cut = loops[cut_loop];
    if (cut.table >= 0) return static_cast<std::int64_t>(tables[static_cast<std::size_t>(cut.table)].size());
    return cut.guard < 0 ? cut.trips : cut.trips_within(guards[static_cast<std::size_t>(cut.guard)].limit);
  }
};

/// A choice that was made or rejected, for `explain`.
struct Note {
  std::string choice;
  std::string reason;
};

/// What the machine code does, as data. All offsets and strides are in bytes.
struct Plan {
  Isa isa = Isa::kPortable;
  std::int64_t element_bytes = 1;
  std::int64_t source_bytes = 0;
  std::int64_t destination_bytes = 0;
  std::vector<Nest> nests;
  /// Rounds in which the nests take turns, each running its share of a loop. More than 1 where
  /// nests write between one another, so that what one of them leaves in the cache is still there for the
  /// next.
  std::int64_t rounds = 1;
  std::size_t first_in_rounds = 0;  ///< nests before it run whole, before the first round
  std::vector<Note> notes;
};

/// Readable dump, one loop a line.
std::string to_string(const Plan& plan);

}  // namespace relayout::plan
