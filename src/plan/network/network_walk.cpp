#include "src/plan/network/network_walk.hpp"

#include <algorithm>

namespace relayout::plan::network {
namespace {

class Walker {
 public:
  Walker(const TileLanes& tile, int lanes, int bit_count) : lanes_(lanes), held_(tile.source) {
    destination_of_.fill(kInRegister);
    for (int p = 0; p < lanes; ++p)
      destination_of_[index_of(tile.destination, p)] = static_cast<std::int8_t>(p);
    for (int bit = 0; bit < bit_count; ++bit)
      if (std::find(held_.begin(), held_.begin() + lanes, bit) == held_.begin() + lanes)
        result_.source_slots.push_back(bit);
    result_.destination_slots = result_.source_slots;
    result_.stages.reserve(8);
  }

  Walk run(const ShortestPaths& paths) && {
    for (auto step = paths.step(labels()); step.action != nullptr; step = paths.step(labels()))
      take(*step.action, step.next);
    return std::move(result_);
  }

 private:
  static constexpr std::size_t kMaxBits = 64;

  static std::size_t index_of(const LaneBits& bits, int position) {
    return static_cast<std::size_t>(bits[static_cast<std::size_t>(position)]);
  }
  std::int8_t label(int bit) const { return destination_of_[static_cast<std::size_t>(bit)]; }
  std::int8_t label_at(int position) const { return destination_of_[index_of(held_, position)]; }

  Labels labels() const {
    Labels now{};
    for (int p = 0; p < lanes_; ++p) now[static_cast<std::size_t>(p)] = label_at(p);
    return now;
  }

  void take(const MoveAction& action, const Labels& next) {
    Stage stage{.move = action.move, .slot = -1, .tables = {}};
    if (action.takes_slot) stage.slot = slot_of_entering_label(next);
    const Positions from = action.has_table ? routes(action, next, stage.slot) : action.from;
    if (action.has_table) add_tables(stage, action, from);
    move_bits(from, stage.slot);
    result_.stages.push_back(std::move(stage));
  }

  /// The slot that holds the one label of `next` that no lane has yet.
  int slot_of_entering_label(const Labels& next) const {
    const Labels now = labels();
    for (int p = 0; p < lanes_; ++p) {
      const std::int8_t wanted = next[static_cast<std::size_t>(p)];
      if (wanted == kInRegister ||
          std::find(now.begin(), now.begin() + lanes_, wanted) != now.begin() + lanes_)
        continue;
      const auto& slots = result_.destination_slots;
      const auto slot =
          std::find_if(slots.begin(), slots.end(), [&](int bit) { return label(bit) == wanted; });
      return static_cast<int>(slot - slots.begin());
    }
    return 0;
  }

  /// Matches labels to bits for a table move; bits that may stay where they are stay.
  Positions routes(const MoveAction& action, const Labels& next, int slot) const {
    Positions from = kIdentity;
    std::array<bool, 8> taken{};
    const auto wanted = [&](int p) { return next[static_cast<std::size_t>(p)]; };
    for (int p = action.low; p < action.high; ++p)
      taken[static_cast<std::size_t>(p)] = label_at(p) == wanted(p);
    for (int p = action.low; p < action.high; ++p) {
      if (label_at(p) == wanted(p)) continue;
      const int origin = untaken_position(action, taken, wanted(p));
      taken[static_cast<std::size_t>(origin)] = true;
      from[static_cast<std::size_t>(p)] = static_cast<std::int8_t>(origin);
    }
    if (slot < 0) return from;
    for (int p = action.low; p < action.high; ++p)
      if (!taken[static_cast<std::size_t>(p)]) from[kSlot] = static_cast<std::int8_t>(p);
    return from;
  }

  int untaken_position(const MoveAction& action, const std::array<bool, 8>& taken, std::int8_t wanted) const {
    for (int p = action.low; p < action.high; ++p)
      if (!taken[static_cast<std::size_t>(p)] && label_at(p) == wanted) return p;
    return kSlot;
  }

  void move_bits(const Positions& from, int slot) {
    const LaneBits before = held_;
    const int entering = slot < 0 ? -1 : result_.destination_slots[static_cast<std::size_t>(slot)];
    for (int p = 0; p < lanes_; ++p) {
      const auto origin = static_cast<int>(from[static_cast<std::size_t>(p)]);
      held_[static_cast<std::size_t>(p)] =
          static_cast<std::int8_t>(origin == kSlot ? entering : before[static_cast<std::size_t>(origin)]);
    }
    if (slot >= 0 && from[kSlot] != kSlot)
      result_.destination_slots[static_cast<std::size_t>(slot)] =
          static_cast<int>(before[static_cast<std::size_t>(from[kSlot])]);
  }

  void add_tables(Stage& stage, const MoveAction& action, const Positions& from) const {
    const int results = action.takes_slot ? 2 : 1;
    for (int result = 0; result < results; ++result) stage.tables.push_back(table(action, from, result));
  }

  /// Index table of result register `result` of a pair: where each granule comes from.
  std::vector<std::uint8_t> table(const MoveAction& action, const Positions& from, int result) const {
    std::vector<std::uint8_t> bytes(std::size_t{1} << lanes_, 0);
    const bool within_lane = action.move == Move::kByteShuffle;
    for (int byte = 0; byte < 1 << lanes_; byte += 1 << action.granule) {
      int origin = 0;
      for (int p = action.granule; p < lanes_; ++p)
        if ((byte >> p & 1) != 0) origin |= source_weight(from[static_cast<std::size_t>(p)]);
      if (result == 1) origin |= source_weight(from[kSlot]);
      const int index = within_lane ? origin & 15 : origin >> action.granule;
      bytes[static_cast<std::size_t>(byte)] = static_cast<std::uint8_t>(index);
    }
    return bytes;
  }
  /// Weight of a position's bit in the index of a byte; the second operand follows the first.
  int source_weight(int position) const { return 1 << (position == kSlot ? lanes_ : position); }

  int lanes_;
  LaneBits held_;
  std::array<std::int8_t, kMaxBits> destination_of_{};
  Walk result_;
};

}  // namespace

Walk walk(const ShortestPaths& paths, const TileLanes& tile, int lanes, int bit_count) {
  return Walker(tile, lanes, bit_count).run(paths);
}

}  // namespace relayout::plan::network
