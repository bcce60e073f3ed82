#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace relayout::profile {

/// Instructions from `offset` on belong to line `line` (from 1) of the source text.
struct LineMark {
  std::size_t offset = 0;  ///< from the function's start, bytes
  int line = 0;
};

/// The stack frame before the instruction at `offset`: the caller's stack pointer, before the call pushed its
/// return address, is rsp + `caller_distance_bytes`.
struct FrameMark {
  std::size_t offset = 0;  ///< from the function's start, bytes
  std::int32_t caller_distance_bytes = 8;
  int saved_register = -1;  ///< number in DWARF of the register that rsp points at, if just pushed
};

/// One generated function.
struct FunctionDescription {
  std::string name;  ///< as made by symbol_name
  std::span<const std::uint8_t> code;
  std::vector<LineMark> lines;    ///< by offset
  std::vector<FrameMark> frames;  ///< by offset
};

/// What tools are told of one compiled pair.
struct CodeDescription {
  std::span<const std::uint8_t> code;  ///< all functions, and the tables behind them
  std::vector<FunctionDescription> functions;
  std::string source_text;            ///< the plan
  std::shared_ptr<const void> owner;  ///< keeps the code
};

inline std::uint64_t address_of(std::span<const std::uint8_t> code) {
  return reinterpret_cast<std::uint64_t>(code.data());
}

}  // namespace relayout::profile
