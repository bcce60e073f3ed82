// A libFuzzer target: whatever parses must print, parse back as the same node, and keep its values when
// simplified. Build: clang++ -std=c++20 -fsanitize=fuzzer,address,undefined with the sources of src/expr.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "src/expr/index_expr.hpp"

namespace {

using relayout::expr::Range;
using relayout::expr::Variable;

const std::array<Variable, 3> kVariables = {Variable{"x", {0, 99}}, Variable{"y", {-7, 12}},
                                            Variable{"z", {}}};

constexpr std::array<std::array<std::int64_t, 3>, 4> kPoints = {
    {{0, 0, 0}, {99, 12, 1'000'003}, {57, -7, -12'345}, {1, -1, INT64_MAX}}};

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = relayout::expr::parse(text, kVariables);
  if (!parsed) return 0;
  const auto again = relayout::expr::parse(relayout::expr::to_string(*parsed), kVariables);
  require(!again || *again == *parsed);  // an error only where parentheses nest too deeply
  const auto simplified = relayout::expr::simplify(*parsed);
  if (!simplified) return 0;
  require(*relayout::expr::simplify(*simplified) == *simplified);
  for (const auto& point : kPoints) {
    const auto before = relayout::expr::evaluate(*parsed, point);
    const auto after = relayout::expr::evaluate(*simplified, point);
    if (before && after) require(*before == *after);
  }
  return 0;
}
