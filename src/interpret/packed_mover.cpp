// Every loop is clipped to the trips whose body may reach the wanted range of the destination, so a part
// costs little more than its share whatever the order of the loops.

#include "src/interpret/packed_mover.hpp"

#include <algorithm>

#include "src/expr/integer.hpp"

namespace relayout::interpret {
namespace {

/// Nests of so few pieces are multiplied out, so that the smallest destination stride is innermost.
constexpr std::int64_t kMostPieces = 64;

plan::LoopNest ordered(const plan::LoopNest& nest) {
  if (nest.factors.empty() || plan::expanded_pieces(nest) > kMostPieces) return nest;
  plan::LoopNest flat;
  flat.factors.push_back({plan::expand(nest), {}});
  return flat;
}

struct Trips {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

}  // namespace

PackedMover::PackedMover(const plan::LoopNest& nest, PackedWidths widths)
    : nest_(ordered(nest)), widths_(widths), mover_(packed_run_mover(widths)) {
  reach_.assign(nest_.factors.size() + 1, {});
  for (std::size_t i = nest_.factors.size(); i-- > 0;) {
    Reach all = {INT64_MAX, INT64_MIN};
    for (const plan::Piece& piece : nest_.factors[i].pieces) {
      const Reach inside = reach_inside(i, piece, piece.iterators.size());
      all.lowest = std::min(all.lowest, piece.destination_base + inside.lowest);
      all.highest = std::max(all.highest, piece.destination_base + inside.highest);
    }
    reach_[i] = all;
  }
}

PackedMover::Reach PackedMover::reach_inside(std::size_t factor, const plan::Piece& piece,
                                             std::size_t iterator) const noexcept {
  Reach reach = reach_[factor + 1];
  for (std::size_t i = 0; i < iterator; ++i) {
    const std::int64_t span = (piece.iterators[i].extent - 1) * piece.iterators[i].destination_stride;
    reach.lowest += std::min<std::int64_t>(span, 0);
    reach.highest += std::max<std::int64_t>(span, 0);
  }
  return reach;
}

void PackedMover::run(const std::byte* source, std::byte* destination, Range range) const noexcept {
  walk_factors({source, destination, range}, 0, {nest_.source_base, nest_.destination_base});
}

void PackedMover::walk_factors(const Task& task, std::size_t factor, PackedPosition at) const noexcept {
  if (factor == nest_.factors.size()) {
    if (at.destination < task.range.first || at.destination >= task.range.last) return;
    return move_packed_element(task.source, task.destination, at, widths_);
  }
  for (const plan::Piece& piece : nest_.factors[factor].pieces) {
    walk_piece(task, factor, piece, piece.iterators.size(),
               {at.source + piece.source_base, at.destination + piece.destination_base});
  }
}

/// Iterators are sorted by rising destination stride: the last is the outermost.
void PackedMover::walk_piece(const Task& task, std::size_t factor, const plan::Piece& piece,
                             std::size_t iterator, PackedPosition at) const noexcept {
  if (iterator == 0) return walk_factors(task, factor + 1, at);
  const plan::Iterator& loop = piece.iterators[iterator - 1];
  const bool innermost = iterator == 1 && factor + 1 == nest_.factors.size();
  if (innermost && loop.destination_stride == 1 && mover_ != nullptr) return move_run(task, loop, at);
  Trips trips = {0, loop.extent};
  if (loop.destination_stride > 0) {
    const Reach inside = reach_inside(factor, piece, iterator - 1);
    const std::int64_t stride = loop.destination_stride;
    const std::int64_t below = task.range.first - at.destination - inside.highest;
    const std::int64_t above = task.range.last - at.destination - inside.lowest;
    trips.first = std::max(trips.first, -expr::floor_quotient(-below, stride));
    trips.last = std::min(trips.last, -expr::floor_quotient(-above, stride));
  }
  at.source += trips.first * loop.source_stride;
  at.destination += trips.first * loop.destination_stride;
  for (std::int64_t i = trips.first; i < trips.last; ++i) {
    walk_piece(task, factor, piece, iterator - 1, at);
    at.source += loop.source_stride;
    at.destination += loop.destination_stride;
  }
}

void PackedMover::move_run(const Task& task, const plan::Iterator& loop, PackedPosition at) const noexcept {
  const std::int64_t first = std::max<std::int64_t>(0, task.range.first - at.destination);
  const std::int64_t last = std::min(loop.extent, task.range.last - at.destination);
  if (first >= last) return;
  const PackedPosition start = {at.source + first * loop.source_stride, at.destination + first};
  mover_(task.source, task.destination, {start, loop.source_stride, last - first});
}

std::uint8_t packed_fill_byte(std::uint8_t element, const PackedWidths& widths) {
  const unsigned value = element & ((1U << widths.moved_bits) - 1U);
  unsigned byte = value;
  for (int bit = widths.destination_spacing_bits; bit < 8; bit += widths.destination_spacing_bits) {
    byte |= value << bit;
  }
  return static_cast<std::uint8_t>(byte);
}

}  // namespace relayout::interpret
