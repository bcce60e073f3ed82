#pragma once

#include <string>

#include "relayout/result.hpp"

namespace relayout::cli {

/// Writes a file, replacing what was there. \error kSystem, naming it
Status write_text_file(const std::string& path, const std::string& text);

}  // namespace relayout::cli
