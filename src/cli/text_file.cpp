#include "src/cli/text_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

namespace relayout::cli {

Status write_text_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (file) return {};
  return Error{ErrorCode::kSystem, path + ": cannot write: " + std::strerror(errno)};
}

}  // namespace relayout::cli
