#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "relayout/result.hpp"

namespace relayout::jit {

/// A range of whole pages with machine code: private to the process, never writable and executable at once.
/// Nothing is ever written to it after `create`, so parent and child of a fork cannot disturb each other.
/// Movable only.
class CodeMemory {
 public:
  /// Fresh pages that hold `code` from a page's start. With `unique_addresses` its addresses stay
  /// reserved when it is freed, without memory behind them. \error kSystem if the system refuses
  static Result<CodeMemory> create(std::span<const std::uint8_t> code, bool unique_addresses = false);

  CodeMemory(CodeMemory&& other) noexcept;
  CodeMemory& operator=(CodeMemory&& other) noexcept;
  ~CodeMemory();

  /// The code as given to `create`.
  std::span<const std::uint8_t> bytes() const noexcept { return {start_, code_bytes_}; }

 private:
  CodeMemory(std::uint8_t* start, std::size_t mapped_bytes, std::size_t code_bytes)
      : start_(start), mapped_bytes_(mapped_bytes), code_bytes_(code_bytes) {}

  std::uint8_t* start_ = nullptr;
  std::size_t mapped_bytes_ = 0;
  std::size_t code_bytes_ = 0;
  bool unique_addresses_ = false;
};

}  // namespace relayout::jit
