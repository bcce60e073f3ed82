#include "src/cli/compare/report_file.hpp"

#include <array>
#include <string_view>

#include "src/cli/batch.hpp"
#include "src/cli/compare/plot.hpp"
#include "src/cli/compare/report.hpp"
#include "src/cli/text_file.hpp"

namespace relayout::cli {
namespace {

struct Format {
  std::string_view ending;
  std::string (*text)(const Json& results);
};

constexpr std::array kFormats = {
    Format{".json", [](const Json& results) { return to_line(results) + "\n"; }},
    Format{".md", report_markdown},
    Format{".svg", plot_svg},
};

const Format* format_of(std::string_view path) {
  for (const Format& format : kFormats) {
    if (path.ends_with(format.ending)) return &format;
  }
  return nullptr;
}

}  // namespace

bool is_report_path(const std::string& path) {
  return format_of(path) != nullptr;
}

Status write_report(const std::string& path, const Json& results) {
  const Format* format = format_of(path);
  if (format == nullptr) return Error{ErrorCode::kBadArgument, path + ": ends in none of .json, .md, .svg"};
  return write_text_file(path, format->text(results));
}

}  // namespace relayout::cli
