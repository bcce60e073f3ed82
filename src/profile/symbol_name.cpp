#include "src/profile/symbol_name.hpp"

namespace relayout::profile {
namespace {

constexpr std::size_t kMaximumLayoutCharacters = 400;

bool is_unfit(char c) {
  return c <= ' ' || c == ';' || c == 0x7F;  // bytes past ASCII are negative chars
}

std::string one_word(std::string_view text) {
  std::string word;
  for (const char c : text) {
    if (c == ' ' && !word.empty() && word.back() == ',') continue;
    word += is_unfit(c) ? '_' : c;
  }
  if (word.size() > kMaximumLayoutCharacters) word.replace(kMaximumLayoutCharacters - 3, word.npos, "...");
  return word;
}

}  // namespace

std::string symbol_name(const KernelIdentity& kernel) {
  std::string name = "relayout:" + one_word(kernel.source) + "->" + one_word(kernel.destination);
  name += ":" + one_word(kernel.isa) + ":" + one_word(kernel.family) + ":" + std::to_string(kernel.nest);
  if (kernel.streaming) name += ":streaming";
  return name;
}

}  // namespace relayout::profile
