#pragma once

#include <string>
#include <vector>

#include "relayout/result.hpp"
#include "src/cli/json.hpp"

namespace relayout::cli {

/// Reads a list of pairs: one JSON object per line with `src`, `dst` and, optionally, `name` and anything
/// else. Blank lines are passed over. Pairs whose name does not contain `only` are left out. \error kSystem
/// if it cannot be read, kSyntax naming the line
Result<std::vector<Json>> read_pair_list(const std::string& path, const std::string& only);

}  // namespace relayout::cli
