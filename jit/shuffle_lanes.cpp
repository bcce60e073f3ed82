#include "jit/shuffle_lanes.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace relayout::jit {
namespace {

using plan::ShuffleKernel;
using Terms = std::vector<ShuffleKernel::Term>;
/// Numbers of two pieces of one side.
using Twins = std::pair<int, int>;

constexpr int kWholePieceBytes = 16;

const ShuffleKernel::Term* term_with(const Terms& terms, const std::vector<std::uint8_t>& index) {
  const auto found =
      std::ranges::find_if(terms, [&](const ShuffleKernel::Term& term) { return term.index == index; });
  return found == terms.end() ? nullptr : &*found;
}

/// Finds the source pieces of two destination pieces by the table that both shuffle them with. False if they
/// use other tables.
bool find_sources(const Terms& first, const Terms& second, std::vector<Twins>& sources) {
  sources.clear();
  if (first.size() != second.size()) return false;
  for (const ShuffleKernel::Term& term : first) {
    const ShuffleKernel::Term* other = term_with(second, term.index);
    if (other == nullptr) return false;
    sources.emplace_back(term.source_piece, other->source_piece);
  }
  return true;
}

class TwinFinder {
 public:
  explicit TwinFinder(const ShuffleKernel& kernel) : kernel_(kernel), paired_(kernel.destinations.size()) {}

  std::optional<TwinShuffle> run() {
    const auto is_whole = [](const ShuffleKernel::Piece& piece) { return piece.bytes == kWholePieceBytes; };
    if (kernel_.piece_bytes != kWholePieceBytes || kernel_.destinations.empty() ||
        !std::ranges::all_of(kernel_.sources, is_whole) ||
        !std::ranges::all_of(kernel_.destinations, is_whole))
      return std::nullopt;
    twins_.first.piece_bytes = kWholePieceBytes;
    for (std::size_t i = 0; i < paired_.size(); ++i) {
      if (!paired_[i] && !pair_up(i)) return std::nullopt;
    }
    return std::move(twins_);
  }

 private:
  /// Finds destination piece `first` the twin that needs the fewest source pieces loaded, of these the one
  /// that is nearest.
  bool pair_up(std::size_t first) {
    std::optional<std::size_t> best;
    std::vector<Twins> sources;
    std::vector<Twins> best_sources;
    std::size_t fewest = 0;
    for (std::size_t second = first + 1; second < paired_.size(); ++second) {
      if (paired_[second]) continue;
      if (!find_sources(kernel_.terms[first], kernel_.terms[second], sources)) continue;
      const std::size_t cost = loads_of(sources);
      if (best && cost >= fewest) continue;
      best = second;
      fewest = cost;
      best_sources.swap(sources);
    }
    if (!best) return false;
    paired_[first] = paired_[*best] = true;
    add(first, *best, best_sources);
    return true;
  }

  /// Accesses to memory for the twins that have no register yet.
  std::size_t loads_of(const std::vector<Twins>& sources) const {
    std::size_t loads = 0;
    for (const Twins& twins : sources) {
      if (std::ranges::find(sources_, twins) != sources_.end()) continue;
      loads += apart(kernel_.sources, twins) == kWholePieceBytes ? 1 : 2;
    }
    return loads;
  }

  static std::int64_t apart(const std::vector<ShuffleKernel::Piece>& pieces, const Twins& twins) {
    return pieces[static_cast<std::size_t>(twins.second)].offset_bytes -
           pieces[static_cast<std::size_t>(twins.first)].offset_bytes;
  }

  void add(std::size_t first, std::size_t second, const std::vector<Twins>& sources) {
    Terms terms = kernel_.terms[first];
    for (std::size_t i = 0; i < terms.size(); ++i) terms[i].source_piece = number_of(sources[i]);
    twins_.first.terms.push_back(std::move(terms));
    twins_.first.destinations.push_back(kernel_.destinations[first]);
    twins_.destination_apart.push_back(
        apart(kernel_.destinations, {static_cast<int>(first), static_cast<int>(second)}));
  }

  int number_of(const Twins& twins) {
    const auto found = std::ranges::find(sources_, twins);
    const auto number = static_cast<int>(found - sources_.begin());
    if (found != sources_.end()) return number;
    sources_.push_back(twins);
    twins_.first.sources.push_back(kernel_.sources[static_cast<std::size_t>(twins.first)]);
    twins_.source_apart.push_back(apart(kernel_.sources, twins));
    return number;
  }

  const ShuffleKernel& kernel_;
  std::vector<bool> paired_;
  std::vector<Twins> sources_;
  TwinShuffle twins_;
};

}  // namespace

std::optional<TwinShuffle> find_twins(const ShuffleKernel& kernel) {
  return TwinFinder(kernel).run();
}

}  // namespace relayout::jit
