// A run shorter than a vector leaves lane positions free. A free position is best filled with the bit that
// ends in the same position on the other side: it needs no move. With few free positions all assignments are
// tried; with many, those bits are put in place first.

#include "src/plan/network/network_lanes.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace relayout::plan::network {
namespace {

constexpr std::int8_t kFree = -1;
constexpr int kExhaustiveFreePositions = 2;
constexpr int kMaxAssignments = 128;

enum class Which : std::uint8_t { kSource, kDestination };

std::int64_t stride_bytes(const TileBit& bit, Which side) {
  return side == Which::kSource ? bit.source_stride_bytes : bit.destination_stride_bytes;
}

class LaneSearch {
 public:
  LaneSearch(const ShortestPaths& paths, std::span<const TileBit> bits, int lanes, RunLanes longest)
      : paths_(paths), bits_(bits), lanes_(lanes) {
    place_run(Which::kSource, longest.source);
    place_run(Which::kDestination, longest.destination);
    best_.source.fill(kFree);
    best_.destination.fill(kFree);
  }

  TileLanes best() {
    if (free_positions() > kExhaustiveFreePositions) place_identities();
    search(0);
    return best_;
  }

 private:
  LaneBits& lanes_of(Which side) { return side == Which::kSource ? tile_.source : tile_.destination; }
  static Which other(Which side) { return side == Which::kSource ? Which::kDestination : Which::kSource; }
  std::int8_t& at(Which side, int position) { return lanes_of(side)[static_cast<std::size_t>(position)]; }
  bool holds(Which side, int bit) {
    const LaneBits& held = lanes_of(side);
    return std::find(held.begin(), held.begin() + lanes_, bit) != held.begin() + lanes_;
  }

  void place_run(Which side, int longest) {
    lanes_of(side).fill(kFree);
    for (int p = 0; p < std::min(lanes_, longest); ++p) {
      const auto bit = std::find_if(bits_.begin(), bits_.end(), [&](const TileBit& candidate) {
        return stride_bytes(candidate, side) == std::int64_t{1} << p;
      });
      if (bit == bits_.end() || !may_join_run(side, static_cast<int>(bit - bits_.begin()))) return;
      at(side, p) = static_cast<std::int8_t>(bit - bits_.begin());
    }
  }

  /// Bits that are split, joined or exchanged have to be register bits at one end at least.
  bool may_join_run(Which side, int bit) {
    return may_fill(bit) || side == Which::kSource || !holds(Which::kSource, bit);
  }
  bool may_fill(int bit) const {
    return bit != kFree && bits_[static_cast<std::size_t>(bit)].sub_byte == SubByte::kNone;
  }

  int free_positions() {
    const auto count = [&](const LaneBits& held) {
      return std::count(held.begin(), held.begin() + lanes_, kFree);
    };
    return static_cast<int>(count(tile_.source) + count(tile_.destination));
  }

  void place_identities() {
    for (int p = 0; p < lanes_; ++p) {
      for (const Which side : {Which::kSource, Which::kDestination}) {
        const std::int8_t opposite = at(other(side), p);
        if (at(side, p) == kFree && may_fill(opposite) && !holds(side, opposite)) at(side, p) = opposite;
      }
      if (at(Which::kSource, p) != kFree || at(Which::kDestination, p) != kFree) continue;
      const int outside = nearest_outside_bit(Which::kDestination);
      if (outside == kFree) continue;
      at(Which::kSource, p) = at(Which::kDestination, p) = static_cast<std::int8_t>(outside);
    }
  }

  /// The bit in no lane of either side with the smallest stride on `side`; all others are as good for the
  /// network.
  int nearest_outside_bit(Which side) {
    int nearest = int{kFree};
    for (int bit = 0; bit < static_cast<int>(bits_.size()); ++bit) {
      if (!may_fill(bit) || holds(Which::kSource, bit) || holds(Which::kDestination, bit)) continue;
      if (nearest == kFree || reach(bit, side) < reach(nearest, side)) nearest = bit;
    }
    return nearest;
  }
  std::int64_t reach(int bit, Which side) const {
    return std::abs(stride_bytes(bits_[static_cast<std::size_t>(bit)], side));
  }

  /// Tries all bits in the free positions from `index` on: destination positions first, then source
  /// positions.
  void search(int index) {
    if (assignments_ >= kMaxAssignments || best_distance_ == 0) return;
    if (index == 2 * lanes_) return evaluate();
    const Which side = index < lanes_ ? Which::kDestination : Which::kSource;
    const int position = index % lanes_;
    if (at(side, position) != kFree) return search(index + 1);
    const auto attempt = [&](int bit) {
      if (!may_fill(bit) || holds(side, bit)) return;
      at(side, position) = static_cast<std::int8_t>(bit);
      search(index + 1);
      at(side, position) = kFree;
    };
    const std::int8_t same_position = at(other(side), position);
    attempt(same_position);
    for (int p = 0; p < lanes_; ++p)
      if (p != position) attempt(at(other(side), p));
    attempt(nearest_outside_bit(side));
  }

  void evaluate() {
    ++assignments_;
    const int distance = paths_.distance(labels_of(tile_, lanes_));
    if (distance < 0 || distance >= best_distance_) return;
    best_distance_ = distance;
    best_ = tile_;
  }

  const ShortestPaths& paths_;
  std::span<const TileBit> bits_;
  int lanes_;
  TileLanes tile_;
  TileLanes best_;
  int best_distance_ = std::numeric_limits<int>::max();
  int assignments_ = 0;
};

}  // namespace

TileLanes choose_lanes(const ShortestPaths& paths, std::span<const TileBit> bits, int lanes,
                       RunLanes longest) {
  return LaneSearch(paths, bits, lanes, longest).best();
}

Labels labels_of(const TileLanes& tile, int lanes) {
  Labels labels{};
  const auto end = tile.destination.begin() + lanes;
  for (std::size_t p = 0; p < static_cast<std::size_t>(lanes); ++p) {
    const auto found = std::find(tile.destination.begin(), end, tile.source[p]);
    labels[p] = found == end ? kInRegister : static_cast<std::int8_t>(found - tile.destination.begin());
  }
  return labels;
}

}  // namespace relayout::plan::network
