#include "src/cli/disassembly.hpp"

#include <gtest/gtest.h>

namespace relayout::cli {
namespace {

// From the manuals: push rbx; vmovdqu ymm0, [rdi]; jle, ten bytes on; ret.
CodeFunction function() {
  return {"f", {0x53, 0xC5, 0xFE, 0x6F, 0x07, 0x7E, 0x0A, 0xC3}, {{0, 1}, {1, 3}, {7, 1}}};
}

TEST(Disassembly, instructions_have_offsets_and_lines_of_the_plan) {
  const std::vector<Instruction> instructions = disassemble(function());
  ASSERT_EQ(instructions.size(), 4U);
  EXPECT_EQ(instructions[0].text, "push rbx");
  EXPECT_EQ(instructions[1].text, "vmovdqu ymm0, [rdi]");
  EXPECT_EQ(instructions[2].text, "jle 0x11");
  EXPECT_EQ(instructions[3].text, "ret");
  EXPECT_EQ(instructions[1].offset, 1U);
  EXPECT_EQ(instructions[2].offset, 5U);
  EXPECT_EQ(instructions[0].line, 1);
  EXPECT_EQ(instructions[1].line, 3);
  EXPECT_EQ(instructions[2].line, 3);
  EXPECT_EQ(instructions[3].line, 1);
}

TEST(Disassembly, what_is_no_instruction_ends_it) {
  CodeFunction broken = function();
  broken.code = {0x53, 0x06, 0x53};  // 06 is none in 64-bit mode
  const std::vector<Instruction> instructions = disassemble(broken);
  ASSERT_EQ(instructions.size(), 2U);
  EXPECT_EQ(instructions[1].text, "(bad)");
}

TEST(Disassembly, lines_of_the_plan_stand_above_their_instructions) {
  Explanation explanation;
  explanation.plan = {"first", "second", "third"};
  explanation.functions = {function()};
  EXPECT_EQ(annotated_code(explanation),
            "f\n; first\n      0  push rbx\n; third\n      1  vmovdqu ymm0, [rdi]\n      5  jle 0x11\n"
            "; first\n      7  ret\n");
}

}  // namespace
}  // namespace relayout::cli
