#include "src/plan/kernels/shuffle.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <set>

#include "src/expr/small_vector.hpp"

namespace relayout::plan {
namespace {

/// One element of a tile: where its first byte is on either side.
struct ElementMove {
  std::int64_t source = 0;
  std::int64_t destination = 0;
};

/// A side by whose runs elements are told apart; of the source's runs a piece may hold several.
struct ShuffleSides {
  std::int64_t Axis::*runs;
  std::int64_t Axis::*other;
  int piece_bytes;
};

/// The numbers of the pieces that an element moves between.
struct PieceMove {
  std::size_t from = 0;
  std::size_t to = 0;
};

std::vector<ElementMove> element_moves(const Box& box, const MicroTile& tile) {
  std::vector<ElementMove> moves;
  moves.reserve(static_cast<std::size_t>(tile.elements()));
  moves.push_back({0, 0});
  for (std::size_t axis = 0; axis < box.axes.size(); ++axis) {
    const std::size_t count = moves.size();
    for (std::int64_t i = 1; i < tile.extents[axis]; ++i) {
      for (std::size_t k = 0; k < count; ++k) {
        moves.push_back({moves[k].source + i * box.axes[axis].source_stride,
                         moves[k].destination + i * box.axes[axis].destination_stride});
      }
    }
  }
  return moves;
}

/// Whether each element takes a shuffle of its own, because neighbours on one side are in different pieces on
/// the other, and runs on that side have gaps between them.
bool shares_no_shuffles(const Box& box, const MicroTile& tile, std::int64_t element_bytes,
                        const ShuffleSides& sides) {
  std::int64_t run_bytes = 0;
  std::int64_t apart = 0;  // of runs, all of whose distances are multiples of it
  for (std::size_t axis = 0; axis < box.axes.size(); ++axis) {
    if (tile.extents[axis] == 1) continue;
    const std::int64_t stride = std::abs(box.axes[axis].*sides.runs);
    if (stride == element_bytes && std::abs(box.axes[axis].*sides.other) >= sides.piece_bytes)
      run_bytes = element_bytes * tile.extents[axis];
    else if (stride == 0)
      return false;
    else
      apart = std::gcd(apart, stride);
  }
  const bool may_join = sides.runs == &Axis::source_stride;
  if (may_join && apart != 0 && apart + run_bytes <= sides.piece_bytes) return false;
  return run_bytes > 0 && (apart == 0 || apart > run_bytes);
}

/// Where the tile's elements are on one side, sorted: in rising order from the start where an axis is put
/// around those of shorter strides, which leaves nothing to sort but where strides are no multiples.
std::vector<std::int64_t> sorted_offsets(const Box& box, const MicroTile& tile, std::int64_t Axis::*stride) {
  expr::SmallVector<std::size_t, 8> order;
  for (std::size_t axis = 0; axis < box.axes.size(); ++axis)
    if (tile.extents[axis] > 1) order.push_back(axis);
  std::ranges::sort(order, {}, [&](std::size_t axis) { return std::abs(box.axes[axis].*stride); });
  std::vector<std::int64_t> offsets;
  offsets.reserve(static_cast<std::size_t>(tile.elements()));
  offsets.push_back(0);
  for (const std::size_t axis : order) {
    const std::size_t count = offsets.size();
    for (std::int64_t i = 1; i < tile.extents[axis]; ++i)
      for (std::size_t k = 0; k < count; ++k) offsets.push_back(offsets[k] + i * box.axes[axis].*stride);
  }
  if (!std::ranges::is_sorted(offsets)) std::ranges::sort(offsets);
  return offsets;
}

/// Cuts the contiguous segments of element offsets into pieces of at most `piece_bytes`.
std::vector<ShuffleKernel::Piece> cut_pieces(const std::vector<std::int64_t>& sorted,
                                             std::int64_t element_bytes, int piece_bytes) {
  std::vector<ShuffleKernel::Piece> pieces;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const std::int64_t offset = sorted[i];
    if (i > 0 && offset == sorted[i - 1]) continue;
    const bool continues = !pieces.empty() && offset == pieces.back().offset_bytes + pieces.back().bytes &&
                           pieces.back().bytes + element_bytes <= piece_bytes;
    if (continues) {
      pieces.back().bytes += static_cast<int>(element_bytes);
    } else {
      pieces.push_back({offset, static_cast<int>(element_bytes)});
    }
  }
  return pieces;
}

/// Joins neighbouring pieces that one piece holds with the gaps between them, which are inside the buffer: 3
/// of each 8 bytes, u8[7,79,88,3]{3,2,1,0:T(8)} to [1, 2, 0, 3, 2 p(4)], ran at 0.79 of memcpy so and at 0.21
/// piece by piece; of 1750 random pairs 25 change, 0.89 and 0.99, six faster, none slower (Emerald Rapids).
void join_pieces(std::vector<ShuffleKernel::Piece>& pieces, int piece_bytes) {
  std::size_t joined = 0;
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    const std::int64_t span = pieces[i].offset_bytes + pieces[i].bytes - pieces[joined].offset_bytes;
    if (span <= piece_bytes) {
      pieces[joined].bytes = static_cast<int>(span);
    } else {
      pieces[++joined] = pieces[i];
    }
  }
  pieces.resize(std::min(pieces.size(), joined + 1));
}

/// Reads whole pieces of 16 bytes, which take one load, where the source goes on behind them: of 300 random
/// pairs whose sources are padded 29 change by it at AVX2, 1.46 times as fast, 24 faster by a twentieth and
/// one slower (u8[3,96768] out of (4,1) tiles 0.41 and 0.70; Granite Rapids). Longer ones are read under
/// masks.
void lengthen_pieces(std::vector<ShuffleKernel::Piece>& pieces, const ShuffleLimits& limits) {
  constexpr int kLoadedWholeBytes = 16;
  if (limits.piece_bytes != kLoadedWholeBytes) return;
  for (ShuffleKernel::Piece& piece : pieces)
    if (piece.offset_bytes + kLoadedWholeBytes <= limits.readable_bytes) piece.bytes = kLoadedWholeBytes;
}

/// `near` is tried first: neighbouring elements are often in one piece.
std::size_t piece_of(const std::vector<ShuffleKernel::Piece>& pieces, std::int64_t offset, std::size_t near) {
  const std::int64_t beyond = offset - pieces[near].offset_bytes;
  if (beyond >= 0 && beyond < pieces[near].bytes) return near;
  const auto after =
      std::upper_bound(pieces.begin(), pieces.end(), offset,
                       [](std::int64_t at, const auto& piece) { return at < piece.offset_bytes; });
  return static_cast<std::size_t>(after - pieces.begin()) - 1;
}

/// The pieces that elements move from and to; nothing if these are more pairs than `most`. Tables are made
/// only after that: they take most of the time.
std::optional<std::vector<PieceMove>> pieces_of(const ShuffleKernel& kernel,
                                                const std::vector<ElementMove>& moves, std::size_t most) {
  std::vector<bool> seen(kernel.sources.size() * kernel.destinations.size());
  std::size_t pairs = 0;
  std::vector<PieceMove> pieces;
  pieces.reserve(moves.size());
  PieceMove piece;
  for (const ElementMove& move : moves) {
    piece = {piece_of(kernel.sources, move.source, piece.from),
             piece_of(kernel.destinations, move.destination, piece.to)};
    const std::size_t pair = piece.from * kernel.destinations.size() + piece.to;
    if (!seen[pair] && ++pairs > most) return std::nullopt;
    seen[pair] = true;
    pieces.push_back(piece);
  }
  return pieces;
}

std::vector<std::uint8_t>& index_of(std::vector<ShuffleKernel::Term>& terms, std::size_t source_piece,
                                    int piece_bytes) {
  for (auto& term : terms) {
    if (term.source_piece == static_cast<int>(source_piece)) return term.index;
  }
  terms.push_back({static_cast<int>(source_piece),
                   std::vector<std::uint8_t>(static_cast<std::size_t>(piece_bytes), 0x80)});
  return terms.back().index;
}

}  // namespace

std::optional<ShuffleKernel> make_shuffle(const Box& box, const MicroTile& tile, std::int64_t element_bytes,
                                          const ShuffleLimits& limits, const MicroTile* places) {
  const int piece_bytes = limits.piece_bytes;
  if (static_cast<std::size_t>(tile.elements()) > limits.terms &&
      (shares_no_shuffles(box, places != nullptr ? *places : tile, element_bytes,
                          {&Axis::destination_stride, &Axis::source_stride, piece_bytes}) ||
       shares_no_shuffles(box, tile, element_bytes,
                          {&Axis::source_stride, &Axis::destination_stride, piece_bytes})))
    return std::nullopt;
  ShuffleKernel kernel;
  kernel.piece_bytes = piece_bytes;
  const auto pieces_along = [&](const MicroTile& of, std::int64_t Axis::*stride) {
    return cut_pieces(sorted_offsets(box, of, stride), element_bytes, piece_bytes);
  };
  kernel.destinations = pieces_along(places != nullptr ? *places : tile, &Axis::destination_stride);
  if (kernel.destinations.size() > limits.terms) return std::nullopt;
  kernel.sources = pieces_along(tile, &Axis::source_stride);
  join_pieces(kernel.sources, piece_bytes);
  if (kernel.sources.size() > limits.terms) return std::nullopt;
  const std::vector<ElementMove> moves = element_moves(box, tile);
  const auto pieces = pieces_of(kernel, moves, limits.terms);
  if (!pieces) return std::nullopt;
  kernel.terms.resize(kernel.destinations.size());
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const ElementMove& move = moves[i];
    const auto [from, to] = (*pieces)[i];
    std::vector<std::uint8_t>& index = index_of(kernel.terms[to], from, piece_bytes);
    for (std::int64_t byte = 0; byte < element_bytes; ++byte) {
      index[static_cast<std::size_t>(move.destination - kernel.destinations[to].offset_bytes + byte)] =
          static_cast<std::uint8_t>(move.source - kernel.sources[from].offset_bytes + byte);
    }
  }
  lengthen_pieces(kernel.sources, limits);  // last: an element then lies in several of them
  return kernel;
}

bool is_sound(const ShuffleKernel& kernel) {
  const auto piece_is_sound = [&](const ShuffleKernel::Piece& piece) {
    return piece.bytes >= 0 && piece.bytes <= kernel.piece_bytes;
  };
  const auto term_is_sound = [&](const ShuffleKernel::Term& term) {
    return term.index.size() == static_cast<std::size_t>(kernel.piece_bytes) && term.source_piece >= 0 &&
           static_cast<std::size_t>(term.source_piece) < kernel.sources.size();
  };
  return (kernel.piece_bytes == 16 || kernel.piece_bytes == 64) &&
         kernel.terms.size() == kernel.destinations.size() &&
         std::ranges::all_of(kernel.sources, piece_is_sound) &&
         std::ranges::all_of(kernel.destinations, piece_is_sound) &&
         std::ranges::all_of(kernel.terms,
                             [&](const auto& terms) { return std::ranges::all_of(terms, term_is_sound); });
}

std::size_t term_count(const ShuffleKernel& kernel) {
  std::size_t terms = 0;
  for (const auto& of_destination : kernel.terms) terms += of_destination.size();
  return terms;
}

bool writes_whole_lines(const ShuffleKernel& kernel, std::int64_t line_bytes) {
  std::set<std::int64_t> parts;
  for (const ShuffleKernel::Piece& piece : kernel.destinations) {
    if (piece.bytes != kernel.piece_bytes || piece.offset_bytes % kernel.piece_bytes != 0) return false;
    parts.insert(piece.offset_bytes);
  }
  return std::ranges::all_of(parts, [&](std::int64_t offset) {
    const std::int64_t line = offset - ((offset % line_bytes) + line_bytes) % line_bytes;
    for (std::int64_t at = line; at < line + line_bytes; at += kernel.piece_bytes) {
      if (!parts.contains(at)) return false;
    }
    return true;
  });
}

}  // namespace relayout::plan
