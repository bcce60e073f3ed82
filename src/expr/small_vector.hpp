#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace relayout::expr {

/// A vector of trivial values that holds the first `kInline` of them without allocating: nearly every linear
/// form has few terms, and a simplification makes dozens of forms.
template <class T, std::size_t kInline>
class SmallVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  SmallVector() = default;
  template <class Iterator>
  SmallVector(Iterator first, Iterator last) {
    for (; first != last; ++first) push_back(*first);
  }

  T* begin() noexcept { return data(); }
  T* end() noexcept { return data() + size_; }
  const T* begin() const noexcept { return data(); }
  const T* end() const noexcept { return data() + size_; }
  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  const T& operator[](std::size_t i) const noexcept { return data()[i]; }
  T& operator[](std::size_t i) noexcept { return data()[i]; }
  const T& front() const noexcept { return data()[0]; }
  const T& back() const noexcept { return data()[size_ - 1]; }

  void push_back(T value) {
    if (size_ < kInline) {
      inline_[size_] = value;
    } else {
      if (size_ == kInline) heap_.assign(inline_, inline_ + kInline);
      heap_.push_back(value);
    }
    ++size_;
  }

  void clear() noexcept { size_ = 0; }

 private:
  T* data() noexcept { return size_ <= kInline ? inline_ : heap_.data(); }
  const T* data() const noexcept { return size_ <= kInline ? inline_ : heap_.data(); }

  std::size_t size_ = 0;
  T inline_[kInline] = {};
  std::vector<T> heap_;  ///< all the values, once there are more than kInline
};

}  // namespace relayout::expr
