#include "src/cli/json.hpp"

#include <cmath>
#include <fmt/format.h>

namespace relayout::cli {

Json rounded(std::optional<double> value) {
  if (!value || !std::isfinite(*value)) return nullptr;
  return std::stod(fmt::format("{:.5g}", *value));
}

}  // namespace relayout::cli
