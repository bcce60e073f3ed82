#include <algorithm>
#include <cstdlib>
#include <string>

#include "relayout/isa.hpp"
#include "src/runtime/log.hpp"

namespace relayout {
namespace {

Isa lowered_by_environment() {
  const char* text = std::getenv("RELAYOUT_MAX_ISA");
  if (text == nullptr) return machine_isa();
  const std::optional<Isa> limit = parse_isa(text);
  if (!limit) {
    runtime::log(LogLevel::kWarning, std::string("RELAYOUT_MAX_ISA: no such level: ") + text);
    return machine_isa();
  }
  return std::min(*limit, machine_isa());
}

}  // namespace

Isa default_isa() noexcept {
  static const Isa isa = lowered_by_environment();
  return isa;
}

}  // namespace relayout
