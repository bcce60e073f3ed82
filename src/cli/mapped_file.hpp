#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>

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

/// An open file; closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();

  /// Negative for none.
  int number() const noexcept { return number_; }

 private:
  int number_;
};

/// A regular file, mapped for reading.
class MappedInput {
 public:
  /// Never waits, as for who writes into a pipe. \error kSystem, kBadArgument for anything but a regular
  /// file; names the file
  static Result<MappedInput> open(const std::string& path);

  std::span<const std::byte> bytes() const noexcept { return mapping_.bytes(); }

 private:
  Mapping mapping_;
};

/// A file to be written in full, mapped for writing. It appears under its name only with commit(). Until then
/// it has no name where the file system can do that, so that nothing is left of it however the process ends;
/// elsewhere it is a temporary file beside it, which goes away if there is no commit.
class MappedOutput {
 public:
  /// Room on the disk is reserved here. A file that will be replaced hands on its mode. \error kSystem,
  /// kBadArgument if `path` is something else than a regular file
  static Result<MappedOutput> create(const std::string& path, std::size_t bytes);

  MappedOutput() = default;
  MappedOutput(MappedOutput&&) noexcept = default;
  MappedOutput& operator=(MappedOutput&&) = delete;
  ~MappedOutput();

  std::span<std::byte> bytes() const noexcept { return mapping_.bytes(); }

  /// Gives the file its name, in place of any file of that name. \error kSystem
  Status commit();

 private:
  /// Opens the file, without a name if possible. \error kSystem
  Status open_file(const std::string& path);

  Descriptor file_;
  Mapping mapping_;
  std::string path_;
  std::string temporary_path_;  ///< the name that the file has; empty while it has none
};

/// Whether both paths lead to one existing file.
bool is_same_file(const std::string& a, const std::string& b);

/// \error kBadArgument if `output` would replace the file that `input` leads to
Status check_output(const std::string& output, const std::string& input);

}  // namespace relayout::cli
