#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "relayout/result.hpp"

namespace relayout::cli {

/// A mapping of a file's bytes into memory; unmapped at the end.
class Mapping {
 public:
  Mapping() = default;
  Mapping(void* start, std::size_t bytes) : start_(start), bytes_(bytes) {}
  Mapping(Mapping&& other) noexcept;
  Mapping& operator=(Mapping&& other) noexcept;
  ~Mapping();

  std::span<std::byte> bytes() const noexcept { return {static_cast<std::byte*>(start_), bytes_}; }

 private:
  void* start_ = nullptr;
  std::size_t bytes_ = 0;
};

/// A regular file, mapped for reading.
class MappedInput {
 public:
  /// \error kSystem names the file
  static Result<MappedInput> open(const std::string& path);

  std::span<const std::byte> bytes() const noexcept { return mapping_.bytes(); }

 private:
  Mapping mapping_;
};

/// A file to be written in full, mapped for writing. It appears under its name only with commit(); until then
/// it is a temporary file beside it, which goes away if there is no commit.
class MappedOutput {
 public:
  /// Room on the disk is reserved here. \error kSystem, kBadArgument if `path` is something else than a
  /// regular file
  static Result<MappedOutput> create(const std::string& path, std::size_t bytes);

  MappedOutput() = default;
  MappedOutput(MappedOutput&&) noexcept = default;
  MappedOutput& operator=(MappedOutput&&) = delete;
  ~MappedOutput();

  std::span<std::byte> bytes() const noexcept { return mapping_.bytes(); }

  /// Gives the file its name, in place of any file of that name. \error kSystem
  Status commit();

 private:
  Mapping mapping_;
  std::string path_;
  std::string temporary_path_;
};

/// Whether both paths lead to one existing file.
bool is_same_file(const std::string& a, const std::string& b);

}  // namespace relayout::cli
