// Parts of neighbouring vectors that are neighbours in memory, where the parts of one vector lie apart. A
// Zen 3 puts a store together with the one before it if both are to the same or to neighbouring lines, and
// takes 1.1 to 1.4 cycles for each of those of 16 bytes to addresses 8 to 16 bytes apart; where such stores
// take turns with others 16 rows further on, 1.4 to 1.5 at multiples of 4 bytes, else 2.4 to 2.9.

#include "jit/store_turns.hpp"

#include <algorithm>

#include "src/plan/machine/line.hpp"

namespace relayout::jit {
namespace {

constexpr int kShortestPartBytes = 16;  // a lane

class AddressOrder {
 public:
  explicit AddressOrder(const std::vector<StoredParts>& made) : made_(made) {
    for (std::size_t turn = 0; turn < made.size(); ++turn)
      for (const StoredPart& part : made[turn]) {
        parts_.push_back({part, turn});
        if (part.register_number >= left_.size()) left_.resize(part.register_number + 1);
        ++left_[part.register_number];
      }
    std::ranges::stable_sort(parts_, {}, [](const Entry& entry) { return entry.part.offset_bytes; });
  }

  StoreTurn turn(std::size_t turn, bool needs_register) {
    StoreTurn result;
    if (needs_register) {
      if (free_ == 0) store_oldest(turn, result.before);
      --free_;
    }
    while (next_ < parts_.size() && (parts_[next_].stored || parts_[next_].turn <= turn))
      store(parts_[next_++], result.after);
    return result;
  }

 private:
  struct Entry {
    StoredPart part;
    std::size_t turn = 0;
    bool stored = false;
  };

  void store(Entry& entry, StoredParts& stored) {
    if (entry.stored) return;
    entry.stored = true;
    stored.push_back(entry.part);
    if (--left_[entry.part.register_number] == 0) ++free_;
  }

  /// The rest of the vector that came to be first of those that are not stored yet.
  void store_oldest(std::size_t turn, StoredParts& stored) {
    for (std::size_t earlier = 0; earlier < turn; ++earlier)
      for (const StoredPart& part : made_[earlier]) {
        if (left_[part.register_number] == 0) continue;
        for (Entry& entry : parts_)
          if (entry.part.register_number == part.register_number) store(entry, stored);
        return;
      }
  }

  const std::vector<StoredParts>& made_;
  std::vector<Entry> parts_;       ///< by address
  std::vector<std::size_t> left_;  ///< of each vector's parts
  std::size_t next_ = 0;
  std::ptrdiff_t free_ = 0;
};

/// Whether most parts begin less than a line behind another one.
bool are_neighbours(const std::vector<StoredParts>& made) {
  std::vector<std::int64_t> offsets;
  for (const StoredParts& parts : made)
    for (const StoredPart& part : parts) offsets.push_back(part.offset_bytes);
  std::ranges::sort(offsets);
  std::size_t near = 0;
  for (std::size_t i = 1; i < offsets.size(); ++i)
    near += offsets[i] - offsets[i - 1] < plan::kLineBytes ? 1 : 0;
  return 2 * near > offsets.size();
}

}  // namespace

int parts_of_vector(const plan::Side& side, int vector_bytes) {
  return vector_bytes / std::clamp(side.piece_bytes(), kShortestPartBytes, vector_bytes);
}

std::vector<StoreTurn> store_turns(const std::vector<StoredParts>& made, std::size_t kept, bool by_address) {
  std::vector<StoreTurn> turns;
  turns.reserve(made.size());
  if (!by_address || !are_neighbours(made)) {
    for (const StoredParts& parts : made) turns.push_back({{}, parts});
    return turns;
  }
  AddressOrder order(made);
  for (std::size_t turn = 0; turn < made.size(); ++turn) turns.push_back(order.turn(turn, turn >= kept));
  return turns;
}

}  // namespace relayout::jit
