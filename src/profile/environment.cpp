#include "src/profile/environment.hpp"

#include <algorithm>

namespace relayout::profile {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

void apply(std::string_view word, ProfilingRequest& request) {
  if (word == "perfmap") {
    request.profiling.perf_map = true;
  } else if (word == "jitdump") {
    request.profiling.jitdump = true;
  } else if (word == "gdb") {
    request.profiling.gdb = true;
  } else if (!word.empty()) {
    request.unknown_words.emplace_back(word);
  }
}

}  // namespace

ProfilingRequest parse_profiling(std::string_view text) {
  ProfilingRequest request;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    apply(trimmed(text.substr(start, end - start)), request);
    start = end + 1;
  }
  return request;
}

}  // namespace relayout::profile
