// relayout cute: the algebra of CuTe's layouts as a calculator.

#include <memory>

#include "relayout/cute/calculator.hpp"
#include "src/cli/command.hpp"
#include "src/cli/request.hpp"

namespace relayout::cli {
namespace {

/// The most offsets that are listed beside a result.
constexpr std::int64_t kMaximumOffsets = 4096;

Json json_of(const cute::Value& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return *truth;
  if (const auto* list = std::get_if<cute::OffsetList>(&value)) return list->offsets;
  if (const auto* table = std::get_if<cute::OffsetRows>(&value)) return table->rows;
  const auto* tuple = std::get_if<cute::IntTuple>(&value);
  if (tuple != nullptr && tuple->is_integer()) return tuple->value();
  return cute::to_string(value);
}

/// All offsets of the layout that is the result or is shown by it; null if there is none or they are too
/// many.
Result<Json> offsets_of(const cute::Value& value) {
  const auto layout = cute::layout_of(value);
  if (!layout) return Json(nullptr);
  const auto list = [](const auto& any) -> Result<Json> {
    if (any.size() > kMaximumOffsets) return Json(nullptr);
    auto offsets = any.offsets();
    if (!offsets) return offsets.error();
    return Json(std::move(*offsets));
  };
  return std::visit(list, *layout);
}

Result<Json> answer_of(const Result<cute::Value>& value) {
  if (!value) return value.error();
  const auto offsets = offsets_of(*value);
  if (!offsets) return offsets.error();
  return Json{{"result", json_of(*value)}, {"offsets", *offsets}};
}

/// An argument as the calculator reads it: a list is written `[2,0,3]`. \error kBadArgument
Result<std::string> argument_text(const Json& argument) {
  if (argument.is_string()) return argument.get<std::string>();
  if (argument.is_null()) return std::string();
  if (argument.is_number_integer()) return argument.dump();
  if (!argument.is_array())
    return Error{ErrorCode::kBadArgument, "an argument is neither text, integer nor list"};
  std::string text = "[";
  for (const Json& element : argument) {
    const auto part = argument_text(element);
    if (!part) return part;
    if (text.size() > 1) text += ',';
    text += *part;
  }
  return text + ']';
}

/// `{"op":...,"args":[...]}`, or `{"expr":...}`.
Result<Json> calculated(const Json& request) {
  if (!request.contains("op")) {
    const auto expression = required_text(request, "expr");
    if (!expression) return expression.error();
    return answer_of(cute::calculate(*expression));
  }
  const auto operation = required_text(request, "op");
  if (!operation) return operation.error();
  const auto list = request.find("args");
  if (list == request.end() || !list->is_array())
    return Error{ErrorCode::kBadArgument, "\"args\" is not a list"};
  std::vector<std::string> arguments;
  for (const Json& element : *list) {
    auto argument = argument_text(element);
    if (!argument) return argument.error();
    arguments.push_back(std::move(*argument));
  }
  return answer_of(cute::calculate(*operation, arguments));
}

/// As JSON, an error is an answer.
Result<Json> answer_cute(const Json& request) {
  const auto answer = calculated(request);
  return answer ? *answer : Json{{"error", answer.error().message}};
}

int cute_exit_code(const Json& answer) {
  return answer.contains("error") ? kExitBadInput : kExitOk;
}

/// For people: the text alone, as CuTe prints it.
Result<Json> answer_as_text(const Json& request) {
  const auto expression = required_text(request, "expr");
  if (!expression) return expression.error();
  const auto value = cute::calculate(*expression);
  if (!value) return value.error();
  std::string text = cute::to_string(*value);
  if (text.ends_with('\n')) text.pop_back();
  return Json{{"result", text}};
}

std::string render_cute(const Json& answer) {
  return answer["result"].get<std::string>();
}

std::string operations_help() {
  std::string text = "Operations:\n ";
  std::size_t column = 1;
  for (const std::string_view name : cute::operation_names()) {
    if (column + name.size() > 100) {
      text += "\n ";
      column = 1;
    }
    text.append(" ").append(name);
    column += name.size() + 1;
  }
  return text + "\n";
}

}  // namespace

void add_cute(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("cute", "Calculate with CuTe's layouts");
  const auto output = std::make_shared<OutputOptions>();
  const CLI::Option* expression =
      command->add_option("EXPR", "Calls of CuTe's operations, such as 'complement(4:2, 24)'");
  add_output_options(*command, *output, "\"op\" and \"args\", or \"expr\"");
  command->footer(
      "Examples:\n  relayout cute 'composition((6,2):(8,2), (4,3):(3,1))'\n"
      "  relayout cute 'print_layout(Sw<2,0,3> o 0 o (8,8):(8,1))'\n"
      "  relayout cute 'zipped_divide((9,(4,8)):(59,(13,1)), <3:3, (2,4):(1,8)>)' --json\n\n" +
      operations_help());
  command->callback([=, &exit_code] {
    Json request = Json::object();
    put_argument(expression, "expr", output->batch, request);
    const bool machine = output->json || output->batch;
    exit_code =
        run_command({machine ? answer_cute : answer_as_text, render_cute, cute_exit_code}, *output, request);
  });
}

}  // namespace relayout::cli
