#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace relayout::jit {

/// Vectors that came to be and are stored part by part.
class HeldVectors {
 public:
  void add(unsigned number, int register_index, std::size_t parts) {
    held_.push_back({number, register_index, parts});
    if (parts == 0) free_.push_back(register_index);
  }
  /// The register of a vector of which one more part is stored.
  /// \pre it was added with as many parts
  int store_part(unsigned number) {
    const auto held = std::ranges::find(held_, number, &Held::number);
    if (--held->parts == 0) free_.push_back(held->register_index);
    return held->register_index;
  }
  /// A register whose vector is stored; nothing if there is none.
  std::optional<int> take_free() {
    if (free_.empty()) return std::nullopt;
    const int index = free_.back();
    free_.pop_back();
    return index;
  }

 private:
  struct Held {
    unsigned number = 0;
    int register_index = 0;
    std::size_t parts = 0;  ///< that are not stored yet
  };

  std::vector<Held> held_;
  std::vector<int> free_;
};

}  // namespace relayout::jit
