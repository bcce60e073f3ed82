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

/// A text, or why there is none.
template <class Named, class Print>
Json text_or_error(const Result<Named>& named, Print print) {
  return named ? Json(print(*named)) : Json{{"error", named.error().message}};
}

Json notations_of(const Layout& layout) {
  const auto print = [](const Layout& named) { return named.to_string(); };
  const auto as_it_is = [](const std::string& text) { return text; };
  return Json{{"morello", text_or_error(to_morello(layout), print)},
              {"xla", text_or_error(to_xla(layout), print)},
              {"cute", text_or_error(cute_text(layout), as_it_is)}};
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
              {"simplified_expression", layout->simplified_expression()},
              {"notations", notations_of(*layout)}};
}

std::string text_of(const Json& value) {
  if (value.is_null()) return "none (the map is not linear)";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_array()) return fmt::format("[{}]", fmt::join(value.get<Shape>(), ", "));
  return value.dump();
}

std::string line_of(std::string_view label, std::string_view text) {
  return bold(fmt::format("{:<23}", label), stdout) + std::string(text) + '\n';
}

std::string lines_of_notations(const Json& notations) {
  std::string text;
  for (const auto& [label, key] :
       {std::pair{"in Morello's notation", "morello"}, std::pair{"in XLA's notation", "xla"},
        std::pair{"in CuTe's notation", "cute"}}) {
    const Json& name = notations[key];
    text += line_of(label,
                    name.is_string() ? name.get<std::string>() : "none: " + name["error"].get<std::string>());
  }
  return text;
}

std::string render_describe(const Json& answer) {
  std::string text;
  for (const auto& [key, value] : answer.items()) {
    if (key == "spec" || key == "notations") continue;
    std::string label = key;
    for (char& character : label) character = character == '_' ? ' ' : character;
    text += line_of(label, text_of(value));
  }
  text += lines_of_notations(answer["notations"]);
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
