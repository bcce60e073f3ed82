#pragma once

#include "src/cli/huge_buffer.hpp"

namespace relayout::cli {

/// Two buffers that grow as pairs need them, so that a batch does not fault its pages in anew for each pair.
class BufferPair {
 public:
  /// Makes both at least `bytes` long. \error kSystem
  Status reserve(std::size_t bytes);

  std::byte* source() const noexcept { return source_.data(); }
  std::byte* destination() const noexcept { return destination_.data(); }
  /// The smaller of both buffers' page sizes.
  int page_kib() const noexcept { return page_kib_; }

 private:
  HugeBuffer source_;
  HugeBuffer destination_;
  int page_kib_ = 4;
};

}  // namespace relayout::cli
