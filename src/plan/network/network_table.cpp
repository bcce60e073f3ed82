// Dial's algorithm on layers: the states at distance d are settled by expanding, for every move of weight w,
// the layer d - w. A table permute reaches every arrangement of the bits it may move, so the states that
// differ only by such an arrangement form a class, which is expanded once, when its first member's turn
// comes. The search ends when all states are settled, before the dear moves have been tried on the far
// layers.

#include "src/plan/network/network_table.hpp"

#include <bit>
#include <memory>
#include <mutex>

namespace relayout::plan::network {
namespace {

constexpr int kKeyBits = 18;
constexpr int kMoveBits = 5;
constexpr std::uint32_t kKeyMask = (1U << kKeyBits) - 1;
constexpr int kNoMove = (1 << kMoveBits) - 1;  ///< in the entry of the goal
constexpr int kMaxDistance = 511;

/// Three bits a position.
constexpr std::uint32_t label_bits(int label, int position) {
  return static_cast<std::uint32_t>(label) << (3 * position);
}
constexpr int label_at(std::uint32_t key, int position) {
  return static_cast<int>(key >> (3 * position)) & 7;
}

/// Partial permutations of n positions: the sum over k of C(n,k)^2 k!.
std::int64_t count_states(int n) {
  std::int64_t total = 1;
  std::int64_t term = 1;
  for (int k = 1; k <= n; ++k) {
    term = term * (n - k + 1) * (n - k + 1) / k;
    total += term;
  }
  return total;
}

}  // namespace

/// Fills the entries of a ShortestPaths.
class BackwardSearch {
 public:
  BackwardSearch(ShortestPaths& paths, std::vector<int> weights)
      : paths_(paths), weights_(std::move(weights)) {
    const int movable = paths_.lanes_ - paths_.element_bits_;
    paths_.entries_.assign(std::size_t{1} << (3 * movable), 0);
    expected_states_ = count_states(movable);
    expanded_classes_.resize(paths_.moves_.size());
    for (std::size_t m = 0; m < paths_.moves_.size(); ++m) {
      const MoveAction& action = paths_.moves_[m];
      if (!action.has_table) continue;
      const int fixed = movable - (action.high - action.low);
      expanded_classes_[m].assign(std::size_t{1} << (3 * fixed + kMaxLanePositions), false);
    }
  }

  void run() {
    std::uint32_t goal = 0;
    for (int p = paths_.element_bits_; p < paths_.lanes_; ++p) goal |= label_bits(p, key_position(p));
    reached_from_ = goal;
    settle(goal);
    for (distance_ = 1; distance_ <= kMaxDistance && paths_.settled_ < expected_states_; ++distance_)
      for (std::size_t m = 0; m < paths_.moves_.size(); ++m)
        if (weights_[m] <= distance_)
          expand_layer(m, layers_[static_cast<std::size_t>(distance_ - weights_[m])]);
  }

 private:
  int key_position(int position) const { return position - paths_.element_bits_; }

  void settle(std::uint32_t key) {
    std::uint32_t& entry = paths_.entries_[key];
    if (entry != 0) return;
    entry = reached_from_ | static_cast<std::uint32_t>(move_ + 1) << kKeyBits |
            static_cast<std::uint32_t>(distance_) << (kKeyBits + kMoveBits);
    layers_[static_cast<std::size_t>(distance_)].push_back(key);
    ++paths_.settled_;
  }

  void expand_layer(std::size_t move, const std::vector<std::uint32_t>& layer) {
    const MoveAction& action = paths_.moves_[move];
    move_ = static_cast<int>(move);
    for (const std::uint32_t key : layer) {
      reached_from_ = key;
      if (action.has_table)
        expand_table(action, key);
      else
        expand_fixed(action, key);
    }
  }

  /// Labels that are in no lane of `key`.
  unsigned missing_labels(std::uint32_t key) const {
    unsigned missing = (1U << paths_.lanes_) - (1U << paths_.element_bits_);
    for (int p = paths_.element_bits_; p < paths_.lanes_; ++p)
      missing &= ~(1U << label_at(key, key_position(p)));
    return missing;
  }

  /// Undoes a fixed move, for every bit that it may have sent to the register number.
  void expand_fixed(const MoveAction& action, std::uint32_t key) {
    std::uint32_t before = 0;
    for (int p = paths_.element_bits_; p < paths_.lanes_; ++p) {
      const auto from = static_cast<int>(action.from[static_cast<std::size_t>(p)]);
      const int label = label_at(key, key_position(p));
      if (from != kSlot)
        before |= label_bits(label, key_position(from));
      else if (label == kInRegister)
        return;
    }
    if (!action.takes_slot) return settle(before);
    const int leaving = key_position(action.from[kSlot]);
    settle(before | label_bits(kInRegister, leaving));
    for (unsigned rest = missing_labels(key); rest != 0; rest &= rest - 1)
      settle(before | label_bits(std::countr_zero(rest), leaving));
  }

  /// What a table move may arrange: `key` holds the labels of the other positions.
  struct Arrangement {
    std::uint32_t key = 0;
    unsigned labels = 0;   ///< set of labels still to be placed
    int in_registers = 0;  ///< bits labelled kInRegister still to be placed
  };

  void expand_table(const MoveAction& action, std::uint32_t key) {
    Arrangement pool;
    for (int p = paths_.element_bits_; p < paths_.lanes_; ++p) {
      const int label = label_at(key, key_position(p));
      if (p < action.low || p >= action.high)
        pool.key |= label_bits(label, key_position(p));
      else if (label == kInRegister)
        ++pool.in_registers;
      else
        pool.labels |= 1U << label;
    }
    if (!action.takes_slot) return expand_class(action, pool);
    expand_class(action, {pool.key, pool.labels, pool.in_registers + 1});
    for (unsigned rest = missing_labels(key); rest != 0; rest &= rest - 1)
      expand_class(action, {pool.key, pool.labels | (rest & -rest), pool.in_registers});
  }

  void expand_class(const MoveAction& action, const Arrangement& pool) {
    const int low = key_position(action.low);
    const std::uint32_t below = pool.key & ((1U << (3 * low)) - 1);
    const std::uint32_t fixed = below | pool.key >> (3 * key_position(action.high)) << (3 * low);
    auto expanded =
        expanded_classes_[static_cast<std::size_t>(move_)][fixed << kMaxLanePositions | pool.labels];
    if (expanded) return;
    expanded = true;
    arrange(action, low, pool);
  }

  /// Settles every arrangement of the pool on positions from `position` up; the bit left over, if any, is the
  /// slot's.
  void arrange(const MoveAction& action, int position, const Arrangement& pool) {
    if (position == key_position(action.high)) {
      if (pool.in_registers == 0) settle(pool.key);
      return;
    }
    if (pool.in_registers > 0)
      arrange(action, position + 1,
              {pool.key | label_bits(kInRegister, position), pool.labels, pool.in_registers - 1});
    for (unsigned rest = pool.labels; rest != 0; rest &= rest - 1) {
      const int label = std::countr_zero(rest);
      arrange(action, position + 1,
              {pool.key | label_bits(label, position), pool.labels & ~(1U << label), pool.in_registers});
    }
  }

  ShortestPaths& paths_;
  std::vector<int> weights_;
  std::int64_t expected_states_ = 0;
  std::vector<std::vector<bool>> expanded_classes_;  ///< per move, by fixed labels and set of moved ones
  std::array<std::vector<std::uint32_t>, kMaxDistance + 1> layers_;
  // The edge that is being relaxed.
  std::uint32_t reached_from_ = 0;
  int move_ = kNoMove - 1;
  int distance_ = 0;
};

ShortestPaths::ShortestPaths(const NetworkTarget& target, int element_bits, Weighting weighting)
    : lanes_(lane_positions(target)),
      element_bits_(element_bits),
      moves_(available_moves(target, element_bits)) {
  std::vector<int> weights;
  for (const MoveAction& action : moves_) weights.push_back(weight(action.move, target, weighting));
  BackwardSearch(*this, std::move(weights)).run();
}

std::uint32_t ShortestPaths::pack(const Labels& labels) const {
  std::uint32_t key = 0;
  for (int p = element_bits_; p < lanes_; ++p)
    key |= label_bits(labels[static_cast<std::size_t>(p)], p - element_bits_);
  return key;
}

Labels ShortestPaths::unpack(std::uint32_t key) const {
  Labels labels{};
  for (int p = 0; p < lanes_; ++p)
    labels[static_cast<std::size_t>(p)] =
        static_cast<std::int8_t>(p < element_bits_ ? p : label_at(key, p - element_bits_));
  return labels;
}

int ShortestPaths::distance(const Labels& labels) const {
  const std::uint32_t key = pack(labels);
  const std::uint32_t entry = entries_[key];
  if (entry != 0) return static_cast<int>(entry >> (kKeyBits + kMoveBits));
  return -1;
}

ShortestPaths::Step ShortestPaths::step(const Labels& labels) const {
  const std::uint32_t entry = entries_[pack(labels)];
  const auto move = (entry >> kKeyBits) & ((1U << kMoveBits) - 1);
  if (move == kNoMove) return {};
  return {&moves_[move - 1], unpack(entry & kKeyMask)};
}

const ShortestPaths& shortest_paths(const NetworkTarget& target, int element_bits, Weighting weighting) {
  struct Slot {
    std::once_flag once;
    std::unique_ptr<const ShortestPaths> paths;
  };
  constexpr std::size_t kElementWidths = 5;
  constexpr std::size_t kVectorWidths = 3;
  constexpr std::size_t kWeightings = 2;
  static std::array<Slot, kAllIsas.size() * kVectorWidths * kElementWidths * kShufflePortsCount * kWeightings>
      slots;
  std::size_t index = static_cast<std::size_t>(target.isa);
  index = index * kVectorWidths + static_cast<std::size_t>(lane_positions(target) - 4);
  index = index * kElementWidths + static_cast<std::size_t>(element_bits);
  index = index * kShufflePortsCount + static_cast<std::size_t>(target.shuffle_ports);
  index = index * kWeightings + static_cast<std::size_t>(weighting);
  Slot& slot = slots[index];
  std::call_once(slot.once, [&] {
    slot.paths = std::make_unique<const ShortestPaths>(target, element_bits, weighting);
  });
  return *slot.paths;
}

}  // namespace relayout::plan::network
