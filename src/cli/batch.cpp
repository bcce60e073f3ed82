#include "src/cli/batch.hpp"

#include <algorithm>
#include <exception>
#include <fmt/format.h>
#include <string>

namespace relayout::cli {
namespace {

/// Values are copied and printed by recursion.
constexpr int kMaximumDepth = 100;

Json error_object(const std::string& message) {
  return Json{{"error", message}};
}

/// `defaults` with what `line` says itself put over it; null says nothing.
Json merged(const Json& defaults, const Json& line) {
  Json request = defaults;
  for (const auto& [key, value] : line.items()) {
    if (!value.is_null()) request[key] = value;
  }
  return request;
}

/// Reads a line without keeping what is nested too deeply. Throws Json::parse_error.
Result<Json> parse_line(const std::string& line) {
  int deepest = 0;
  Json value = Json::parse(line, [&](int depth, Json::parse_event_t, Json&) {
    deepest = std::max(deepest, depth);
    return depth <= kMaximumDepth;
  });
  if (deepest <= kMaximumDepth) return value;
  return Error{ErrorCode::kSyntax, fmt::format("bad JSON: nested deeper than {}", kMaximumDepth)};
}

Json answer_checked(const Answer& answer, const Json& defaults, const std::string& line) {
  const auto parsed = parse_line(line);
  if (!parsed) return error_object(parsed.error().message);
  const Json& object = *parsed;
  if (!object.is_object()) return error_object("the line is not a JSON object");
  const Result<Json> answered = answer(merged(defaults, object));
  return answered ? answered.value() : error_object(answered.error().message);
}

}  // namespace

std::string to_line(const Json& answer) {
  return answer.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json answer_line(const Answer& answer, const Json& defaults, const std::string& line) {
  try {
    return answer_checked(answer, defaults, line);
  } catch (const Json::parse_error& error) {
    return error_object(std::string("bad JSON: ") + error.what());
  } catch (const std::exception& error) {  // the JSON library and the allocator throw
    return error_object(error.what());
  }
}

bool run_batch(const Answer& answer, const Json& defaults, std::istream& lines, const LineWriter& write) {
  std::string line;
  while (std::getline(lines, line)) {
    if (!write(to_line(answer_line(answer, defaults, line)))) return false;
  }
  return true;
}

}  // namespace relayout::cli
