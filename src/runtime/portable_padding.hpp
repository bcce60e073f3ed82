#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/plan/refinement/padding.hpp"

namespace relayout::runtime {

/// Fills the destination's padding without generated code. An immutable value.
class PortablePadding {
 public:
  PortablePadding() = default;
  PortablePadding(std::vector<plan::PaddingPiece> pieces, std::vector<std::uint8_t> element)
      : pieces_(std::move(pieces)), element_(std::move(element)) {}

  /// Writes part `index` of `count`: a share of the runs of every piece. noexcept, no allocation.
  void write_part(std::byte* destination, std::int64_t index, std::int64_t count) const noexcept;

 private:
  void write_run(std::byte* destination, std::int64_t first_element, std::int64_t length) const noexcept;

  std::vector<plan::PaddingPiece> pieces_;
  std::vector<std::uint8_t> element_;
};

/// total * index / count, without overflow for counts below 2^31.
inline std::int64_t share(std::int64_t total, std::int64_t index, std::int64_t count) {
  return total / count * index + total % count * index / count;
}

}  // namespace relayout::runtime
