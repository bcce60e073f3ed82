#pragma once

#include <string>

#include "src/cli/json.hpp"

namespace relayout::cli {

/// Reports are made of what `compare --json` prints for several pairs: {"environment":{},"pairs":[...]}, a
/// pair that could not be measured being {"name","src","dst","error"}.

/// For people: one pair in detail, several as a table; then what else was asked for.
std::string report_text(const Json& results);

/// The same tables in Markdown, with the environment.
std::string report_markdown(const Json& results);

/// The name of a pair from a list, else its two layouts.
std::string label_of(const Json& pair);

}  // namespace relayout::cli
