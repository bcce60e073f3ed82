#pragma once

#include <string>

#include "relayout/result.hpp"

namespace relayout::cli {

/// The whole file. \error kSystem, naming it
Result<std::string> read_text_file(const std::string& path);

/// Writes a file. What was there is replaced only by all of the text; devices are written to. \error kSystem,
/// kBadArgument for a folder, naming it
Status write_text_file(const std::string& path, const std::string& text);

}  // namespace relayout::cli
