#include "tests/jit/decode.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

#include <Zydis/Zydis.h>

namespace relayout::testing {

namespace {

/// Instruction sets of every level: what a processor with AVX2, BMI, BMI2 and FMA has, as Zydis names them.
constexpr std::array kBaseSets = {"I86",    "I186",       "I386",         "I486",        "I486REAL", "PPRO",
                                  "CMOV",   "FAT_NOP",    "LONGMODE",     "SSE",         "SSE2",     "AVX",
                                  "AVX2",   "AVX2GATHER", "BMI1",         "BMI2",        "FMA",      "LZCNT",
                                  "POPCNT", "PAUSE",      "SSE_PREFETCH", "PREFETCH_NOP"};
constexpr std::array kAvx512Prefixes = {"AVX512F_", "AVX512BW_", "AVX512DQ_"};
constexpr std::array kVbmiPrefixes = {"AVX512_VBMI_", "AVX512_VBMI2_"};

template <std::size_t count>
bool has_prefix(std::string_view name, const std::array<const char*, count>& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](const char* prefix) { return name.starts_with(prefix); });
}

bool belongs(std::string_view set, Isa level) {
  if (std::find(kBaseSets.begin(), kBaseSets.end(), set) != kBaseSets.end()) return true;
  if (level >= Isa::kAvx512 && has_prefix(set, kAvx512Prefixes)) return true;
  return level >= Isa::kAvx512Vbmi && has_prefix(set, kVbmiPrefixes);
}

class Decoder {
 public:
  Decoder() { ZydisDecoderInit(&decoder_, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64); }

  bool decode(std::span<const std::uint8_t> code, ZydisDecodedInstruction& instruction) const {
    return ZYAN_SUCCESS(
        ZydisDecoderDecodeInstruction(&decoder_, nullptr, code.data(), code.size(), &instruction));
  }

 private:
  ZydisDecoder decoder_;
};

/// Up to the first that does not decode.
template <class Visit>
void visit_instructions(std::span<const std::uint8_t> code, Visit visit) {
  const Decoder decoder;
  ZydisDecodedInstruction instruction;
  for (std::size_t offset = 0; offset < code.size(); offset += instruction.length) {
    if (!decoder.decode(code.subspan(offset), instruction)) break;
    visit(instruction);
  }
}

std::string describe(std::span<const std::uint8_t> code, std::size_t offset, std::string_view what) {
  std::string text = std::string(what) + " at offset " + std::to_string(offset) + ":";
  for (std::uint8_t byte : code.subspan(offset, std::min<std::size_t>(15, code.size() - offset))) {
    char hexadecimal[4];
    std::snprintf(hexadecimal, sizeof hexadecimal, " %02x", byte);
    text += hexadecimal;
  }
  return text;
}

}  // namespace

std::optional<std::string> find_foreign_instruction(std::span<const std::uint8_t> code, Isa level) {
  const Decoder decoder;
  ZydisDecodedInstruction instruction;
  for (std::size_t offset = 0; offset < code.size(); offset += instruction.length) {
    if (!decoder.decode(code.subspan(offset), instruction)) return describe(code, offset, "undecodable");
    const bool evex = instruction.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX;
    const char* set = ZydisISASetGetString(instruction.meta.isa_set);
    if ((evex && level < Isa::kAvx512) || !belongs(set, level)) return describe(code, offset, set);
  }
  return std::nullopt;
}

std::vector<std::string> mnemonics(std::span<const std::uint8_t> code) {
  std::vector<std::string> names;
  visit_instructions(code, [&](const ZydisDecodedInstruction& instruction) {
    names.emplace_back(ZydisMnemonicGetString(instruction.mnemonic));
  });
  return names;
}

std::size_t count_masked(std::span<const std::uint8_t> code) {
  std::size_t count = 0;
  visit_instructions(code, [&](const ZydisDecodedInstruction& instruction) {
    const bool evex = instruction.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX;
    count += instruction.mnemonic == ZYDIS_MNEMONIC_VPMASKMOVD || (evex && instruction.raw.evex.aaa != 0);
  });
  return count;
}

}  // namespace relayout::testing
