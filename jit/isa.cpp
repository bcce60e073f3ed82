#include "relayout/isa.hpp"

#include <algorithm>

#include <asmjit/core.h>

namespace relayout {

namespace {

constexpr std::array<std::string_view, kAllIsas.size()> kNames = {"portable", "avx2", "avx512",
                                                                  "avx512_vbmi"};

/// asmjit clears the features whose registers the operating system does not save (XCR0).
Isa detect_isa() {
  const auto& features = asmjit::CpuInfo::host().features().x86();
  if (!(features.hasAVX2() && features.hasBMI() && features.hasBMI2() && features.hasFMA())) {
    return Isa::kPortable;
  }
  const bool avx512 =
      features.hasAVX512_F() && features.hasAVX512_BW() && features.hasAVX512_VL() && features.hasAVX512_DQ();
  if (!avx512) return Isa::kAvx2;
  return features.hasAVX512_VBMI() && features.hasAVX512_VBMI2() ? Isa::kAvx512Vbmi : Isa::kAvx512;
}

}  // namespace

std::string_view to_string(Isa isa) noexcept {
  return kNames[static_cast<std::size_t>(isa)];
}

std::optional<Isa> parse_isa(std::string_view text) noexcept {
  const auto name = std::find(kNames.begin(), kNames.end(), text);
  if (name == kNames.end()) return std::nullopt;
  return kAllIsas[static_cast<std::size_t>(name - kNames.begin())];
}

Isa machine_isa() noexcept {
  static const Isa isa = detect_isa();
  return isa;
}

std::vector<Isa> runnable_isas() {
  std::vector<Isa> isas;
  for (Isa isa : kAllIsas) {
    if (isa <= machine_isa()) isas.push_back(isa);
  }
  return isas;
}

}  // namespace relayout
