#include "src/plan/network/placed_cost.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

#include "src/plan/network/live_registers.hpp"
#include "src/plan/network/network_cost.hpp"
#include "src/plan/network/placed_pieces.hpp"

namespace relayout::plan::network {
namespace {

constexpr int kLaneBytes = 16;
constexpr int kHalfBytes = 32;

/// Of the cycles that loads, shuffles and stores take alone, the part beside the longest that is not hidden.
/// Without it 166 instead of 113 of 20000 random pairs in the first cache would have been slower in halves
/// (complete_network.cpp, Granite Rapids).
constexpr double kUnhidden = 0.1;

struct Accesses {
  double count = 0;
  double shuffles = 0;
};

/// What is accessed of one lane of a vector, from byte `at` on, in powers of two: pieces behind its front are
/// inserted or extracted, as is the lane, if it is not the first.
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

/// Bytes to write of each piece: more than exist where another piece follows, which is stored later.
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

RegisterFlags with_pieces(const Network& network, const Side& side) {
  RegisterFlags registers(std::size_t{1} << network.slots, 0);
  const std::size_t per_register = side.pieces.size() >> network.slots;
  for (std::size_t i = 0; i < side.pieces.size(); ++i)
    if (side.pieces[i].bytes > 0) registers[i / per_register] = 1;
  return registers;
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
  RegisterFlags loaded = with_pieces(network, network.source);
  if (network.fills_padding) std::ranges::fill(loaded, 1);  // zeros, if nothing else
  const LiveRegisters live =
      live_registers(network, std::move(loaded), with_pieces(network, network.destination));
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
