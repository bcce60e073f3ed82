#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "relayout/isa.hpp"

namespace relayout::testing {

/// Decodes machine code with Zydis from start to end. Nothing if every instruction decodes and belongs to
/// `level` (VEX encodings only at avx2, no VBMI below avx512_vbmi); otherwise what is wrong, with its offset
/// and bytes.
std::optional<std::string> find_foreign_instruction(std::span<const std::uint8_t> code, Isa level);

/// The mnemonics of the instructions, in order, up to the first that does not decode.
std::vector<std::string> mnemonics(std::span<const std::uint8_t> code);

/// How many of the instructions move vectors under a mask, of AVX2 or of AVX-512.
std::size_t count_masked(std::span<const std::uint8_t> code);

}  // namespace relayout::testing
