#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "relayout/cute/int_tuple.hpp"
#include "relayout/result.hpp"

namespace relayout::cute {

/// The least and the greatest offset.
struct OffsetRange {
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
};

/// A shape and a stride of equal nesting: the map from coordinates of the shape to offsets. Sizes are
/// positive, strides anything; the size and every offset fit in 64 bits.
class Layout {
 public:
  /// 1:0, CuTe's layout of one element.
  Layout() : shape_(1), stride_(0) {}
  /// \error kInvalidLayout, kOverflow
  static Result<Layout> make(IntTuple shape, IntTuple stride);
  /// The compact layouts of a shape: the first mode fastest (CuTe's LayoutLeft) or the last (LayoutRight).
  /// Modes of size 1 get stride 0, as CuTe gives them. \error kInvalidLayout, kOverflow
  static Result<Layout> left(IntTuple shape);
  static Result<Layout> right(IntTuple shape);

  const IntTuple& shape() const noexcept { return shape_; }
  const IntTuple& stride() const noexcept { return stride_; }
  std::int64_t rank() const { return cute::rank(shape_); }
  int depth() const { return cute::depth(shape_); }
  std::int64_t size() const noexcept { return size_; }
  /// One more than the sum of (size - 1) * |stride|: the span to allocate.
  std::int64_t cosize() const noexcept { return cosize_; }
  OffsetRange range() const noexcept;
  /// Mode `index`; mode 0 of an integer layout is itself. \pre 0 <= index < rank()
  Layout mode(std::int64_t index) const;

  /// The offset of the index-th element, colexicographically. As in CuTe, the last mode is not reduced, so
  /// that the layout goes on beyond its size. \pre the offset fits in 64 bits, as within 0 <= index < size()
  std::int64_t operator()(std::int64_t index) const noexcept;
  /// The offset of a coordinate: 1-D, one integer a mode, or nested like the shape, mixed as you like; `_`
  /// counts as 0. \error kBadArgument if it does not fit the shape or is outside it
  Result<std::int64_t> offset(const IntTuple& coordinate) const;
  /// All offsets, in the order of 1-D coordinates. \error kSystem if there is no memory for them
  Result<std::vector<std::int64_t>> offsets() const;

  friend bool operator==(const Layout& a, const Layout& b) {
    return a.shape_ == b.shape_ && a.stride_ == b.stride_;
  }

 private:
  Layout(IntTuple shape, IntTuple stride) : shape_(std::move(shape)), stride_(std::move(stride)) {}
  IntTuple shape_;
  IntTuple stride_;
  std::int64_t size_ = 1;
  std::int64_t cosize_ = 1;
};

/// Part of a layout, as get of its shape and of its stride. \error kBadArgument
Result<Layout> get(const Layout& layout, Path path);
/// Layouts side by side, as the modes of one. \error kBadArgument for none, kOverflow
Result<Layout> make_layout(const std::vector<Layout>& modes);
/// As for tuples, on shape and stride alike. \error kBadArgument, kOverflow
Result<Layout> flatten(const Layout& layout);
Result<Layout> append(const Layout& layout, const Layout& mode);
Result<Layout> prepend(const Layout& layout, const Layout& mode);
Result<Layout> replace(const Layout& layout, std::int64_t index, const Layout& mode);
Result<Layout> select(const Layout& layout, Path indices);
Result<Layout> take(const Layout& layout, std::int64_t begin, std::int64_t end);
Result<Layout> group(const Layout& layout, std::int64_t begin, std::int64_t end);

/// The modes that a coordinate leaves open with `_`, as a tuple; the offset of the others is separate.
/// \error kBadArgument if the coordinate does not fit the shape or leaves nothing open
Result<Layout> slice(const IntTuple& coordinate, const Layout& layout);
/// The modes that a coordinate fixes. \error kBadArgument
Result<Layout> dice(const IntTuple& coordinate, const Layout& layout);
/// The offset of a coordinate whose open modes are at 0; ranges are not checked. \error kBadArgument
Result<std::int64_t> slice_offset(const IntTuple& coordinate, const Layout& layout);

/// Compact, the mode with the smallest order fastest, ties from left to right. `order` is nested like the
/// shape, but its integers may stand for whole tuples. \error kBadArgument, kInvalidLayout, kOverflow
Result<Layout> make_ordered_layout(const IntTuple& shape, const IntTuple& order);
/// Compact, in the order of the layout's strides; strides of 0 stay.
Result<Layout> make_layout_like(const Layout& layout);

/// CuTe's text, `shape:stride`; parse reads it back.
std::string to_string(const Layout& layout);

}  // namespace relayout::cute
