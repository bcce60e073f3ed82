#include "src/runtime/proof_buffer.hpp"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace relayout::runtime {
namespace {

constexpr std::int64_t kMarginBytes = 64;
constexpr std::int64_t kLineBytes = 64;

std::int64_t page_bytes() {
  return sysconf(_SC_PAGESIZE);
}

}  // namespace

std::string to_string(const Placement& placement) {
  switch (placement.kind) {
    case Placement::Kind::kFrontGuard:
      return "at the front guard";
    case Placement::Kind::kEndGuard:
      return "at the end guard";
    case Placement::Kind::kOffset:
      break;
  }
  return "at offset " + std::to_string(placement.offset_bytes);
}

Result<GuardedMemory> GuardedMemory::allocate(std::int64_t buffer_bytes) {
  const std::int64_t page = page_bytes();
  const std::int64_t needed = buffer_bytes + 2 * kMarginBytes + kLineBytes;
  const std::int64_t body_bytes = (needed + page - 1) / page * page;
  void* mapping = mmap(nullptr, static_cast<std::size_t>(body_bytes + 2 * page), PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) return Error{ErrorCode::kSystem, "no memory for a proof's buffer"};
  GuardedMemory memory(static_cast<std::byte*>(mapping) + page, body_bytes, buffer_bytes);
  if (mprotect(memory.body_, static_cast<std::size_t>(body_bytes), PROT_READ | PROT_WRITE) != 0) {
    return Error{ErrorCode::kSystem, "no memory for a proof's buffer"};
  }
  return memory;
}

GuardedMemory::GuardedMemory(GuardedMemory&& other) noexcept
    : body_(std::exchange(other.body_, nullptr)),
      body_bytes_(other.body_bytes_),
      buffer_bytes_(other.buffer_bytes_) {}

GuardedMemory& GuardedMemory::operator=(GuardedMemory&& other) noexcept {
  std::swap(body_, other.body_);
  std::swap(body_bytes_, other.body_bytes_);
  std::swap(buffer_bytes_, other.buffer_bytes_);
  return *this;
}

GuardedMemory::~GuardedMemory() {
  if (body_ == nullptr) return;
  munmap(body_ - page_bytes(), static_cast<std::size_t>(body_bytes_ + 2 * page_bytes()));
}

std::byte* GuardedMemory::buffer(const Placement& placement) const noexcept {
  switch (placement.kind) {
    case Placement::Kind::kFrontGuard:
      return body_;
    case Placement::Kind::kEndGuard:
      return body_ + body_bytes_ - buffer_bytes_;
    case Placement::Kind::kOffset:
      break;
  }
  return body_ + kMarginBytes + placement.offset_bytes % kLineBytes;
}

void GuardedMemory::fill(std::byte value) noexcept {
  std::memset(body_, std::to_integer<int>(value), static_cast<std::size_t>(body_bytes_));
}

std::optional<std::int64_t> GuardedMemory::changed_margin_byte(const Placement& placement,
                                                               std::byte value) const noexcept {
  const std::byte* start = buffer(placement);
  const auto differs = [value](std::byte byte) { return byte != value; };
  const std::byte* before = std::find_if(static_cast<const std::byte*>(body_), start, differs);
  if (before != start) return before - start;
  const std::byte* end = body_ + body_bytes_;
  const std::byte* after = std::find_if(start + buffer_bytes_, end, differs);
  if (after != end) return after - start;
  return std::nullopt;
}

}  // namespace relayout::runtime
