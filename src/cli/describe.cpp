// relayout describe: what is known of a layout.

#include <fmt/format.h>
#include <memory>

#include "src/cli/command.hpp"
#include "src/cli/request.hpp"
#include "src/cli/terminal.hpp"

namespace relayout::cli {
namespace {

Json strides_of(const Layout& layout) {
  const auto strides = layout.strides();
  return strides ? Json(*strides) : Json(nullptr);
}

Result<Json> answer_describe(const Json& request) {
  const auto spec = required_text(request, "spec");
  if (!spec) return spec.error();
  const auto layout = Layout::parse(*spec);
  if (!layout) return layout.error();
  return Json{{"spec", *spec},
              {"canonical", layout->to_string()},
              {"shape", layout->shape()},
              {"physical_shape", layout->physical_shape()},
              {"row_major", layout->is_row_major()},
              {"column_major", layout->is_column_major()},
              {"strides", strides_of(*layout)},
              {"contiguous_elements", layout->contiguous_elements()},
              {"cache_lines", layout->cache_lines()},
              {"bytes", layout->size_bytes()},
              {"raw_expression", layout->raw_expression()},
              {"simplified_expression", layout->simplified_expression()}};
}

std::string text_of(const Json& value) {
  if (value.is_null()) return "none (the map is not linear)";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_array()) return fmt::format("[{}]", fmt::join(value.get<Shape>(), ", "));
  return value.dump();
}

std::string render_describe(const Json& answer) {
  std::string text;
  for (const auto& [key, value] : answer.items()) {
    if (key == "spec") continue;
    std::string label = key;
    for (char& character : label) character = character == '_' ? ' ' : character;
    text += bold(fmt::format("{:<23}", label), stdout) + text_of(value) + '\n';
  }
  text.pop_back();
  return text;
}

}  // namespace

void add_describe(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("describe", "Show what is known of a layout");
  const auto output = std::make_shared<OutputOptions>();
  const CLI::Option* spec = command->add_option("SPEC", "Layout, such as 'f32[6,8][1, 0, 1 p(4)]'");
  add_output_options(*command, *output, "\"spec\"");
  command->footer(
      examples({"relayout describe 'f32[6,8][1, 0, 1 p(4)]'", "relayout describe 'f32[64,64]' --json"}));
  command->callback([=, &exit_code] {
    Json request = Json::object();
    put_argument(spec, "spec", output->batch, request);
    exit_code = run_command({answer_describe, render_describe}, *output, request);
  });
}

}  // namespace relayout::cli
