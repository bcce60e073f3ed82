#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "relayout/result.hpp"

namespace relayout::profile {

enum class OpenMode : std::uint8_t {
  kFresh,   ///< contents are dropped
  kAppend,  ///< other code generators of this process may write there too
};

/// A file for other programs to read, that this user alone may write. Follows no symbolic link, since names
/// are easy to guess and folders may be shared, and is not inherited by programs started from here. Movable
/// only.
class OwnFile {
 public:
  /// \error kSystem if it cannot be opened, or is somebody else's, or no plain file
  static Result<OwnFile> open(const std::string& path, OpenMode mode);

  OwnFile(OwnFile&& other) noexcept;
  OwnFile& operator=(OwnFile&& other) noexcept;
  ~OwnFile();

  const std::string& path() const { return path_; }
  int descriptor() const { return descriptor_; }

  /// Appends. \error kSystem
  Status write(std::span<const std::uint8_t> bytes);
  Status write(std::string_view text);

 private:
  OwnFile(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

  std::string path_;
  int descriptor_ = -1;
};

/// An error that says which file and why, from errno.
Error file_error(std::string_view path, int reason);

}  // namespace relayout::profile
