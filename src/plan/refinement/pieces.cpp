// Canonical pieces and their merging. Since the destination is injective, an iterator's successor in a chain
// is unique, so merging iterators is confluent; merging pieces is greedy.

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "src/plan/refinement/split.hpp"

namespace relayout::plan {
namespace {

bool guarded(const Iterator& iterator) {
  return std::any_of(iterator.guard_steps.begin(), iterator.guard_steps.end(),
                     [](std::int64_t step) { return step != 0; });
}

/// Whether `outer` continues `inner` in both offsets and in every guard.
bool chains(const Iterator& inner, const Iterator& outer) {
  if (outer.destination_stride != inner.destination_stride * inner.extent) return false;
  if (outer.source_stride != inner.source_stride * inner.extent) return false;
  for (std::size_t i = 0; i < inner.guard_steps.size(); ++i) {
    if (outer.guard_steps[i] != inner.guard_steps[i] * inner.extent) return false;
  }
  return true;
}

using Position = std::pair<std::int64_t, std::int64_t>;  // destination base, source base

Position position(const Piece& piece) {
  return {piece.destination_base, piece.source_base};
}

Position moved(const Piece& piece, const Iterator& along, std::int64_t steps) {
  return {piece.destination_base + steps * along.destination_stride,
          piece.source_base + steps * along.source_stride};
}

/// The extent that `other` has where `piece` has iterator `at`, all other iterators being equal; 1 if it
/// lacks just that iterator, 0 if they differ elsewhere.
std::int64_t extent_along(const Piece& piece, std::size_t at, const Piece& other) {
  const auto& mine = piece.iterators;
  const auto& theirs = other.iterators;
  if (theirs.size() + 1 == mine.size()) {
    const auto middle = static_cast<std::ptrdiff_t>(at);
    const bool same = std::equal(mine.begin(), mine.begin() + middle, theirs.begin()) &&
                      std::equal(mine.begin() + middle + 1, mine.end(), theirs.begin() + middle);
    return same ? 1 : 0;
  }
  if (theirs.size() != mine.size()) return 0;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    if (i != at && !(mine[i] == theirs[i])) return 0;
  }
  const bool same_strides = mine[at].source_stride == theirs[at].source_stride &&
                            mine[at].destination_stride == theirs[at].destination_stride;
  return same_strides ? theirs[at].extent : 0;
}

using PieceMap = std::map<Position, Piece>;

/// Merges one neighbour into `piece`, taking it out of the map. A neighbour follows the last step of an
/// iterator, or lies one step before the first (a single).
bool absorb_neighbour(PieceMap& pieces, Piece& piece) {
  for (std::size_t at = 0; at < piece.iterators.size(); ++at) {
    const Iterator& along = piece.iterators[at];
    const auto before = pieces.find(moved(piece, along, -1));
    if (before != pieces.end() && before->second.iterators.size() + 1 == piece.iterators.size() &&
        extent_along(piece, at, before->second) == 1) {
      piece.source_base -= along.source_stride;
      piece.destination_base -= along.destination_stride;
      piece.iterators[at].extent += 1;
      pieces.erase(before);
      return true;
    }
    const auto after = pieces.find(moved(piece, along, along.extent));
    if (after == pieces.end()) continue;
    const std::int64_t extent = extent_along(piece, at, after->second);
    if (extent == 0) continue;
    piece.iterators[at].extent += extent;
    pieces.erase(after);
    return true;
  }
  return false;
}

std::vector<Piece> sorted_pieces(const PieceMap& pieces) {
  std::vector<Piece> sorted;
  sorted.reserve(pieces.size());
  for (const auto& entry : pieces) sorted.push_back(entry.second);
  return sorted;
}

/// The longest arithmetic progression of bases that starts at the first of `left`.
std::vector<Position> longest_progression(const std::set<Position>& left) {
  constexpr int kCandidates = 24;  // second terms to try; larger gaps were never the longest in random pairs
  const Position first = *left.begin();
  std::vector<Position> best = {first};
  int tried = 0;
  for (auto second = std::next(left.begin()); second != left.end() && tried < kCandidates;
       ++second, ++tried) {
    const Position step = {second->first - first.first, second->second - first.second};
    std::vector<Position> run = {first};
    Position next = *second;
    while (left.contains(next)) {
      run.push_back(next);
      next = {next.first + step.first, next.second + step.second};
    }
    if (run.size() > best.size()) best = std::move(run);
  }
  return best;
}

/// One round of grouping; true if anything was grouped.
bool group_progressions(std::vector<Piece>& pieces) {
  const auto key = [](const Piece& piece) {
    std::vector<std::int64_t> numbers;
    for (const Iterator& iterator : piece.iterators) {
      numbers.insert(numbers.end(), {iterator.extent, iterator.source_stride, iterator.destination_stride});
    }
    return numbers;
  };
  std::map<std::vector<std::int64_t>, std::vector<Piece>> classes;
  for (Piece& piece : pieces) classes[key(piece)].push_back(std::move(piece));
  pieces.clear();
  bool changed = false;
  for (const auto& [shape, members] : classes) {
    std::set<Position> left;
    for (const Piece& member : members) left.insert(position(member));
    while (!left.empty()) {
      const std::vector<Position> run = longest_progression(left);
      for (const Position& taken : run) left.erase(taken);
      Piece group = members.front();
      group.destination_base = run.front().first;
      group.source_base = run.front().second;
      if (run.size() > 1) {
        changed = true;
        group.iterators.push_back({static_cast<std::int64_t>(run.size()),
                                   run[1].second - run[0].second,
                                   run[1].first - run[0].first,
                                   {}});
        canonicalize(group);
      }
      pieces.push_back(std::move(group));
    }
  }
  return changed;
}

}  // namespace

std::int64_t Piece::volume() const {
  std::int64_t points = 1;
  for (const Iterator& iterator : iterators) points *= iterator.extent;
  return points;
}

void canonicalize(Piece& piece) {
  std::erase_if(piece.iterators, [](const Iterator& iterator) { return iterator.extent == 1; });
  for (Iterator& iterator : piece.iterators) {
    if (iterator.destination_stride >= 0 || guarded(iterator)) continue;
    piece.source_base += (iterator.extent - 1) * iterator.source_stride;
    piece.destination_base += (iterator.extent - 1) * iterator.destination_stride;
    iterator.source_stride = -iterator.source_stride;
    iterator.destination_stride = -iterator.destination_stride;
  }
  std::sort(piece.iterators.begin(), piece.iterators.end(), [](const Iterator& a, const Iterator& b) {
    return std::pair(a.destination_stride, a.source_stride) <
           std::pair(b.destination_stride, b.source_stride);
  });
  if (piece.iterators.size() < 2) return;
  auto last = piece.iterators.begin();  // of those merged so far
  for (auto next = last + 1; next != piece.iterators.end(); ++next) {
    if (chains(*last, *next)) {
      last->extent *= next->extent;
    } else if (++last != next) {
      *last = std::move(*next);
    }
  }
  piece.iterators.erase(last + 1, piece.iterators.end());
}

void merge_adjacent(std::vector<Piece>& pieces) {
  if (pieces.size() < 2) return;
  PieceMap map;
  for (Piece& piece : pieces) map.emplace(position(piece), std::move(piece));
  bool changed = true;
  while (changed) {
    changed = false;
    std::vector<Position> order;
    order.reserve(map.size());
    for (const auto& entry : map) order.push_back(entry.first);
    for (const Position& at : order) {
      const auto found = map.find(at);
      if (found == map.end()) continue;
      Piece piece = found->second;
      if (!absorb_neighbour(map, piece)) continue;
      map.erase(at);
      canonicalize(piece);
      map.insert_or_assign(position(piece), piece);
      changed = true;
    }
  }
  pieces = sorted_pieces(map);
}

void merge_pieces(std::vector<Piece>& pieces) {
  merge_adjacent(pieces);
  while (pieces.size() > 1 && group_progressions(pieces)) {
  }
}

}  // namespace relayout::plan
