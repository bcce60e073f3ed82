#include "src/profile/own_file.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace relayout::profile {
namespace {

constexpr mode_t kOwnerOnly = 0600;

bool is_own_plain_file(int descriptor) {
  struct stat facts {};
  return fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_uid == geteuid() &&
         facts.st_nlink == 1;
}

}  // namespace

Error file_error(std::string_view path, int reason) {
  return {ErrorCode::kSystem, std::string(path) + ": " + std::system_category().message(reason)};
}

Result<OwnFile> OwnFile::open(const std::string& path, OpenMode mode) {
  const int descriptor =
      ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, kOwnerOnly);
  if (descriptor < 0) return file_error(path, errno);
  OwnFile file(path, descriptor);
  if (!is_own_plain_file(descriptor)) return file_error(path, EPERM);
  if (mode == OpenMode::kFresh && ftruncate(descriptor, 0) != 0) return file_error(path, errno);
  return file;
}

OwnFile::OwnFile(OwnFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

OwnFile& OwnFile::operator=(OwnFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

OwnFile::~OwnFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

Status OwnFile::write(std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return file_error(path_, errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return {};
}

Status OwnFile::write(std::string_view text) {
  return write({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

}  // namespace relayout::profile
