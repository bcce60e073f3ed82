#pragma once

#include <span>
#include <vector>

#include "src/plan/network/network.hpp"

namespace relayout::jit {

/// What code for a padded tile (padded_box.hpp) reads: data, and of vectors that hold zeros behind them maybe
/// what follows.
class PaddedReads {
 public:
  /// \pre the source says where its pieces are
  explicit PaddedReads(const plan::Network& network);

  /// Bytes of each piece of a register that are data, and that may be read, from its front on.
  std::span<const int> data(unsigned register_number) const { return of_register(data_, register_number); }
  std::span<const int> readable(unsigned register_number) const {
    return of_register(readable_, register_number);
  }

  /// Whether vectors that this slot tells apart are not read alike: one reads data, the other one padding.
  bool leads_to_padding(int slot) const { return (slots_to_padding_ >> slot & 1) != 0; }

 private:
  std::span<const int> of_register(const std::vector<int>& bytes, unsigned register_number) const;

  int slots_ = 0;
  std::vector<int> data_;
  std::vector<int> readable_;
  unsigned slots_to_padding_ = 0;  ///< bits
};

}  // namespace relayout::jit
