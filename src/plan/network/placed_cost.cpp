#include "src/plan/network/placed_cost.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/plan/network/live_registers.hpp"
#include "src/plan/network/network_cost.hpp"
#include "src/plan/network/placed_pieces.hpp"

namespace relayout::plan::network {
namespace {

constexpr int kLaneBytes = 16;
constexpr int kHalfBytes = 32;

/// Of the cycles that loads, shuffles and stores take alone, the part beside the longest that is not hidden.
/// When this was fitted, before what another piece follows counted as stored whole, 166 instead of 113 of
/// 20000 random pairs in the first cache were slower in halves without it (Granite Rapids).
constexpr double kUnhidden = 0.1;

struct Accesses {
  double count = 0;
  double shuffles = 0;
};

/// What is accessed for a piece in one lane of a vector, from byte `at` on, in powers of two: what is behind
/// the lane's front is inserted or extracted, and the lane, if it is not the first, once for each piece.
void add_lane(Accesses& accesses, int at, int bytes, double whole_lane_shuffles) {
  const bool is_first_lane = at < kLaneBytes;
  if (bytes == kLaneBytes) {
    accesses.count += 1;
    accesses.shuffles += is_first_lane ? 0 : whole_lane_shuffles;
    return;
  }
  const int pieces = std::popcount(static_cast<unsigned>(bytes));
  accesses.count += pieces;
  accesses.shuffles += at % kLaneBytes == 0 ? pieces - 1 : pieces;
  accesses.shuffles += is_first_lane ? 0 : 1;
}

/// Bytes to write of each piece: more than exist where another piece follows, which is taken to be stored
/// later and to cover the rest (jit/rounded_access.cpp knows the order).
std::vector<int> written_of_pieces(const Side& side, int whole) {
  std::vector<std::int64_t> begins;
  for (const SidePiece& piece : side.pieces)
    if (piece.bytes > 0) begins.push_back(piece.offset_bytes);
  std::ranges::sort(begins);
  std::vector<int> written;
  for (const SidePiece& piece : side.pieces)
    written.push_back(piece.bytes > 0 && std::ranges::binary_search(begins, piece.offset_bytes + piece.bytes)
                          ? whole
                          : piece.bytes);
  return written;
}

/// \param whole_lane_shuffles for each whole lane but the first of a vector
Accesses accesses_of(const std::vector<int>& piece_bytes, int place_bytes, int vector_bytes,
                     double whole_lane_shuffles) {
  const auto pieces_per_vector = static_cast<std::size_t>(vector_bytes / place_bytes);
  Accesses accesses;
  for (std::size_t i = 0; i < piece_bytes.size(); ++i) {
    int left = piece_bytes[i];
    if (left == vector_bytes) {
      accesses.count += 1;
      continue;
    }
    for (int at = static_cast<int>(i % pieces_per_vector) * place_bytes; left > 0;) {
      if (left >= kHalfBytes && at % kHalfBytes == 0) {
        accesses.count += 1;
        accesses.shuffles += at == 0 ? 0 : whole_lane_shuffles;
        at += kHalfBytes;
        left -= kHalfBytes;
        continue;
      }
      const int bytes = std::min(left, kLaneBytes - at % kLaneBytes);
      add_lane(accesses, at, bytes, whole_lane_shuffles);
      at += bytes;
      left -= bytes;
    }
  }
  return accesses;
}

int count_live(const LiveRegisters& live, std::size_t stage) {
  int count = 0;
  for (std::size_t i = 0; i < live.held[stage].size(); ++i)
    count += live.held[stage][i] & live.wanted[stage][i];
  return count;
}

}  // namespace

double placed_cycles(const Network& network, const NetworkTarget& target) {
  NetworkTarget of_width = target;
  of_width.vector_bytes = network.vector_bytes;
  const LiveRegisters live = live_registers(network);
  const int read_at_most = std::min(network.source.piece_bytes(), network.vector_bytes);
  const int written_at_most = std::min(network.destination.piece_bytes(), network.vector_bytes);
  const Accesses read =
      accesses_of(touched_at_source(network), read_at_most, network.vector_bytes, kInsertFromMemory);
  const Accesses written = accesses_of(written_of_pieces(network.destination, written_at_most),
                                       written_at_most, network.vector_bytes, 0);
  double shuffles = read.shuffles + written.shuffles;
  for (std::size_t s = 0; s < network.stages.size(); ++s)
    shuffles += count_live(live, s + 1) * shuffle_port_cycles(network.stages[s].move, of_width);
  double scratch = 0;
  for (std::size_t p = 1; p < network.phases.size(); ++p)
    scratch += count_live(live, static_cast<std::size_t>(network.phases[p].first_stage));
  // Two loads a cycle, and two stores of up to 32 bytes or one of 64.
  const double loads = (read.count + scratch) / 2;
  const double stores = (written.count + scratch) / (network.vector_bytes == 2 * kHalfBytes ? 1 : 2);
  const double longest = std::max({loads, shuffles, stores});
  return longest + kUnhidden * (loads + shuffles + stores - longest);
}

}  // namespace relayout::plan::network
