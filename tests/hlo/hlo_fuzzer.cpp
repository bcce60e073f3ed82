// A libFuzzer target: whatever parses must have movements whose shapes can be read again, and nothing may
// crash. Build: clang++ -std=c++20 -fsanitize=fuzzer,address,undefined with the library's sources.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "relayout/hlo.hpp"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto modules = relayout::hlo::parse(text);
  if (!modules) {
    require(modules.error().message.starts_with("line "));
    return 0;
  }
  for (const auto& module : *modules) {
    for (const auto& movement : relayout::hlo::movements(module)) {
      require(movement.source.has_value() == movement.destination.has_value());
      require(movement.bytes >= 0 && movement.line > 0);
    }
  }
  return 0;
}
