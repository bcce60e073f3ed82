#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "relayout/result.hpp"

namespace relayout::cli {

/// Memory for measurements: starts `offset_bytes` past a 2 MiB boundary, every page present, huge pages asked
/// for (madvise). What was asked is not always got: see page_kib().
class HugeBuffer {
 public:
  /// Of the pseudo-random contents.
  static constexpr std::uint64_t kSeed = 0x9e3779b97f4a7c15u;

  /// `size_bytes` of memory holding pseudo-random bytes. \error kSystem
  static Result<HugeBuffer> allocate(std::size_t size_bytes, std::size_t offset_bytes = 0);

  HugeBuffer() = default;
  HugeBuffer(HugeBuffer&& other) noexcept;
  HugeBuffer& operator=(HugeBuffer&& other) noexcept;
  ~HugeBuffer();

  std::byte* data() const noexcept { return data_; }
  std::size_t size_bytes() const noexcept { return size_bytes_; }
  std::span<std::byte> bytes() const noexcept { return {data_, size_bytes_}; }

  /// The page size that the whole buffer lies in, from /proc/self/smaps: 2048 if all of it is in huge pages,
  /// else 4.
  int page_kib() const;

 private:
  std::byte* mapping_ = nullptr;
  std::size_t mapping_bytes_ = 0;
  std::byte* data_ = nullptr;
  std::size_t size_bytes_ = 0;
};

}  // namespace relayout::cli
