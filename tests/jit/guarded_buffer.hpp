#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <sys/mman.h>

namespace relayout::testing {

/// Where a buffer touches an inaccessible page, so that one byte outside it faults.
enum class Flush : std::uint8_t { kFront, kEnd };

/// Memory between two inaccessible pages.
class GuardedBuffer {
 public:
  GuardedBuffer(std::size_t bytes, Flush flush) : bytes_(bytes) {
    const std::size_t inner_bytes = (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
    mapped_bytes_ = inner_bytes + 2 * kPageBytes;
    void* pages = mmap(nullptr, mapped_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) throw std::runtime_error("mmap failed");
    mapping_ = static_cast<std::uint8_t*>(pages);
    std::uint8_t* inner = mapping_ + kPageBytes;
    if (inner_bytes != 0 && mprotect(inner, inner_bytes, PROT_READ | PROT_WRITE) != 0) {
      throw std::runtime_error("mprotect failed");
    }
    start_ = flush == Flush::kFront ? inner : inner + inner_bytes - bytes;
  }
  GuardedBuffer(const GuardedBuffer&) = delete;
  GuardedBuffer& operator=(const GuardedBuffer&) = delete;
  ~GuardedBuffer() { munmap(mapping_, mapped_bytes_); }

  std::span<std::uint8_t> bytes() const { return {start_, bytes_}; }

 private:
  static constexpr std::size_t kPageBytes = 4096;
  std::uint8_t* mapping_ = nullptr;
  std::uint8_t* start_ = nullptr;
  std::size_t mapped_bytes_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace relayout::testing
