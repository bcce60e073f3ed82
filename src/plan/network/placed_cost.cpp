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
constexpr int kShortestMoved = 4;  ///< to or from the front of a register, without a shuffle

/// Of the cycles that loads, shuffles and stores take alone, the part beside the longest that is not hidden.
/// With 0.1 instead 75 of 20000 random pairs in the first cache had run 0.97 times as fast (one faster, 18
/// slower), 51 of 40000 in the second 0.98 times (one, 13); with 0.3 as many would lose as gain (Granite
/// Rapids).
constexpr double kUnhidden = 0.2;

/// What an access of less than a vector takes beside itself, in shuffles.
struct AccessShuffles {
  double whole_lane = 0;    ///< any whole lane or half but the first of a vector
  double half_of_lane = 0;  ///< the upper 8 bytes of a lane
};
constexpr AccessShuffles kReading{kInsertFromMemory, 1};
constexpr AccessShuffles kWriting{0, 0};

struct Accesses {
  double count = 0;
  double shuffles = 0;
};

/// Bytes of one lane that are not all of it, from byte `at` of it on, in powers of two: all but 4 or 8 at its
/// front are inserted or extracted.
void add_part_of_lane(Accesses& accesses, int at, int bytes, const AccessShuffles& each) {
  while (bytes > 0) {
    const int chunk = static_cast<int>(std::bit_floor(static_cast<unsigned>(bytes)));
    accesses.count += 1;
    if (at == 0)
      accesses.shuffles += chunk < kShortestMoved ? 1 : 0;
    else
      accesses.shuffles += chunk == kLaneBytes / 2 ? each.half_of_lane : 1;
    at += chunk;
    bytes -= chunk;
  }
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

/// A lane that is put together, or taken apart, in a register of its own moves to or from its place once.
Accesses accesses_of(const std::vector<int>& piece_bytes, int place_bytes, int vector_bytes,
                     const AccessShuffles& each) {
  Accesses accesses;
  int last_lane = 0;  // of all vectors
  for (std::size_t i = 0; i < piece_bytes.size(); ++i) {
    int left = piece_bytes[i];
    if (left == vector_bytes) {
      accesses.count += 1;
      continue;
    }
    for (int at = static_cast<int>(i) * place_bytes; left > 0;) {
      const int whole = left >= kHalfBytes && at % kHalfBytes == 0 ? kHalfBytes : kLaneBytes;
      const int bytes = std::min(left, whole - at % whole);
      const bool is_first = at % vector_bytes < kLaneBytes;
      if (bytes == whole) {
        accesses.count += 1;
        accesses.shuffles += is_first ? 0 : each.whole_lane;
      } else {
        add_part_of_lane(accesses, at % kLaneBytes, bytes, each);
        const int lane = at / kLaneBytes;
        if (!is_first && lane != last_lane) accesses.shuffles += 1;
        last_lane = lane;
      }
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
  const Accesses read = accesses_of(touched_at_source(network), read_at_most, network.vector_bytes, kReading);
  const Accesses written = accesses_of(written_of_pieces(network.destination, written_at_most),
                                       written_at_most, network.vector_bytes, kWriting);
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
