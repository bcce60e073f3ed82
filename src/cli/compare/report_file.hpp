#pragma once

#include <string>

#include "relayout/result.hpp"
#include "src/cli/json.hpp"

namespace relayout::cli {

/// Whether write_report knows the ending of `path`.
bool is_report_path(const std::string& path);

/// Writes results (report.hpp) in the form that the ending of `path` names: `.json`, `.md` or `.svg`.
/// \error kSystem, kBadArgument
Status write_report(const std::string& path, const Json& results);

}  // namespace relayout::cli
