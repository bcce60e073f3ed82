// relayout parse: whether a text is a layout, and what it says. XLA's form is judged as XLA's parser and
// validation judge it, so that tuples, tokens and unbounded dimensions are fine here.

#include <fmt/format.h>
#include <memory>

#include "relayout/xla.hpp"
#include "src/cli/command.hpp"
#include "src/cli/request.hpp"

namespace relayout::cli {
namespace {

Json refusal(const Error& error) {
  return Json{{"ok", false}, {"error", error.message}};
}

Json numbers(const std::vector<std::int64_t>& values, std::int64_t special, const Json& special_value) {
  Json list = Json::array();
  for (const std::int64_t value : values) list.push_back(value == special ? special_value : Json(value));
  return list;
}

Json tiles_of(const xla::ArrayShape& array) {
  Json tiles = Json::array();
  for (const xla::Tile& tile : array.layout.tiles) tiles.push_back(numbers(tile, xla::kCombine, "*"));
  return tiles;
}

/// Bytes of the whole buffer; null where it has no size. Splits do not change the sum.
Json bytes_of(xla::ArrayShape array) {
  array.layout.split_configs.clear();
  const auto bytes = xla::size_bytes(array);
  return bytes ? Json(*bytes) : Json(nullptr);
}

/// An answer whose details are still unknown.
Json accepted(const std::string& canonical) {
  return Json{{"ok", true},      {"canonical", canonical},    {"dtype", nullptr},
              {"dims", nullptr}, {"minor_to_major", nullptr}, {"tiles", nullptr},
              {"bytes", nullptr}};
}

Json answer_of(const xla::Shape& shape) {
  Json answer = accepted(xla::to_string(shape));
  if (shape.kind == xla::ShapeKind::kToken) {
    answer["dtype"] = "token";
    answer["bytes"] = 0;
  }
  if (shape.kind == xla::ShapeKind::kOpaque) answer["dtype"] = "opaque";
  const bool buffer = shape.kind == xla::ShapeKind::kBuffer && !shape.members.empty();
  const auto& array = buffer ? shape.members.front().array : shape.array;
  if (!array) return answer;
  answer["dtype"] = array->type.name();
  answer["dims"] = numbers(array->dimensions, xla::kUnbounded, nullptr);
  answer["minor_to_major"] = array->layout.minor_to_major;
  answer["tiles"] = tiles_of(*array);
  answer["bytes"] = bytes_of(*array);
  return answer;
}

/// What other notations than XLA's make of the text, if it is one of theirs.
std::optional<Json> answer_of_others(const std::string& spec) {
  const auto layout = Layout::parse(spec);
  if (layout && layout->xla() == nullptr) {
    Json answer = accepted(layout->to_string());
    answer["dtype"] = layout->type().name();
    answer["dims"] = layout->shape();
    answer["bytes"] = layout->size_bytes();
    return answer;
  }
  const std::size_t brackets = spec.find_first_of("[{");
  if (!layout && brackets == std::string::npos && spec.find(':') != std::string::npos)
    return refusal(layout.error());
  const std::size_t close = spec.find(']');
  const std::size_t next = close == std::string::npos ? close : spec.find_first_not_of(" \t", close + 1);
  if (layout || next == std::string::npos || spec[next] != '[') return std::nullopt;
  return refusal(layout.error());
}

Json answer_spec(const std::string& spec, bool strict) {
  const auto shape = xla::parse(spec, {strict});
  if (!shape) return answer_of_others(spec).value_or(refusal(shape.error()));
  const auto status = xla::validate(*shape);
  return status ? answer_of(*shape) : refusal(status.error());
}

Result<Json> answer_parse(const Json& request) {
  const auto spec = required_text(request, "spec");
  if (!spec) return refusal(spec.error());
  const auto strict = optional_flag(request, "strict");
  if (!strict) return refusal(strict.error());
  return answer_spec(*spec, *strict);
}

/// For people, a refusal is an error.
Result<Json> answer_parse_as_text(const Json& request) {
  auto answer = answer_parse(request);
  if (!answer || (*answer)["ok"] == true) return answer;
  return Error{ErrorCode::kSyntax, (*answer)["error"].get<std::string>()};
}

std::string render_parse(const Json& answer) {
  std::string text;
  for (const auto& [key, value] : answer.items()) {
    if (key == "ok" || value.is_null()) continue;
    std::string label = key;
    for (char& character : label) character = character == '_' ? ' ' : character;
    text += fmt::format("{:<16}{}\n", label, value.is_string() ? value.get<std::string>() : value.dump());
  }
  text.pop_back();
  return text;
}

int parse_exit_code(const Json& answer) {
  return answer["ok"] == true ? kExitOk : kExitBadInput;
}

}  // namespace

void add_parse(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("parse", "Tell whether a text is a layout, and its canonical form");
  const auto output = std::make_shared<OutputOptions>();
  const auto strict = std::make_shared<bool>(false);
  const CLI::Option* spec = command->add_option("SPEC", "Layout, such as 'bf16[64,300]{1,0:T(8,128)(2,1)}'");
  command->add_flag("--strict", *strict, "Also refuse what XLA lets through by oversight, such as S(256)");
  add_output_options(*command, *output, "\"spec\", \"strict\"");
  command->footer(examples({"relayout parse 'bf16[64,300]{1,0:T(8,128)(2,1)}'",
                            "relayout parse '(f32[2], token[])' --json", "relayout parse 'f32[?,784]'"}));
  command->callback([=, &exit_code] {
    Json request{{"strict", *strict}};
    put_argument(spec, "spec", output->batch, request);
    const bool machine = output->json || output->batch;
    exit_code = run_command({machine ? answer_parse : answer_parse_as_text, render_parse, parse_exit_code},
                            *output, request);
  });
}

}  // namespace relayout::cli
