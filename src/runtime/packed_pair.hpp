#pragma once

#include <cstdint>
#include <optional>

#include "relayout/compile.hpp"
#include "src/interpret/packed_mover.hpp"

namespace relayout::runtime {

/// Whether either side packs elements narrower than a byte, or spaces them wider than their type.
bool is_packed_pair(const Layout& source, const Layout& destination);

/// How the elements of such a pair lie. \error kUnsupported for spacings that are neither parts nor multiples
/// of a byte, and for elements of more than 8 bits
Result<interpret::PackedWidths> packed_widths(const Layout& source, const Layout& destination);

/// What bytes of padding hold; nothing if they stay as they are.
std::optional<std::uint8_t> packed_fill(const CompileOptions& options, const interpret::PackedWidths& widths);

/// A conversion with packed elements: fills the destination, then moves elements along the loop nest.
class PackedPair {
 public:
  /// \error kUnsupported past refinement's budget; kShapeMismatch
  static Result<PackedPair> make(const Layout& source, const Layout& destination,
                                 const interpret::PackedWidths& widths, const CompileOptions& options);

  /// Writes a share of the destination's bytes, with all elements in them. noexcept, no allocation.
  void run_part(const std::byte* source, std::byte* destination, std::int64_t index,
                std::int64_t count) const noexcept;

 private:
  PackedPair(const plan::LoopNest& nest, interpret::PackedWidths widths)
      : mover_(nest, widths), widths_(widths) {}

  interpret::PackedMover mover_;
  interpret::PackedWidths widths_;
  std::optional<std::uint8_t> fill_byte_;  ///< nothing: bytes that hold no element stay as they are
  std::int64_t destination_bytes_ = 0;
  bool empty_ = false;
};

}  // namespace relayout::runtime
