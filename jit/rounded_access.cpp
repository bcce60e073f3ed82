#include "jit/rounded_access.hpp"

#include <algorithm>

#include "src/plan/network/placed_pieces.hpp"

namespace relayout::jit {
namespace {

std::size_t pieces_per_register(const plan::Network& network, const plan::Side& side) {
  return side.pieces.size() >> network.slots;
}

/// A piece of the destination and when it is stored.
struct StoredPiece {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::size_t index = 0;
  std::size_t time = 0;
};

std::vector<StoredPiece> stored_pieces(const plan::Network& network, std::span<const StoredPart> stored) {
  const plan::Side& side = network.destination;
  const std::size_t count = pieces_per_register(network, side);
  const std::size_t of_part = count / static_cast<std::size_t>(parts_of_vector(side, network.vector_bytes));
  std::vector<StoredPiece> pieces;
  for (const StoredPart& part : stored) {
    for (std::size_t i = 0; i < of_part; ++i) {
      const std::size_t index =
          part.register_number * count + static_cast<std::size_t>(part.part) * of_part + i;
      const plan::SidePiece& piece = side.pieces[index];
      if (piece.bytes == 0) continue;
      pieces.push_back({piece.offset_bytes, piece.offset_bytes + piece.bytes, index, pieces.size()});
    }
  }
  std::ranges::sort(pieces, {}, &StoredPiece::begin);
  return pieces;
}

/// Whether pieces stored later cover all bytes from the end of the piece at `position` to `end`.
bool is_put_right(const std::vector<StoredPiece>& pieces, std::size_t position, std::int64_t end) {
  std::int64_t covered = pieces[position].end;
  for (std::size_t next = position + 1; covered < end; ++next) {
    if (next == pieces.size() || pieces[next].begin != covered || pieces[next].time < pieces[position].time)
      return false;
    covered = pieces[next].end;
  }
  return true;
}

std::vector<int> touched_at_destination(const plan::Network& network, std::span<const StoredPart> stored) {
  const plan::Side& side = network.destination;
  const int whole = std::min(side.piece_bytes(), network.vector_bytes);
  const std::vector<StoredPiece> pieces = stored_pieces(network, stored);
  std::vector<int> touched(side.pieces.size(), 0);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const bool past = is_put_right(pieces, i, pieces[i].begin + whole);
    touched[pieces[i].index] = past ? whole : static_cast<int>(pieces[i].end - pieces[i].begin);
  }
  return touched;
}

}  // namespace

RoundedAccess::RoundedAccess(const plan::Network& network, std::span<const StoredPart> stored)
    : pieces_per_register_(pieces_per_register(network, network.source)),
      destination_pieces_per_register_(pieces_per_register(network, network.destination)),
      source_(plan::touched_at_source(network)),
      destination_(touched_at_destination(network, stored)),
      live_(plan::live_registers(network)) {}

std::span<const int> RoundedAccess::touched(bool source, unsigned register_number) const {
  const std::size_t count = source ? pieces_per_register_ : destination_pieces_per_register_;
  return std::span(source ? source_ : destination_).subspan(register_number * count, count);
}

bool RoundedAccess::holds(int stage, unsigned register_number) const {
  return live_.held[static_cast<std::size_t>(stage)][register_number] != 0;
}

bool RoundedAccess::wants(int stage, unsigned register_number) const {
  return live_.wanted[static_cast<std::size_t>(stage)][register_number] != 0;
}

std::vector<bool> RoundedAccess::wanted_after(int stage, std::span<const unsigned> register_numbers) const {
  std::vector<bool> result;
  result.reserve(register_numbers.size());
  for (const unsigned number : register_numbers) result.push_back(wants(stage + 1, number));
  return result;
}

}  // namespace relayout::jit
