#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace relayout::testing {

/// `bytes` bytes whose values differ from their neighbours' in every position of an element: byte b is a hash
/// of b.
inline std::vector<std::byte> scrambled_bytes(std::int64_t bytes) {
  std::vector<std::byte> buffer(static_cast<std::size_t>(bytes));
  std::uint64_t state = 0x9E37'79B9'7F4A'7C15u;
  for (std::byte& byte : buffer) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    byte = static_cast<std::byte>(state >> 56);
  }
  return buffer;
}

}  // namespace relayout::testing
