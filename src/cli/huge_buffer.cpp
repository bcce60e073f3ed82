#include "src/cli/huge_buffer.hpp"

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <string>
#include <sys/mman.h>
#include <utility>

namespace relayout::cli {
namespace {

constexpr std::size_t kHugePageBytes = std::size_t{2} << 20;

std::size_t rounded_up(std::size_t bytes) {
  return (bytes + kHugePageBytes - 1) / kHugePageBytes * kHugePageBytes;
}

/// A mapping of `bytes`, a multiple of the huge page, that starts on one; null if there is no memory.
std::byte* map_aligned(std::size_t bytes) {
  const std::size_t room_bytes = bytes + kHugePageBytes;
  void* room = mmap(nullptr, room_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) return nullptr;
  auto* start = static_cast<std::byte*>(room);
  const std::size_t before =
      rounded_up(reinterpret_cast<std::uintptr_t>(start)) - reinterpret_cast<std::uintptr_t>(start);
  if (before > 0) munmap(start, before);
  if (before < kHugePageBytes) munmap(start + before + bytes, kHugePageBytes - before);
  return start + before;
}

/// Every word different, so that no page is shared or compressed and a wrong copy shows.
void fill_pseudo_random(std::byte* start, std::size_t bytes) {
  std::uint64_t state = HugeBuffer::kSeed;
  for (std::size_t i = 0; i + sizeof state <= bytes; i += sizeof state) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    std::memcpy(start + i, &state, sizeof state);
  }
}

/// Kibibytes of a line such as `Rss:    2048 kB` of smaps.
std::uint64_t kib_of(const std::string& line) {
  std::uint64_t kib = 0;
  const auto colon = line.find(':');
  if (colon != std::string::npos) std::sscanf(line.c_str() + colon + 1, "%" SCNu64, &kib);
  return kib;
}

/// Whether `line` opens the part of smaps on the mapping that holds `address`; nothing is changed by other
/// lines.
void update_inside(const std::string& line, std::uintptr_t address, bool& inside) {
  std::uintptr_t first = 0;
  std::uintptr_t last = 0;
  if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " ", &first, &last) == 2) {
    inside = first <= address && address < last;
  }
}

}  // namespace

Result<HugeBuffer> HugeBuffer::allocate(std::size_t size_bytes, std::size_t offset_bytes) {
  HugeBuffer buffer;
  buffer.mapping_bytes_ = rounded_up(size_bytes + offset_bytes + 1);
  buffer.mapping_ = map_aligned(buffer.mapping_bytes_);
  if (buffer.mapping_ == nullptr) {
    return Error{ErrorCode::kSystem, fmt::format("no memory for a buffer of {} bytes", size_bytes)};
  }
  madvise(buffer.mapping_, buffer.mapping_bytes_, MADV_HUGEPAGE);
  fill_pseudo_random(buffer.mapping_, buffer.mapping_bytes_);
  buffer.data_ = buffer.mapping_ + offset_bytes;
  buffer.size_bytes_ = size_bytes;
  return buffer;
}

HugeBuffer::HugeBuffer(HugeBuffer&& other) noexcept {
  *this = std::move(other);
}

HugeBuffer& HugeBuffer::operator=(HugeBuffer&& other) noexcept {
  std::swap(mapping_, other.mapping_);
  std::swap(mapping_bytes_, other.mapping_bytes_);
  std::swap(data_, other.data_);
  std::swap(size_bytes_, other.size_bytes_);
  return *this;
}

HugeBuffer::~HugeBuffer() {
  if (mapping_ != nullptr) munmap(mapping_, mapping_bytes_);
}

int HugeBuffer::page_kib() const {
  std::ifstream smaps("/proc/self/smaps");
  const auto address = reinterpret_cast<std::uintptr_t>(mapping_);
  bool inside = false;
  std::uint64_t resident_kib = 0;
  for (std::string line; std::getline(smaps, line);) {
    update_inside(line, address, inside);
    if (!inside) continue;
    if (line.rfind("Rss:", 0) == 0) resident_kib = kib_of(line);
    if (line.rfind("AnonHugePages:", 0) == 0)
      return resident_kib > 0 && kib_of(line) >= resident_kib ? 2048 : 4;
  }
  return 4;
}

}  // namespace relayout::cli
