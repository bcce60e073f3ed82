#pragma once

#include "relayout/isa.hpp"

namespace relayout::jit {

/// What emitters may use: a value, never asked of the CPU.
struct Target {
  Isa isa = Isa::kAvx2;
  int vector_bytes = 32;      ///< widest vector
  int vector_registers = 16;  ///< of every width; past 15 only by EVEX-encoded instructions
  bool has_evex = false;      ///< AVX-512 F, BW, VL, DQ: mask registers, two-register table permutes
  bool has_vbmi = false;      ///< byte granular table permutes (VBMI) and byte compress, expand (VBMI2)
};

/// \pre isa is not kPortable
constexpr Target target_of(Isa isa) {
  if (isa == Isa::kAvx2) return {};
  return {isa, 64, 32, true, isa == Isa::kAvx512Vbmi};
}

}  // namespace relayout::jit
