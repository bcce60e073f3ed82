#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace relayout {

/// Instruction set levels that code is generated for, from least to most capable.
enum class Isa : std::uint8_t {
  kPortable,    ///< no generated code: the vectorised interpreter
  kAvx2,        ///< AVX2, BMI, BMI2, FMA
  kAvx512,      ///< AVX-512 F, BW, VL, DQ
  kAvx512Vbmi,  ///< the above, VBMI and VBMI2
};

inline constexpr std::array<Isa, 4> kAllIsas = {Isa::kPortable, Isa::kAvx2, Isa::kAvx512, Isa::kAvx512Vbmi};

/// `portable`, `avx2`, `avx512` or `avx512_vbmi`.
std::string_view to_string(Isa isa) noexcept;

/// The inverse of to_string; nothing for any other text.
std::optional<Isa> parse_isa(std::string_view text) noexcept;

/// The best level that processor and operating system support (XCR0 included). Costs a CPUID once.
Isa machine_isa() noexcept;

/// machine_isa() lowered by the environment variable `RELAYOUT_MAX_ISA`, which is read once. An unknown value
/// is ignored and logged.
Isa default_isa() noexcept;

/// The levels this machine can run, from kPortable to machine_isa().
std::vector<Isa> runnable_isas();

}  // namespace relayout
