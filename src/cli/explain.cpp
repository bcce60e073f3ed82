// relayout explain: all six stages of a conversion.

#include <memory>

#include "src/cli/command.hpp"
#include "src/cli/request.hpp"

namespace relayout::cli {
namespace {

/// `source o destination^-1` as a layout, or why it is none.
Json offset_map_answer(const PairRequest& pair) {
  const auto map = offset_map(pair.source, pair.destination);
  if (!map) return Json{{"error", map.error().message}};
  return Json{{"layout", cute::to_string(map->layout)},
              {"contiguous_elements", map->contiguous_elements},
              {"contiguous_bytes", map->contiguous_bytes}};
}

Result<Json> answer_explain(const Json& request) {
  const auto pair = read_pair(request);
  if (!pair) return pair.error();
  const auto convert = compile(pair->source, pair->destination, pair->options);
  if (!convert) return convert.error();
  return Json{{"src", request["src"]},
              {"dst", request["dst"]},
              {"isa", to_string(convert->isa())},
              {"kernel", convert->kernel()},
              {"code_bytes", convert->code_bytes()},
              {"offset_map", offset_map_answer(*pair)},
              {"explanation", convert->explain()}};
}

std::string render_explain(const Json& answer) {
  std::string text = answer["explanation"].get<std::string>();
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace

void add_explain(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "explain", "Show all six stages: layouts, expressions, simplified expressions, loops, plan, code");
  const auto output = std::make_shared<OutputOptions>();
  const auto code = std::make_shared<CodeOptions>();
  const PairArguments pair = add_pair_arguments(*command);
  add_code_options(*command, *code);
  add_json_option(*command, *output);
  command->footer(examples({"relayout explain 'f32[64,64]' '[1, 0]'",
                            "relayout explain 'u8[64,64]' '[0, 1, 0 p(4)]' --isa avx2"}));
  command->callback([=, &exit_code] {
    Json request = Json::object();
    put_pair(pair, output->batch, request);
    put_code_options(*code, request);
    exit_code = run_command({answer_explain, render_explain}, *output, request);
  });
}

}  // namespace relayout::cli
