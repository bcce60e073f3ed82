#pragma once

#include <string>
#include <vector>

#include "relayout/explanation.hpp"

namespace relayout::cli {

/// One machine instruction.
struct Instruction {
  std::size_t offset = 0;  ///< from the function's start, bytes
  int line = 0;            ///< of the plan (from 1) that it belongs to; 0: of none
  std::string text;        ///< in Intel's syntax
};

/// Decodes a function from its bytes, by Zydis: a second opinion on what the assembler wrote. What does not
/// decode is `(bad)` to the end.
std::vector<Instruction> disassemble(const CodeFunction& function);

/// All functions, each run of instructions under the plan's line that it belongs to.
std::string annotated_code(const Explanation& explanation);

}  // namespace relayout::cli
