#include "src/cli/terminal.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/color.h>
#include <fmt/format.h>
#include <unistd.h>

namespace relayout::cli {

bool wants_colour(std::FILE* stream) {
  const char* no_colour = std::getenv("NO_COLOR");
  if (no_colour != nullptr && *no_colour != '\0') return false;
  const char* terminal = std::getenv("TERM");
  if (terminal != nullptr && std::string_view(terminal) == "dumb") return false;
  return isatty(fileno(stream)) == 1;
}

std::string bold(std::string_view text, std::FILE* stream) {
  if (!wants_colour(stream)) return std::string(text);
  return fmt::format(fmt::emphasis::bold, "{}", text);
}

void print_error(std::string_view message) {
  std::string line(message);
  std::replace(line.begin(), line.end(), '\n', ' ');
  const auto style =
      wants_colour(stderr) ? fmt::emphasis::bold | fmt::fg(fmt::terminal_color::red) : fmt::text_style();
  fmt::print(stderr, style, "relayout:");
  fmt::print(stderr, " {}\n", line);
}

bool write_line(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  return written && std::fputc('\n', stdout) != EOF && std::fflush(stdout) == 0;
}

}  // namespace relayout::cli
