#include "jit/code_memory.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <string>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <asmjit/core.h>

#include "jit/compiler.hpp"

namespace relayout::jit {

namespace {

std::size_t round_up_to_pages(std::size_t bytes) {
  static const auto page_bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

/// Mapped and made present at once, for several compilations. On a Zen 4 mapping a page, its first fault and
/// making it executable took 7.1 us of 49 to compile a pair; now it is 15 us for every eighth page and 2.1
/// for the others, which is half as much.
constexpr std::size_t kPagesAhead = 8;

/// Private, writable pages that no code was given yet. Each is given away once, so that nobody writes to what
/// is executable. Its lock is only held within compilations, for which forks wait.
class SparePages {
 public:
  static SparePages& instance() {
    static auto* const pages = new SparePages;
    return *pages;
  }

  /// Null if the system refuses.
  std::uint8_t* take(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    if (bytes > left_ && !refill(bytes)) return nullptr;
    left_ -= bytes;
    return std::exchange(next_, next_ + bytes);
  }

 private:
  bool refill(std::size_t bytes) {
    if (left_ != 0) munmap(next_, left_);
    left_ = 0;
    const std::size_t mapped_bytes = std::max(bytes, round_up_to_pages(1) * kPagesAhead);
    void* pages = mmap(nullptr, mapped_bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (pages == MAP_FAILED) return false;
    next_ = static_cast<std::uint8_t*>(pages);
    left_ = mapped_bytes;
    return true;
  }

  std::mutex mutex_;
  std::uint8_t* next_ = nullptr;
  std::size_t left_ = 0;
};

/// Private pages: written, then made executable. Null where that step is forbidden (prctl PR_SET_MDWE).
std::uint8_t* map_private(std::span<const std::uint8_t> code, std::size_t mapped_bytes) {
  std::uint8_t* pages = SparePages::instance().take(mapped_bytes);
  if (pages == nullptr) return nullptr;
  if (!code.empty()) std::memcpy(pages, code.data(), code.size());
  if (mprotect(pages, mapped_bytes, PROT_READ | PROT_EXEC) == 0) return pages;
  const int reason = errno;
  munmap(pages, mapped_bytes);
  errno = reason;
  return nullptr;
}

/// Two views of a fresh memory file; the writable one is gone before this returns, so that after a fork
/// nobody can write to what is shared.
std::uint8_t* map_dual(std::span<const std::uint8_t> code, std::size_t mapped_bytes) {
  asmjit::VirtMem::DualMapping views{};
  const auto access = asmjit::VirtMem::MemoryFlags::kAccessRWX;
  if (asmjit::VirtMem::allocDualMapping(&views, mapped_bytes, access) != asmjit::kErrorOk) return nullptr;
  if (!code.empty()) std::memcpy(views.rw, code.data(), code.size());
  if (munmap(views.rw, mapped_bytes) == 0) return static_cast<std::uint8_t*>(views.rx);
  asmjit::VirtMem::releaseDualMapping(&views, mapped_bytes);
  return nullptr;
}

}  // namespace

Result<CodeMemory> CodeMemory::create(std::span<const std::uint8_t> code, bool unique_addresses) {
  const std::size_t mapped_bytes = round_up_to_pages(std::max<std::size_t>(code.size(), 1));
  std::uint8_t* start = map_private(code, mapped_bytes);
  const int reason = errno;
  if (start == nullptr) start = map_dual(code, mapped_bytes);
  if (start == nullptr) {
    return Error{ErrorCode::kSystem, "no executable memory: " + std::system_category().message(reason)};
  }
  CodeMemory memory(start, mapped_bytes, code.size());
  memory.unique_addresses_ = unique_addresses;
  return memory;
}

CodeMemory::CodeMemory(CodeMemory&& other) noexcept
    : start_(std::exchange(other.start_, nullptr)),
      mapped_bytes_(other.mapped_bytes_),
      code_bytes_(other.code_bytes_),
      unique_addresses_(other.unique_addresses_) {}

CodeMemory& CodeMemory::operator=(CodeMemory&& other) noexcept {
  std::swap(start_, other.start_);
  std::swap(mapped_bytes_, other.mapped_bytes_);
  std::swap(code_bytes_, other.code_bytes_);
  std::swap(unique_addresses_, other.unique_addresses_);
  return *this;
}

CodeMemory::~CodeMemory() {
  if (start_ == nullptr) return;
  const int reserve = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  if (unique_addresses_ && mmap(start_, mapped_bytes_, PROT_NONE, reserve, -1, 0) != MAP_FAILED) return;
  munmap(start_, mapped_bytes_);
}

bool executable_memory_available() {
  static const bool available = [] {
    const std::uint8_t return_instruction[] = {0xC3};
    return CodeMemory::create(return_instruction).ok();
  }();
  return available;
}

}  // namespace relayout::jit
