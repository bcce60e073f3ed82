#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "relayout/result.hpp"

namespace relayout::runtime {

/// Where a buffer lies within its mapping.
struct Placement {
  enum class Kind : std::uint8_t {
    kOffset,      ///< at `offset_bytes` past a multiple of 64, with margins of at least 64 bytes around it
    kFrontGuard,  ///< right after an inaccessible page
    kEndGuard,    ///< right before an inaccessible page
  };
  Kind kind = Kind::kOffset;
  std::int64_t offset_bytes = 0;
  friend bool operator==(const Placement&, const Placement&) = default;
};

/// `at offset 32`, `at the front guard` or `at the end guard`.
std::string to_string(const Placement& placement);

/// Memory between two inaccessible pages, in which a buffer of one size can be placed in several ways, so
/// that an access outside it either faults or leaves a trace in the margins. Owns its mapping.
class GuardedMemory {
 public:
  /// \error kSystem if the system refuses the memory
  static Result<GuardedMemory> allocate(std::int64_t buffer_bytes);

  GuardedMemory(GuardedMemory&& other) noexcept;
  GuardedMemory& operator=(GuardedMemory&& other) noexcept;
  ~GuardedMemory();

  /// First byte of the buffer in this placement.
  std::byte* buffer(const Placement& placement) const noexcept;

  /// Sets every accessible byte, margins included.
  void fill(std::byte value) noexcept;

  /// Offset from the buffer's start (negative, or at least its size) of an accessible byte outside the buffer
  /// that differs from `value`; nothing if there is none.
  std::optional<std::int64_t> changed_margin_byte(const Placement& placement, std::byte value) const noexcept;

 private:
  GuardedMemory(std::byte* body, std::int64_t body_bytes, std::int64_t buffer_bytes)
      : body_(body), body_bytes_(body_bytes), buffer_bytes_(buffer_bytes) {}

  std::byte* body_ = nullptr;  ///< after the front guard page
  std::int64_t body_bytes_ = 0;
  std::int64_t buffer_bytes_ = 0;
};

}  // namespace relayout::runtime
