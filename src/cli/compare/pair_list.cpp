#include "src/cli/compare/pair_list.hpp"

#include <fmt/format.h>
#include <fstream>

#include "src/cli/request.hpp"

namespace relayout::cli {
namespace {

Result<Json> read_line(const std::string& line) {
  Json pair = Json::parse(line, nullptr, false);
  if (!pair.is_object()) return Error{ErrorCode::kSyntax, "not a JSON object"};
  for (const char* key : {"src", "dst"}) {
    if (const auto text = required_text(pair, key); !text) return text.error();
  }
  if (const auto name = optional_text(pair, "name"); !name) return name.error();
  return pair;
}

}  // namespace

Result<std::vector<Json>> read_pair_list(const std::string& path, const std::string& only) {
  std::ifstream file(path);
  if (!file) return Error{ErrorCode::kSystem, path + ": cannot open"};
  std::vector<Json> pairs;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    auto pair = read_line(line);
    if (!pair) return prefixed(fmt::format("{}: line {}", path, number), pair.error());
    if (pair->value("name", "").find(only) != std::string::npos) pairs.push_back(std::move(*pair));
  }
  if (file.bad()) return Error{ErrorCode::kSystem, path + ": cannot read"};
  if (pairs.empty()) return Error{ErrorCode::kBadArgument, path + ": no pair to compare"};
  return pairs;
}

}  // namespace relayout::cli
