#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "relayout/cute/layout.hpp"

namespace relayout::cute {

/// CuTe's Swizzle<B,M,S>: x ^ ((x & mask) >> S) with a mask of B bits that starts at bit M + max(0, S); a
/// negative S shifts to the left.
class Swizzle {
 public:
  /// Swizzle<0,0,0>, which changes nothing.
  Swizzle() = default;
  /// \error kBadArgument unless bits and base are at least 0, |shift| is at least bits, and no bit above the
  /// 62nd is touched
  static Result<Swizzle> make(std::int64_t bits, std::int64_t base, std::int64_t shift);

  int bits() const noexcept { return bits_; }    ///< B: how many bits are changed
  int base() const noexcept { return base_; }    ///< M: how many low bits stay together
  int shift() const noexcept { return shift_; }  ///< S: how far the bits come from
  /// The bits that are read, and those that are changed.
  std::uint64_t source_mask() const noexcept;
  std::uint64_t target_mask() const noexcept;
  std::int64_t operator()(std::int64_t offset) const noexcept;

  friend bool operator==(const Swizzle&, const Swizzle&) = default;

 private:
  int bits_ = 0;
  int base_ = 0;
  int shift_ = 0;
};

/// outer(offset + inner(coordinate)), printed `Sw<2,0,3> o 0 o (8,8):(8,1)`. It has the inner layout's shape
/// and no stride.
class ComposedLayout {
 public:
  using Outer = std::variant<Swizzle, Layout>;
  /// \error kOverflow if an offset does not fit in 64 bits
  static Result<ComposedLayout> make(Outer outer, IntTuple offset, Layout inner);

  const Outer& outer() const noexcept { return outer_; }
  /// The swizzle if the outer function is one, else null.
  const Swizzle* swizzle() const noexcept { return std::get_if<Swizzle>(&outer_); }
  /// An integer.
  const IntTuple& offset() const noexcept { return offset_; }
  const Layout& inner() const noexcept { return inner_; }
  const IntTuple& shape() const noexcept { return inner_.shape(); }
  std::int64_t size() const noexcept { return inner_.size(); }
  /// The inner layout's, as in CuTe: a swizzle may give offsets beyond it.
  std::int64_t cosize() const noexcept { return inner_.cosize(); }
  /// Bounds of the offsets. With a swizzle these are the bounds of offset + inner, rounded outwards to blocks
  /// of the highest bit that can be changed by one that is set in them.
  OffsetRange range() const noexcept { return range_; }
  /// One more than the highest of them.
  std::int64_t span() const noexcept { return range_.highest + 1; }

  /// The offset of the index-th element, colexicographically. \pre 0 <= index < size()
  std::int64_t operator()(std::int64_t index) const noexcept;
  /// As Layout::offset. \error kBadArgument
  Result<std::int64_t> offset_of(const IntTuple& coordinate) const;
  /// All offsets, in the order of 1-D coordinates. \error kSystem
  Result<std::vector<std::int64_t>> offsets() const;

  friend bool operator==(const ComposedLayout& a, const ComposedLayout& b) {
    return a.outer_ == b.outer_ && a.offset_ == b.offset_ && a.inner_ == b.inner_;
  }

 private:
  ComposedLayout(Outer outer, IntTuple offset, Layout inner)
      : outer_(std::move(outer)), offset_(std::move(offset)), inner_(std::move(inner)) {}
  Outer outer_;
  IntTuple offset_;
  Layout inner_;
  OffsetRange range_;
};

/// What CuTe's text may describe.
using AnyLayout = std::variant<Layout, ComposedLayout>;

/// CuTe's text, `Sw<2,0,3>` and `Sw<2,0,3> o 0 o (8,8):(8,1)`; parse reads it back.
std::string to_string(const Swizzle& swizzle);
std::string to_string(const ComposedLayout& layout);
std::string to_string(const AnyLayout& layout);

}  // namespace relayout::cute
