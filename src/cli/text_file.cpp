#include "src/cli/text_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

namespace relayout::cli {

Result<std::string> read_text_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{ErrorCode::kSystem, path + ": cannot open"};
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.bad()) return Error{ErrorCode::kSystem, path + ": cannot read"};
  return text;
}

Status write_text_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (file) return {};
  return Error{ErrorCode::kSystem, path + ": cannot write: " + std::strerror(errno)};
}

}  // namespace relayout::cli
