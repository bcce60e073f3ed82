#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace relayout {

/// What kind of thing went wrong. Stable: callers may switch on it.
enum class ErrorCode : std::uint8_t {
  kSyntax,          ///< text that does not parse
  kInvalidLayout,   ///< a layout that contradicts itself (two Dynamic for one dimension, odd OddEven, ...)
  kShapeMismatch,   ///< a layout that does not apply to this shape, or two layouts of different shapes or
                    ///< widths
  kOverflow,        ///< a size or offset past 64 bits
  kAliasing,        ///< a destination in which two coordinates share a byte
  kUnsupported,     ///< well formed, but not something this version can do
  kIsaUnavailable,  ///< an instruction set level that this machine lacks
  kBufferTooSmall,  ///< a buffer shorter than the layout's physical size
  kBufferOverlap,   ///< source and destination buffers that overlap
  kBadArgument,     ///< any other argument out of its range
  kSystem,          ///< the operating system refused (memory, executable pages, files)
  kInternal,        ///< a broken invariant of the library: please report it
};

/// An error as a value: a code to switch on and a one-line message that names the offending part.
struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;
};

/// Either a T or an Error. Access to the value of a failed result is a precondition violation.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }

  T& value() & { return *checked(); }
  const T& value() const& { return *const_cast<Result*>(this)->checked(); }
  T&& value() && { return std::move(*checked()); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return checked(); }
  const T* operator->() const { return const_cast<Result*>(this)->checked(); }

  /// \pre !ok()
  const Error& error() const {
    assert(!ok());
    return *std::get_if<1>(&state_);
  }

 private:
  T* checked() {
    assert(ok());
    return std::get_if<0>(&state_);
  }
  std::variant<T, Error> state_;
};

/// Success without a value, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  bool ok() const noexcept { return !error_.has_value(); }
  explicit operator bool() const noexcept { return ok(); }
  /// \pre !ok()
  const Error& error() const {
    assert(!ok());
    return *error_;
  }

 private:
  std::optional<Error> error_;
};

using Status = Result<void>;

}  // namespace relayout
