#pragma once

#include <cstddef>
#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

namespace relayout::testing {

/// `bytes` writable bytes between two inaccessible pages, flush against the one before or the one behind
/// them.
class GuardedMemory {
 public:
  enum class Flush : std::uint8_t { kFront, kBack };

  GuardedMemory(std::size_t bytes, Flush flush) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t inner = (bytes + page - 1) / page * page;
    mapped_ = inner + 2 * page;
    void* start = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) return;
    start_ = static_cast<std::uint8_t*>(start);
    if (mprotect(start_ + page, inner, PROT_READ | PROT_WRITE) != 0) return;
    data_ = start_ + page + (flush == Flush::kFront ? 0 : inner - bytes);
  }
  ~GuardedMemory() {
    if (start_ != nullptr) munmap(start_, mapped_);
  }
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;

  /// Null if the system refused.
  std::uint8_t* data() const { return data_; }

 private:
  std::uint8_t* start_ = nullptr;
  std::size_t mapped_ = 0;
  std::uint8_t* data_ = nullptr;
};

}  // namespace relayout::testing
