#include "src/cli/text_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <ios>
#include <iterator>
#include <span>

#include "src/cli/mapped_file.hpp"

namespace relayout::cli {
namespace {

/// A pipe, a terminal or another device: it holds no old text that a failure could harm, and is not replaced.
bool is_device(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_other(path, error);
}

Status write_to_device(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (file) return {};
  return Error{ErrorCode::kSystem, path + ": cannot write: " + std::strerror(errno)};
}

}  // namespace

Result<std::string> read_text_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{ErrorCode::kSystem, path + ": cannot open"};
  try {
    return std::string{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  } catch (const std::ios_base::failure& failure) {  // from the stream's buffer, as for a folder
    return Error{ErrorCode::kSystem, path + ": cannot read: " + failure.code().message()};
  }
}

Status write_text_file(const std::string& path, const std::string& text) {
  if (is_device(path)) return write_to_device(path, text);
  auto output = MappedOutput::create(path, text.size());
  if (!output) return output.error();
  const auto bytes = std::as_bytes(std::span(text));
  std::copy(bytes.begin(), bytes.end(), output->bytes().begin());
  return output->commit();
}

}  // namespace relayout::cli
