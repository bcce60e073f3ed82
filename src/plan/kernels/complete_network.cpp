#include "src/plan/kernels/complete_network.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "src/plan/boxes/spread_units.hpp"
#include "src/plan/kernels/streamed_runs.hpp"
#include "src/plan/machine/line.hpp"
#include "src/plan/network/placed_cost.hpp"
#include "src/plan/tiles/row_sets.hpp"
#include "src/plan/tiles/streamed_tiles.hpp"

namespace relayout::plan {
namespace {

bool streams_far(const PlanInputs& inputs) {
  return inputs.is_past_last_cache() && inputs.options.wanted_streaming() != StreamingStores::kNever;
}

/// Whether all that a candidate writes are whole lines, which are streamed.
bool streams_whole_lines(const Box& box, const KernelCandidate& candidate, const PlanInputs& inputs) {
  return !candidate.places_pieces() && streams_far(inputs) && destination_rows_fill_lines(box);
}

bool streams_half_vectors(const Box& box, const KernelCandidate& candidate, const PlanInputs& inputs) {
  return !candidate.is_preferred && streams_whole_lines(box, candidate, inputs) &&
         suits_streamed_half_vectors(box, MicroTile{candidate.takes}, inputs.sizes, inputs.target);
}

int vector_bytes_for(const Box& box, const KernelCandidate& candidate, std::int64_t tile_bytes,
                     LineStores line_stores, const PlanInputs& inputs) {
  const Target& target = inputs.target;
  int bytes = target.vector_bytes;
  if (const auto wanted = inputs.options.wanted_vector_bytes())
    bytes = std::min(*wanted, bytes);
  else if (candidate.in_half_vectors || inputs.sizes.footprint_bytes() <= target.half_vectors_up_to_bytes ||
           streams_half_vectors(box, candidate, inputs) ||
           (line_stores == LineStores::kTogether && streams_whole_lines(box, candidate, inputs) &&
            streams_rows_in_split_vectors(box, MicroTile{candidate.takes}, inputs.sizes, target)))
    bytes = std::min(bytes, 32);
  return static_cast<int>(std::min<std::int64_t>(bytes, tile_bytes));
}

/// Bytes are read in 32 rows a call, a quarter of a line of each. 27 pairs of up to 18 MiB whose rows are an
/// odd multiple of 2 KiB apart ran at 0.24 of memcpy in halves and at 0.41 without, 31 of 1 KiB at 0.42 and
/// 0.55; 28 of 512 bytes the same, as do eight of the others past 18 MiB (Zen 3).
bool bytes_leave_first_cache(const Box& box, const MicroTile& tile, const PairSizes& sizes) {
  return sizes.element_bytes == 1 && sizes.residence != Residence::kMemory &&
         read_rows_share_sets(box, tile, kFewSetsBytes);
}

/// Rows of both sides are a multiple of lines apart, so that they share sets of the first cache, and both
/// buffers are half as much again as it holds: the rest of lines that are read in halves would have to be
/// fetched again. (Zen 4: u8[64,512] 0.77 and 0.71 of memcpy, 64 KiB; u8[32,512] 0.49 and 0.61, 32 KiB.)
bool lines_compete(const Box& box, const MicroTile& tile, const PlanInputs& inputs) {
  return inputs.sizes.footprint_bytes() > inputs.target.level1_data_bytes / 2 * 3 &&
         row_sets(box, tile, &Axis::source_stride, kLineBytes) == RowSets::kOne &&
         row_sets(box, tile, &Axis::destination_stride, kLineBytes) == RowSets::kOne;
}

/// A Zen 3 and a Zen 4 insert a half from memory in the time in which they exchange two, so that only what is
/// spared beyond that stage counts, but with any tile and wherever the buffers lie (docs/cost_models.md).
///
/// On Intel not of tiles that are rounded, padded or gapped, whose pieces are placed one by one. Nowhere if
/// the halves of lines might have left the first cache before the others are read: f32 64x1024 0.58 of memcpy
/// and 0.61. Halves of lines cannot be streamed.
SplitVectors split_vectors_for(const Box& box, const KernelCandidate& candidate, const PlanInputs& inputs) {
  const ShufflePorts ports = inputs.target.shuffle_ports;
  const bool to_save_pass = ports == ShufflePorts::kOneForLanes || ports == ShufflePorts::kTwoOfHalves;
  if (ports == ShufflePorts::kSeveral || !box.sub_byte_bits.empty()) return SplitVectors::kNever;
  if (!to_save_pass && (candidate.places_pieces() || inputs.sizes.residence != Residence::kSecondCache))
    return SplitVectors::kNever;
  const MicroTile tile{candidate.takes};
  const bool in_first_cache = inputs.sizes.footprint_bytes() <= inputs.target.stored_halves_up_to_bytes;
  if (!in_first_cache && (read_rows_share_sets(box, tile) || written_rows_share_sets(box, tile)))
    return SplitVectors::kNever;
  if (ports == ShufflePorts::kTwoOfHalves && lines_compete(box, tile, inputs)) return SplitVectors::kNever;
  if (to_save_pass)
    return bytes_leave_first_cache(box, tile, inputs.sizes) ? SplitVectors::kNever
                                                            : SplitVectors::kLoadedToSavePass;
  const bool streams = inputs.options.wanted_streaming() == StreamingStores::kAlways;
  return in_first_cache && !streams ? SplitVectors::kLoadedAndStored : SplitVectors::kLoaded;
}

/// Of the cycles of a vector of 64 bytes, what two of 32 may take to replace it. On a Granite Rapids f32
/// 128x128 ran at 0.79 of memcpy in vectors of 32 bytes, at 0.74 in whole ones, but bytes 256x256, predicted
/// to take 0.86 of the cycles, at 0.62 and 0.67. Where rows do not begin on lines whole vectors are stored
/// across two: bytes [652,307] 0.59 and 0.51. 33 pairs past the second cache gained nothing.
constexpr double kWorthwhileHalves = 0.8;
constexpr double kWorthwhileHalvesAcrossLines = 0.9;
/// Cycles of two stores of 32 bytes one of which reaches into the next line: 16-bit [89,512] 0.52 and 0.67.
constexpr double kStoresAcrossLines = 4;

/// Whether vectors of 32 bytes may be shuffled twice as fast as those of 64.
bool may_be_faster_in_halves(const NetworkTarget& target, const PlanInputs& inputs) {
  if (inputs.options.wanted_vector_bytes()) return false;
  return target.shuffle_ports == ShufflePorts::kOneForWide && target.vector_bytes == 64;
}

/// Pieces of less than a vector are inserted and extracted by shuffles, which networks do not count. Ratios
/// of halves to whole vectors on a Granite Rapids, in the second cache and in the last one, by bytes of a
/// piece read and written: up to 8 and any 1.44 and 1.06 (31 and 19 pairs; 16-bit [2,16,5,256] 0.37 and
/// 0.72), 64 and up to 32 1.07 and 1.03 (71 and 29); 32 and 32 0.80, 16 and any 0.99, any and 64 0.99.
constexpr std::int64_t kShortPieceRead = 8;
constexpr std::int64_t kShortPieceWritten = 32;

bool has_short_pieces(const MicroTile& tile, std::int64_t vector_bytes) {
  return tile.source_run_bytes <= kShortPieceRead ||
         (2 * tile.source_run_bytes > vector_bytes && tile.destination_run_bytes <= kShortPieceWritten);
}

/// Pieces that other networks insert or extract: 25 random pairs in the first cache that read 4 and 8 bytes
/// 1.26 times as fast, 11 in the second 1.08 times (bf16[19,5,2,14,32]{4,2,3,0,1:T(4,1)} to [3, 1, 2, 0, 4]
/// 0.41 and 0.64), 5 that write 8 bytes 1.01 times; none slower.
constexpr std::int64_t kShortestPiece = 8;

bool are_worthwhile(const Network& halves, const Network& whole) {
  const double cycles = 2 * halves.predicted_cycles_per_vector;
  if (std::min(whole.source.piece_bytes(), whole.destination.piece_bytes()) <= kShortestPiece) return true;
  const bool on_lines =
      std::ranges::all_of(halves.destination.register_stride_bytes,
                          [&](std::int64_t stride) { return stride % halves.vector_bytes == 0; });
  if (on_lines) return cycles < kWorthwhileHalves * whole.predicted_cycles_per_vector;
  return std::max(cycles, kStoresAcrossLines) <
         kWorthwhileHalvesAcrossLines * whole.predicted_cycles_per_vector;
}

/// Of a rounded tile, much of whose vectors may hold nothing, or lead to nothing: of the cycles of what is
/// executed of whole vectors, what halves may take. By cycles a vector, as other networks are compared, or in
/// the first cache up to a tenth more of them, 1278 of 20000 random pairs of up to 2 MiB had run at 0.77
/// instead of 0.78 (470 faster so by a twentieth and 151 slower), 935 of 20000 in the first cache at 1.03
/// instead of 1.07 (312 and 72), 315 of 900 convolutions' weights at 0.63 instead of 0.65 (172 and 36;
/// f32[128,128,3,3]{3,2,1,0} to {1,0,3,2} 0.79 and 0.93). With 1 instead of 1.05 fewer in the first cache
/// gain (860, 268 and 116), with 1.1 more of the others lose. Of 4000 pairs in the last cache 281 would run
/// 0.98 times as fast. (Granite Rapids.)
constexpr double kWorthwhilePlacedHalves = 1.05;

bool are_worthwhile_placed(const Network& halves, const Network& whole, const NetworkTarget& target) {
  return network::placed_cycles(halves, target) <
         kWorthwhilePlacedHalves * network::placed_cycles(whole, target);
}

/// Whether a network whose lines are streamed takes a scratch in vectors of 64 bytes: those of 32 mostly
/// spare it, or pass through it in fewer cycles. On a Zen 4 eight random pairs ran at 0.85 and, in halves, at
/// 0.96 of memcpy, six of them faster by a twentieth and none slower (u8[86730,372] into (8,128)(2,1) tiles
/// of columns 0.69 and 0.93), 37 others whose rows to read share cache sets at 0.86 and 0.91, 15 and four
/// (u8[128,256,32,32]{3,2,1,0} to {0,2,1,3} 0.38 and 0.75; bf16[32,128,21,198] out of (32,128)(4,1) 0.87 and
/// 0.56).
bool streams_through_wide_scratch(const Network& network, LineStores line_stores, const PlanInputs& inputs) {
  return inputs.target.splits_vectors_to_stream && !inputs.options.wanted_vector_bytes() &&
         streams_far(inputs) && line_stores != LineStores::kTogetherIfFree && network.vector_bytes == 64 &&
         network.scratch_bytes > 0;
}

std::vector<TileBit> bits_of(const MovedBox& moved, const MicroTile& tile, std::int64_t element_bytes) {
  if (moved.padded != nullptr) return padded_tile_bits(*moved.padded, tile, element_bytes);
  if (moved.gapped != nullptr) return gapped_tile_bits(*moved.gapped, tile, element_bytes);
  return tile_bits(moved.box, tile, element_bytes);
}

/// The network of a tile. Units of a rounded one are spread where they have to be, and its pieces are placed.
Result<Network> network_of(const NetworkTarget& target, const Box& box,
                           const std::optional<RoundedTile>& rounded, int unit_bytes,
                           std::span<const TileBit> bits) {
  auto network = synthesize(target, unit_bytes, bits);
  if (!network || !rounded) return network;
  if (rounded->spreads_units() && !spread_units(*network, rounded->unit_data_bytes, target))
    return Error{ErrorCode::kUnsupported, "no instructions or registers to spread units"};
  place_pieces(box, *rounded, *network);
  return network;
}

}  // namespace

/// Lines that are streamed are written together unless the processor combines them anyway, as are those that
/// would leave the first cache before they are written again. So are those of pairs that the last cache just
/// holds: of 500 random ones on a Zen 3 12 had streamed halves of lines one by one, 0.79 and 1.24 of memcpy,
/// ten faster by a twentieth and one slower (f32[57624,48] transposed 0.45 and 1.19). And so are those that
/// are to be streamed whatever their size: u8[640,640] transposed ran at 2.5 GB/s in halves of lines, at 20
/// GB/s in whole ones.
LineStores line_stores_for(const Box& box, const KernelCandidate& candidate, const PlanInputs& inputs) {
  const bool whole_lines = destination_rows_fill_lines(box);
  const bool streams = streams_far(inputs);
  if (streams && !whole_lines && candidate.is_preferred) return LineStores::kFromScratch;
  if (streams_half_vectors(box, candidate, inputs)) return LineStores::kTogether;
  if (streams && whole_lines && inputs.target.combines_streamed_halves) return LineStores::kTogetherIfFree;
  const bool leave_early = inputs.nearly_fill_last_cache() && !inputs.target.combines_streamed_halves &&
                           inputs.options.wanted_streaming() != StreamingStores::kNever;
  const bool asked = inputs.options.wanted_streaming() == StreamingStores::kAlways &&
                     !inputs.target.combines_streamed_halves;
  const bool leave = inputs.is_past_last_cache() || leave_early || asked;
  const bool together = candidate.is_preferred || (leave && whole_lines);
  return together ? LineStores::kTogether : LineStores::kTogetherIfFree;
}

bool complete_network(const MovedBox& moved, KernelCandidate& candidate, LineStores line_stores,
                      const PlanInputs& inputs, PlanNotes& notes) {
  const Box& box = moved.box;
  auto* permute = std::get_if<PermuteKernel>(&candidate.kernel);
  if (permute == nullptr) return true;
  const std::int64_t element_bytes = inputs.sizes.element_bytes;
  const MicroTile tile{candidate.takes};
  const auto& rounded = candidate.rounded;
  const std::int64_t tile_bytes = rounded ? rounded->rounded_bytes() : tile.elements() * element_bytes;
  NetworkTarget target =
      inputs.target.network_target(vector_bytes_for(box, candidate, tile_bytes, line_stores, inputs));
  target.line_stores = line_stores;
  const bool is_long = rounded && rounded->is_long;
  target.keeps_runs_together = !is_long;
  target.split_vectors = split_vectors_for(box, candidate, inputs);
  const std::vector<TileBit> bits =
      rounded ? rounded_tile_bits(*rounded) : bits_of(moved, tile, element_bytes);
  const bool two_widths = may_be_faster_in_halves(target, inputs);
  const bool short_pieces = rounded && has_short_pieces(rounded->tile, target.vector_bytes);
  if (two_widths && short_pieces && !inputs.is_past_last_cache()) target.vector_bytes /= 2;
  const auto unit_bytes = static_cast<int>(rounded ? rounded->unit_bytes : element_bytes);
  const auto made = [&] { return network_of(target, box, rounded, unit_bytes, bits); };
  auto network = made();
  if (network && two_widths && !short_pieces && inputs.sizes.residence == Residence::kSecondCache) {
    target.vector_bytes /= 2;
    auto halves = made();
    if (halves &&
        (rounded ? are_worthwhile_placed(*halves, *network, target) : are_worthwhile(*halves, *network)))
      network = std::move(halves);
  }
  if (network && !rounded && streams_through_wide_scratch(*network, line_stores, inputs)) {
    target.vector_bytes /= 2;
    if (auto halves = made()) network = std::move(halves);
  }
  if (!network) {
    notes.add("network", [&] { return network.error().message; });
    return false;
  }
  if (!rounded && moved.padded != nullptr) mark_padding(*moved.padded, *network);
  if (!rounded && moved.gapped != nullptr) mark_gaps(*moved.gapped, *network);
  network->reads_whole_lines = is_long;
  permute->network = std::move(*network);
  return true;
}

}  // namespace relayout::plan
