#include "src/runtime/buffers.hpp"

#include <cstdint>
#include <string>

namespace relayout::runtime {
namespace {

Status check_size(std::string_view side, std::int64_t needed, std::size_t given) {
  if (static_cast<std::int64_t>(given) >= needed) return {};
  return Error{ErrorCode::kBufferTooSmall, "the " + std::string(side) + " buffer has " +
                                               std::to_string(given) + " bytes, the layout needs " +
                                               std::to_string(needed)};
}

}  // namespace

Status check_buffers(const Layout& source, const Layout& destination,
                     std::span<const std::byte> source_buffer, std::span<std::byte> destination_buffer) {
  if (auto status = check_size("source", source.size_bytes(), source_buffer.size()); !status) return status;
  if (auto status = check_size("destination", destination.size_bytes(), destination_buffer.size()); !status) {
    return status;
  }
  const auto from = reinterpret_cast<std::uintptr_t>(source_buffer.data());
  const auto to = reinterpret_cast<std::uintptr_t>(destination_buffer.data());
  const bool apart = from + static_cast<std::uintptr_t>(source.size_bytes()) <= to ||
                     to + static_cast<std::uintptr_t>(destination.size_bytes()) <= from;
  if (apart || source.size_bytes() == 0 || destination.size_bytes() == 0) return {};
  return Error{ErrorCode::kBufferOverlap, "source and destination buffers overlap"};
}

}  // namespace relayout::runtime
