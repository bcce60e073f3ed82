#include <cstdint>
#include <cstdio>
#include <relayout/relayout.hpp>
#include <vector>

int main() {
  const auto source = relayout::Layout::parse("f32[64,32]");
  const auto destination = relayout::Layout::parse_destination("[1, 0, 1 p(16)]", *source);
  const auto convert = relayout::compile(*source, *destination);
  if (!convert) {
    std::puts(convert.error().message.c_str());
    return 1;
  }
  std::vector<std::uint32_t> from(64 * 32), to(64 * 32);
  for (std::uint32_t i = 0; i < from.size(); ++i) from[i] = i;
  (*convert)(from.data(), to.data());
  // Row 3, column 21 lies in the second block of 16 columns.
  return to[(1 * 64 + 3) * 16 + 5] == 3 * 32 + 21 ? 0 : 1;
}
