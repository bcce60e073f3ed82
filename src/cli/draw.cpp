// relayout draw: a picture of a layout, as SVG.

#include <memory>

#include "src/cli/command.hpp"
#include "src/cli/request.hpp"
#include "src/cli/text_file.hpp"

namespace relayout::cli {
namespace {

/// Whether a text is in CuTe's notation without a type, which no other notation starts like.
bool starts_cute_form(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return false;
  text.remove_prefix(first);
  return text.starts_with("Sw") || std::string_view("(_0123456789").find(text[0]) != std::string_view::npos;
}

Result<std::string> draw_spec(const std::string& spec, const DrawOptions& options) {
  if (starts_cute_form(spec)) {
    const auto layout = cute::parse(spec);
    if (!layout) return layout.error();
    return draw_svg(*layout, options);
  }
  const auto layout = Layout::parse(spec);
  if (!layout) return layout.error();
  return draw_svg(*layout, options);
}

Result<Json> answer_draw(const Json& request) {
  const auto spec = required_text(request, "spec");
  if (!spec) return spec.error();
  const auto path = optional_text(request, "file");
  if (!path) return path.error();
  const auto svg = draw_spec(*spec, {});
  if (!svg) return svg.error();
  if (!*path) return Json{{"spec", *spec}, {"svg", *svg}};
  if (auto status = write_text_file(**path, *svg); !status) return status.error();
  return Json{{"spec", *spec}, {"file", **path}, {"bytes", svg->size()}};
}

std::string render_draw(const Json& answer) {
  if (answer.contains("file")) {
    return answer["file"].get<std::string>() + ": " + answer["bytes"].dump() + " bytes";
  }
  std::string svg = answer["svg"].get<std::string>();
  svg.pop_back();  // the line's end is added again
  return svg;
}

}  // namespace

void add_draw(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("draw", "Draw a layout and its buffer as an SVG picture");
  const auto output = std::make_shared<OutputOptions>();
  const auto path = std::make_shared<std::string>();
  const CLI::Option* spec = command->add_option(
      "SPEC", "Layout, such as 'f32[6,8][1, 0, 1 p(4)]' or CuTe's '(6,(4,2)):(4,(1,24))'");
  command->add_option("-o,--output", *path, "Where the picture goes; standard output if not given")
      ->type_name("FILE")
      ->check(refuse_empty);
  add_json_option(*command, *output);
  command->footer(examples({"relayout draw 'f32[6,8][1, 0, 1 p(4)]' -o layout.svg",
                            "relayout draw 'Sw<2,0,3> o 0 o (8,8):(8,1)' > swizzle.svg"}));
  command->callback([=, &exit_code] {
    Json request = Json::object();
    put_argument(spec, "spec", false, request);
    if (!path->empty()) request["file"] = *path;
    exit_code = run_command({answer_draw, render_draw}, *output, request);
  });
}

}  // namespace relayout::cli
