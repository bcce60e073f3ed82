#include "src/cli/disassembly.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include <Zydis/Zydis.h>

namespace relayout::cli {
namespace {

/// The line in force at `offset`.
int line_at(const std::vector<CodeLine>& lines, std::size_t offset) {
  const auto after = std::ranges::upper_bound(lines, offset, {}, &CodeLine::offset);
  return after == lines.begin() ? 0 : std::prev(after)->line;
}

/// The function's own addresses, so that jumps name offsets.
std::string formatted(const ZydisFormatter& formatter, const ZydisDecodedInstruction& instruction,
                      const ZydisDecodedOperand* operands, std::size_t offset) {
  std::array<char, 160> text = {};
  const auto status =
      ZydisFormatterFormatInstruction(&formatter, &instruction, operands, instruction.operand_count_visible,
                                      text.data(), text.size(), offset, ZYAN_NULL);
  return ZYAN_SUCCESS(status) ? text.data() : "(bad)";
}

}  // namespace

std::vector<Instruction> disassemble(const CodeFunction& function) {
  ZydisDecoder decoder;
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  ZydisFormatter formatter;
  ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_INTEL);
  ZydisFormatterSetProperty(&formatter, ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE, ZYDIS_PADDING_DISABLED);
  std::vector<Instruction> instructions;
  for (std::size_t offset = 0; offset < function.code.size();) {
    ZydisDecodedInstruction instruction;
    std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;
    const int line = line_at(function.lines, offset);
    const auto status = ZydisDecoderDecodeFull(&decoder, function.code.data() + offset,
                                               function.code.size() - offset, &instruction, operands.data());
    if (!ZYAN_SUCCESS(status)) {
      instructions.push_back({offset, line, "(bad)"});
      break;
    }
    instructions.push_back({offset, line, formatted(formatter, instruction, operands.data(), offset)});
    offset += instruction.length;
  }
  return instructions;
}

std::string annotated_code(const Explanation& explanation) {
  std::string text;
  for (const CodeFunction& function : explanation.functions) {
    text += function.name + "\n";
    int line = 0;
    for (const Instruction& instruction : disassemble(function)) {
      if (instruction.line != line && instruction.line > 0) {
        line = instruction.line;
        text += fmt::format("; {}\n", explanation.plan[static_cast<std::size_t>(line) - 1]);
      }
      text += fmt::format("  {:5x}  {}\n", instruction.offset, instruction.text);
    }
  }
  return text;
}

}  // namespace relayout::cli
