#include "src/cli/mapped_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace relayout::cli {
namespace {

Error file_error(const std::string& path, int code) {
  return {ErrorCode::kSystem, fmt::format("{}: {}", path, std::strerror(code))};
}

/// A file of no bytes cannot be mapped and needs no mapping.
Result<Mapping> map_file(const std::string& path, int descriptor, std::size_t bytes, int protection) {
  if (bytes == 0) return Mapping();
  void* start = mmap(nullptr, bytes, protection, MAP_SHARED, descriptor, 0);
  if (start == MAP_FAILED) return file_error(path, errno);
  return Mapping(start, bytes);
}

/// The file that a chain of symbolic links leads to, so that the link stays and its target is replaced.
std::string resolved(const std::string& path) {
  std::error_code error;
  const auto target = std::filesystem::weakly_canonical(path, error);
  return error ? path : target.string();
}

std::string temporary_name(const std::string& target) {
  return fmt::format("{}.{}.part", target, getpid());
}

/// The name that an open file has even if it has no other.
std::string process_name(const Descriptor& file) {
  return fmt::format("/proc/self/fd/{}", file.number());
}

/// A new file in the folder of `target` that can get a name later; none where that is not supported.
Descriptor open_nameless(const std::string& target) {
  const std::string folder = std::filesystem::path(target).parent_path().string();
  Descriptor file(open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666));
  if (file.number() >= 0 && access(process_name(file).c_str(), F_OK) != 0) return Descriptor();
  return file;
}

}  // namespace

Mapping::Mapping(Mapping&& other) noexcept {
  *this = std::move(other);
}

Mapping& Mapping::operator=(Mapping&& other) noexcept {
  std::swap(start_, other.start_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

Mapping::~Mapping() {
  if (start_ != nullptr) munmap(start_, bytes_);
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

Descriptor::~Descriptor() {
  if (number_ >= 0) close(number_);
}

Result<MappedInput> MappedInput::open(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number() < 0) return file_error(path, errno);
  struct stat status = {};
  if (fstat(file.number(), &status) != 0) return file_error(path, errno);
  if (!S_ISREG(status.st_mode)) return Error{ErrorCode::kBadArgument, path + ": not a regular file"};
  auto mapping = map_file(path, file.number(), static_cast<std::size_t>(status.st_size), PROT_READ);
  if (!mapping) return mapping.error();
  MappedInput input;
  input.mapping_ = std::move(*mapping);
  return input;
}

Result<MappedOutput> MappedOutput::create(const std::string& path, std::size_t bytes) {
  const std::string target = resolved(path);
  struct stat status = {};
  const bool exists = stat(target.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) {
    return Error{ErrorCode::kBadArgument, path + ": not a regular file"};
  }
  MappedOutput output;
  output.path_ = target;
  if (const Status opened = output.open_file(path); !opened) return opened.error();
  const int file = output.file_.number();
  if (exists && fchmod(file, status.st_mode & 0777) != 0) return file_error(path, errno);
  // Without room the first write to the mapping would be a SIGBUS.
  const int reserved = bytes == 0 ? 0 : posix_fallocate(file, 0, static_cast<off_t>(bytes));
  if (reserved != 0) return file_error(path, reserved);
  auto mapping = map_file(path, file, bytes, PROT_READ | PROT_WRITE);
  if (!mapping) return mapping.error();
  output.mapping_ = std::move(*mapping);
  return output;
}

Status MappedOutput::open_file(const std::string& path) {
  file_ = open_nameless(path_);
  if (file_.number() >= 0) return {};
  const std::string name = temporary_name(path_);
  file_ = Descriptor(open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (file_.number() < 0) return file_error(path, errno);
  temporary_path_ = name;
  return {};
}

MappedOutput::~MappedOutput() {
  if (!temporary_path_.empty()) unlink(temporary_path_.c_str());
}

Status MappedOutput::commit() {
  mapping_ = Mapping();
  if (temporary_path_.empty()) {
    // A link replaces nothing: it takes a name of its own first.
    const std::string name = temporary_name(path_);
    if (linkat(AT_FDCWD, process_name(file_).c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0)
      return file_error(path_, errno);
    temporary_path_ = name;
  }
  if (std::rename(temporary_path_.c_str(), path_.c_str()) != 0) return file_error(path_, errno);
  temporary_path_.clear();
  return {};
}

bool is_same_file(const std::string& a, const std::string& b) {
  struct stat first = {};
  struct stat second = {};
  return stat(a.c_str(), &first) == 0 && stat(b.c_str(), &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

Status check_output(const std::string& output, const std::string& input) {
  if (!is_same_file(output, input)) return {};
  return Error{ErrorCode::kBadArgument, output + ": is the input file"};
}

}  // namespace relayout::cli
