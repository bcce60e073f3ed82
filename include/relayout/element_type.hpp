#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "relayout/result.hpp"

namespace relayout {

/// An element type: its XLA name and the width that moves. Types only decide the width; no value is ever
/// changed.
class ElementType {
 public:
  /// XLA's lower-case names (`f32`, `bf16`, `s8`, `pred`, `c128`, ...). \error kSyntax names the unknown type
  static Result<ElementType> parse(std::string_view name);

  std::string_view name() const noexcept { return name_; }
  /// Bits that a value needs, 1 to 128: 1 for pred, 4 for s4, 6 for f6e2m3fn. Never above storage_bits.
  int logical_bits() const noexcept { return logical_bits_; }
  /// Width of one stored element in bits. Types narrower than a byte take one byte each, unless a layout
  /// packs them.
  int storage_bits() const noexcept { return storage_bits_; }
  std::int64_t storage_bytes() const noexcept { return storage_bits_ / 8; }

  friend bool operator==(const ElementType& a, const ElementType& b) noexcept { return a.name_ == b.name_; }

 private:
  ElementType(std::string_view name, int logical_bits)
      : name_(name), logical_bits_(logical_bits), storage_bits_((logical_bits + 7) / 8 * 8) {}
  std::string_view name_;  // points into a static table
  int logical_bits_;
  int storage_bits_;
};

}  // namespace relayout
