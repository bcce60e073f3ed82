#include "src/runtime/proof_numbering.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace relayout::runtime {

int ByteNumbering::levels() const noexcept {
  const auto largest = static_cast<std::uint64_t>(std::max<std::int64_t>(map_.source_bytes - 1, 0));
  return std::max(1, (static_cast<int>(std::bit_width(largest)) + 7) / 8);
}

void ByteNumbering::write_source(int level, std::byte* source) const {
  for (std::int64_t byte = 0; byte < map_.source_bytes; ++byte) {
    source[byte] = static_cast<std::byte>(byte >> (8 * level));
  }
}

void ByteNumbering::write_expected(int level, std::byte untouched, std::byte* destination) const {
  const std::int64_t width = map_.element_bytes;
  std::vector<std::byte> padding(static_cast<std::size_t>(width), map_.fill ? std::byte{0} : untouched);
  if (map_.fill && !map_.fill->empty()) padding = *map_.fill;
  for (const std::int64_t element : map_.source_of_destination) {
    if (element < 0) {
      std::memcpy(destination, padding.data(), static_cast<std::size_t>(width));
    } else {
      for (std::int64_t byte = 0; byte < width; ++byte) {
        destination[byte] = static_cast<std::byte>((element * width + byte) >> (8 * level));
      }
    }
    destination += width;
  }
}

std::string ByteNumbering::describe(std::int64_t destination_byte, int level) const {
  const std::int64_t width = map_.element_bytes;
  const std::int64_t element = map_.source_of_destination[static_cast<std::size_t>(destination_byte / width)];
  if (element < 0) return "padding";
  return "byte " + std::to_string(level) + " of the number of source byte " +
         std::to_string(element * width + destination_byte % width);
}

}  // namespace relayout::runtime
