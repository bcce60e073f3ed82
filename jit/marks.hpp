#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace relayout::jit {

/// Instructions from `offset` on belong to row `row` of the text of nest `nest`
/// (src/plan/plan_text.hpp).
struct PlanMark {
  std::size_t offset = 0;  ///< from the start of the code, bytes
  int nest = 0;
  int row = 0;
};

/// The stack frame before the instruction at `offset`: the caller's stack pointer, before the call pushed its
/// return address, is rsp + `caller_distance_bytes`. What a debugger needs to find the caller.
struct FrameMark {
  static constexpr int kNoRegister = -1;
  std::size_t offset = 0;
  std::int32_t caller_distance_bytes = 8;
  int saved_register = kNoRegister;  ///< number in DWARF of the register that rsp points at, if just pushed
};

/// What profilers and debuggers are told of generated code. In the order of offsets.
struct CodeMarks {
  std::vector<PlanMark> plan;
  std::vector<FrameMark> frames;
};

}  // namespace relayout::jit
