#pragma once

#include <string>

#include "relayout/result.hpp"

namespace relayout::cli {

/// The whole file. \error kSystem, naming it
Result<std::string> read_text_file(const std::string& path);

/// Writes a file, replacing what was there. \error kSystem, naming it
Status write_text_file(const std::string& path, const std::string& text);

}  // namespace relayout::cli
