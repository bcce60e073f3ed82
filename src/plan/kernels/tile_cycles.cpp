#include "src/plan/kernels/tile_cycles.hpp"

#include <algorithm>
#include <bit>

#include "src/plan/machine/kernel_cycles.hpp"
#include "src/plan/tiles/block_runs.hpp"
#include "src/plan/tiles/row_sets.hpp"

namespace relayout::plan {
namespace {

// Cycles on the scale of kernel_cycles.hpp, set by hand: only the order of kernels that they lead to was
// tested.
constexpr double kWidePieceLoad = 1.0;    // 16 or 32 bytes into part of a register
constexpr double kNarrowPieceLoad = 1.4;  // below 16 bytes
constexpr double kWidePieceStore = 1.0;
constexpr double kNarrowPieceStore = 1.4;
constexpr double kStage = 0.25;         // one network stage per vector
constexpr double kStagesOfOnePort = 4;  // the same where one port executes all shuffles

constexpr std::int64_t kWidePieceBytes = 16;

/// In how many pieces a vector is accessed of which a run has a part only.
double pieces_of(std::int64_t vector_bytes, std::int64_t run_bytes) {
  const auto piece = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(run_bytes)));
  return static_cast<double>(vector_bytes / piece);
}

/// Wider elements gain nothing by cheap loads of pieces: f64[8,18,4,85][2, 0, 3, 1] to [1, 3, 0, 2] ran 0.91,
/// c128[5,110,64][1, 2, 0] to [0, 2, 1] 0.90 times as fast (Zen 3).
constexpr std::int64_t kWidestInPieces = 4;

/// Cheap loads of pieces need their lines in the first cache. Rows 2 KiB apart, read or written, evict each
/// other before the next piece of a line comes: u8[76,256,8] out of (4,1) tiles ran at 0.23 of memcpy, by
/// pieces at 0.12, u8[2048,48] transposed at 0.59 and 0.23 (Zen 3).
///
/// So do closer rows that are more than their sets hold lines of: of 700 transposes of 128 bytes to 1 KiB a
/// row 37 change, 0.37 and 0.45, 25 faster by a twentieth and eight slower (bf16[168,512] 0.27 and 0.49,
/// u8[288,512] 0.55 and 0.44); of 2100 random pairs in the caches as many gain as lose.
bool evicts_pieces(const Box& box, const MicroTile& tile, const PairSizes& sizes, const Target& target) {
  // Blocks walk rows to one side as far as their runs go along the other.
  const std::int64_t rows = kBlockRunBytes / sizes.element_bytes;
  return read_rows_share_sets(box, tile, kSetSpanBytes / 2) || written_rows_share_sets(box, tile) ||
         rows_outgrow_sets(box, tile, &Axis::source_stride, kSetSpanBytes / 8, rows,
                           target.level1_data_bytes) ||
         rows_outgrow_sets(box, tile, &Axis::destination_stride, kSetSpanBytes / 4, rows,
                           target.level1_data_bytes);
}

double wide_piece_load(const Box& box, const MicroTile& tile, const PairSizes& sizes, const Target& target) {
  const double cycles = target.wide_piece_load_cycles;
  if (cycles >= kWidePieceLoad || sizes.element_bytes > kWidestInPieces ||
      sizes.residence == Residence::kMemory)
    return kWidePieceLoad;
  return evicts_pieces(box, tile, sizes, target) ? kWidePieceLoad : cycles;
}

double load_cycles(const Box& box, const MicroTile& tile, std::int64_t vector_bytes, const PairSizes& sizes,
                   const Target& target) {
  const std::int64_t run_bytes = tile.source_run_bytes;
  if (run_bytes >= vector_bytes) return kLoad;
  const bool wide = run_bytes >= kWidePieceBytes;
  return pieces_of(vector_bytes, run_bytes) *
         (wide ? wide_piece_load(box, tile, sizes, target) : kNarrowPieceLoad);
}

double store_cycles(const MicroTile& tile, std::int64_t vector_bytes, const PairSizes& sizes,
                    const Target& target) {
  const std::int64_t run_bytes = tile.destination_run_bytes;
  if (run_bytes >= vector_bytes) return kStore;
  const bool in_quarters = 4 * run_bytes <= vector_bytes && sizes.residence != Residence::kMemory;
  const double of_quarters = in_quarters ? target.quarter_store_factor : 1;
  return pieces_of(vector_bytes, run_bytes) * of_quarters *
         (run_bytes >= kWidePieceBytes ? kWidePieceStore : kNarrowPieceStore);
}

int log2_of(std::int64_t value) {
  return std::bit_width(static_cast<std::uint64_t>(value)) - 1;
}

/// Stages of the tile's network, a guess: one a bit that crosses, and one more.
int network_stages(const MicroTile& tile, std::int64_t element_bytes, std::int64_t tile_bytes,
                   const Target& target) {
  const std::int64_t vector_bytes = std::min<std::int64_t>(target.vector_bytes, tile_bytes);
  const std::int64_t longer_run = std::max(std::min(tile.source_run_bytes, vector_bytes),
                                           std::min(tile.destination_run_bytes, vector_bytes));
  const int crossing = log2_of(tile_bytes / longer_run);
  // No more bits than a vector has. Where every stage takes a whole cycle, tiles of several vectors a row
  // were taken for slower than scalar moves: f64 64x64 0.73 of memcpy and 0.39 (AVX2, Cascade Lake).
  return 1 + (target.is_short_of_shuffles() ? std::min(crossing, log2_of(vector_bytes / element_bytes))
                                            : crossing);
}

/// Of the cycles predicted, what tiles take that write a few elements to each of many rows in few sets, whose
/// lines leave the first cache before the bytes beside them are written, as data between padding are. Scalar
/// moves write them one after the other: u8[35,12,4,64] into {2,1,3,0:T(8,128)} 0.25 and 0.61 of memcpy,
/// u8[24,24,100] into (32,128)(4,1) tiles 0.40 and 0.78 (Zen 5).
constexpr double kFewBytesInFewSets = 8;
constexpr std::int64_t kFewBytes = 4;

}  // namespace

double network_cycles_per_byte(const Box& box, const MicroTile& tile, const PairSizes& sizes,
                               const Target& target) {
  const std::int64_t element_bytes = sizes.element_bytes;
  const std::int64_t tile_bytes = tile.elements() * element_bytes;
  const std::int64_t vector_bytes = std::min<std::int64_t>(target.vector_bytes, tile_bytes);
  const double stages = network_stages(tile, element_bytes, tile_bytes, target) * kStage *
                        (target.is_short_of_shuffles() ? kStagesOfOnePort : 1);
  const double per_vector = load_cycles(box, tile, vector_bytes, sizes, target) +
                            store_cycles(tile, vector_bytes, sizes, target) + stages;
  const double per_call = kCall / static_cast<double>(tile_bytes);
  return (per_vector / static_cast<double>(vector_bytes) + per_call) * tile.overlap_waste(box);
}

double scattering_factor(const Box& box, const MicroTile& tile, std::int64_t element_bytes,
                         const Target& target) {
  const std::int64_t run_bytes = tile.destination_run_bytes;
  const bool scatters = target.scatters_few_bytes_slowly && run_bytes <= kFewBytes &&
                        run_bytes > element_bytes && written_rows_share_sets(box, tile);
  return scatters ? kFewBytesInFewSets : 1;
}

}  // namespace relayout::plan
