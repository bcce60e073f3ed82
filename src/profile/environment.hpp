#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "relayout/profile.hpp"

namespace relayout::profile {

/// What a text like `perfmap,gdb` asks for, and its words that mean nothing.
struct ProfilingRequest {
  Profiling profiling;
  std::vector<std::string> unknown_words;
};

/// Words between commas; blanks around them and empty ones do not count.
ProfilingRequest parse_profiling(std::string_view text);

}  // namespace relayout::profile
