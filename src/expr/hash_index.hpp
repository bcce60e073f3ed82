#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace relayout::expr {

/// An open-addressing hash table of ids; hashes are kept, the things themselves live with the caller.
class HashIndex {
 public:
  /// The id with this hash for which `matches` is true, or -1.
  template <class Matches>
  std::int32_t find(std::size_t hash, const Matches& matches) const {
    for (std::size_t i = hash & mask();; i = (i + 1) & mask()) {
      const Slot& slot = slots_[i];
      if (slot.id < 0) return -1;
      if (slot.hash == hash && matches(slot.id)) return slot.id;
    }
  }

  void insert(std::size_t hash, std::int32_t id) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    place(hash, id);
    ++size_;
  }

  void clear() {
    if (slots_.size() > kSlotsKept) {
      slots_ = std::vector<Slot>(kFirstSlots);
    } else if (size_ > 0) {
      slots_.assign(slots_.size(), Slot{});
    }
    size_ = 0;
  }

 private:
  static constexpr std::size_t kFirstSlots = 64;
  static constexpr std::size_t kSlotsKept = 256;

  struct Slot {
    std::size_t hash = 0;
    std::int32_t id = -1;
  };

  std::size_t mask() const { return slots_.size() - 1; }

  void place(std::size_t hash, std::int32_t id) {
    std::size_t i = hash & mask();
    while (slots_[i].id >= 0) i = (i + 1) & mask();
    slots_[i] = {hash, id};
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.id >= 0) place(slot.hash, slot.id);
    }
  }

  std::vector<Slot> slots_ = std::vector<Slot>(kFirstSlots);
  std::size_t size_ = 0;
};

}  // namespace relayout::expr
