// relayout simplify: simplifies an integer expression over bounded variables.

#include <charconv>
#include <fmt/format.h>
#include <memory>

#include "src/cli/command.hpp"
#include "src/cli/request.hpp"

namespace relayout::cli {
namespace {

Error bad_variable(std::string_view what, std::string_view why) {
  return {ErrorCode::kBadArgument, fmt::format("variable {}: {}", what, why)};
}

/// A bound from the command line: an integer, or nothing for none.
Result<Json> parse_bound(std::string_view text, const std::string& argument) {
  if (text.empty()) return Json(nullptr);
  std::int64_t bound = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bound);
  if (error != std::errc() || end != text.data() + text.size()) {
    return bad_variable(argument, fmt::format("\"{}\" is not a 64-bit integer", text));
  }
  return Json(bound);
}

/// Puts `x=0:63` into `variables` as {"x":[0,63]}; either bound may be empty.
Status put_variable(const std::string& argument, Json& variables) {
  const auto equals = argument.find('=');
  const auto colon = argument.find(':', equals == std::string::npos ? 0 : equals);
  if (equals == std::string::npos || equals == 0 || colon == std::string::npos) {
    return bad_variable(argument, "expected NAME=LOWER:UPPER");
  }
  const std::string_view text = argument;
  const auto lower = parse_bound(text.substr(equals + 1, colon - equals - 1), argument);
  if (!lower) return lower.error();
  const auto upper = parse_bound(text.substr(colon + 1), argument);
  if (!upper) return upper.error();
  variables[argument.substr(0, equals)] = Json::array({*lower, *upper});
  return {};
}

Result<std::optional<std::int64_t>> read_bound(const Json& bound, const std::string& name) {
  if (bound.is_null()) return std::optional<std::int64_t>();
  const bool fits =
      bound.is_number_integer() &&
      !(bound.is_number_unsigned() && bound.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX));
  if (!fits) return bad_variable(name, fmt::format("bound {} is not a 64-bit integer", bound.dump()));
  return std::optional<std::int64_t>(bound.get<std::int64_t>());
}

Result<ExpressionVariable> read_variable(const std::string& name, const Json& bounds) {
  if (!bounds.is_array() || bounds.size() != 2) return bad_variable(name, "expected [lower, upper]");
  const auto lower = read_bound(bounds[0], name);
  if (!lower) return lower.error();
  const auto upper = read_bound(bounds[1], name);
  if (!upper) return upper.error();
  if (*lower && *upper && **lower > **upper) {
    return bad_variable(name,
                        fmt::format("the lower bound {} is above the upper bound {}", **lower, **upper));
  }
  return ExpressionVariable{name, *lower, *upper};
}

Result<std::vector<ExpressionVariable>> read_variables(const Json& request) {
  std::vector<ExpressionVariable> variables;
  const auto field = request.find("vars");
  if (field == request.end()) return variables;
  if (!field->is_object()) return Error{ErrorCode::kBadArgument, "\"vars\" is not an object"};
  for (const auto& [name, bounds] : field->items()) {
    auto variable = read_variable(name, bounds);
    if (!variable) return variable.error();
    variables.push_back(std::move(*variable));
  }
  return variables;
}

Result<Json> answer_simplify(const Json& request) {
  const auto text = required_text(request, "expr");
  if (!text) return text.error();
  const auto variables = read_variables(request);
  if (!variables) return variables.error();
  const auto simplified = simplify_expression(*text, *variables);
  if (!simplified) return simplified.error();
  return Json{{"input", simplified->input},
              {"output", simplified->output},
              {"input_ops", simplified->input_operations},
              {"output_ops", simplified->output_operations}};
}

std::string render_simplify(const Json& answer) {
  return answer["output"].get<std::string>();
}

/// Reports a bad `--var` in the way of every other bad argument.
Json variables_of(const std::vector<std::string>& arguments) {
  Json variables = Json::object();
  for (const std::string& argument : arguments) {
    const Status put = put_variable(argument, variables);
    if (!put) throw CLI::ValidationError("--var", put.error().message);
  }
  return variables;
}

/// The expression, also where a leading minus made it look like an option.
std::string expression_text(const CLI::App& command, const CLI::Option* expression) {
  const std::vector<std::string> others = command.remaining();
  const std::size_t given = expression->count() + others.size();
  if (given > 1) throw CLI::ExtrasError(others);
  if (given == 0) return {};
  return others.empty() ? expression->results().front() : others.front();
}

}  // namespace

void add_simplify(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("simplify", "Simplify an integer expression over bounded variables");
  const auto output = std::make_shared<OutputOptions>();
  const auto variables = std::make_shared<std::vector<std::string>>();
  const CLI::Option* expression = command->add_option(
      "EXPR", "Expression in // (floor division), % (floor remainder), + - *, parentheses");
  command->add_option("--var", *variables, "Inclusive bounds of a variable; either may be left out")
      ->type_name("NAME=LOWER:UPPER")
      ->allow_extra_args(false);
  command->set_help_flag("--help", "Print this help message and exit");  // no -h: it may start an expression
  command->allow_extras();
  add_output_options(*command, *output, "\"expr\" and \"vars\": {\"x\":[0,63],\"y\":[null,7]}");
  command->footer(
      "Examples:\n  relayout simplify '(x // 4) * 4 + x % 4' --var x=0:63\n"
      "  relayout simplify 'x % 8' --var x=:7 --json\n  relayout simplify '-x + x % 8' --var x=0:\n"
      "  relayout simplify '(64*i + j) ^ i % 8 * 8' --var i=0:7 --var j=0:63\n\n"
      "Operators, as in Python: + - * // % and ^ (exclusive or, which binds weakest).\n");
  command->callback([=, &exit_code] {
    Json request = Json::object();
    const std::string text = expression_text(*command, expression);
    if (!text.empty()) request["expr"] = text;
    if (text.empty() && !output->batch) throw CLI::RequiredError("EXPR");
    request["vars"] = variables_of(*variables);
    exit_code = run_command({answer_simplify, render_simplify}, *output, request);
  });
}

}  // namespace relayout::cli
