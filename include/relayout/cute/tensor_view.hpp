#pragma once

#include <span>
#include <string>

#include "relayout/cute/layout.hpp"

namespace relayout::cute {

/// A layout over elements in memory, CuTe's Tensor. It does not own them.
template <class T>
class TensorView {
 public:
  /// The elements of `layout` in `data`, coordinate 0 being data[origin]: layouts with negative strides start
  /// further in. \error kBufferTooSmall if an element lies outside the data
  static Result<TensorView> make(std::span<T> data, Layout layout, std::int64_t origin = 0) {
    const auto reach = layout.range();
    const auto length = static_cast<std::int64_t>(data.size());
    if (origin < 0 || origin >= length || reach.lowest < -origin || reach.highest >= length - origin) {
      return Error{ErrorCode::kBufferTooSmall, "layout " + to_string(layout) + " from element " +
                                                   std::to_string(origin) + " on does not fit into " +
                                                   std::to_string(data.size()) + " elements"};
    }
    return TensorView(data, std::move(layout), origin);
  }

  const Layout& layout() const noexcept { return layout_; }
  std::int64_t size() const noexcept { return layout_.size(); }
  /// The index-th element, colexicographically. \pre 0 <= index < size()
  T& operator[](std::int64_t index) const noexcept {
    return data_[static_cast<std::size_t>(origin_ + layout_(index))];
  }
  /// The element at a coordinate, as Layout::offset takes it. \error kBadArgument
  Result<T*> at(const IntTuple& coordinate) const {
    const auto offset = layout_.offset(coordinate);
    if (!offset) return offset.error();
    return &data_[static_cast<std::size_t>(origin_ + *offset)];
  }
  /// The elements that a coordinate leaves open with `_`. \error kBadArgument
  Result<TensorView> slice(const IntTuple& coordinate) const {
    const auto start = layout_.offset(coordinate);
    if (!start) return start.error();
    auto open = cute::slice(coordinate, layout_);
    if (!open) return open.error();
    return TensorView(data_, std::move(*open), origin_ + *start);
  }

 private:
  TensorView(std::span<T> data, Layout layout, std::int64_t origin)
      : data_(data), layout_(std::move(layout)), origin_(origin) {}
  std::span<T> data_;
  Layout layout_;
  std::int64_t origin_ = 0;
};

}  // namespace relayout::cute
