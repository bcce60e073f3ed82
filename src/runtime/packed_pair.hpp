#pragma once

#include <cstdint>
#include <optional>

#include "relayout/compile.hpp"
#include "src/interpret/packed_mover.hpp"

namespace relayout::runtime {

/// Whether either side packs elements narrower than a byte, or spaces them wider than their type.
bool is_packed_pair(const Layout& source, const Layout& destination);

/// A conversion with packed elements: fills the destination, then moves element by element.
class PackedPair {
 public:
  /// \error kUnsupported for spacings that are neither parts nor multiples of a byte, for elements of more
  /// than 8 bits, and past refinement's budget; kShapeMismatch
  static Result<PackedPair> make(const Layout& source, const Layout& destination,
                                 const CompileOptions& options);

  /// Part 0 does all the work: neighbouring elements share bytes. noexcept, no allocation.
  void run_part(const std::byte* source, std::byte* destination, std::int64_t index) const noexcept;

  const interpret::PackedWidths& widths() const noexcept { return widths_; }
  std::optional<std::uint8_t> fill_byte() const noexcept { return fill_byte_; }

 private:
  PackedPair(plan::LoopNest nest, interpret::PackedWidths widths)
      : mover_(std::move(nest), widths), widths_(widths) {}

  interpret::PackedMover mover_;
  interpret::PackedWidths widths_;
  std::optional<std::uint8_t> fill_byte_;  ///< nothing: bytes that hold no element stay as they are
  std::int64_t destination_bytes_ = 0;
  bool empty_ = false;
};

}  // namespace relayout::runtime
