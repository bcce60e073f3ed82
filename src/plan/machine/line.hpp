#pragma once

#include <cstdint>

namespace relayout::plan {

/// Bytes of a cache line, the same on every x86-64 processor; a Target's line_bytes may be set by hand.
constexpr std::int64_t kLineBytes = 64;

/// So many bytes or, if lines do not divide them, the next multiple of a line.
constexpr std::int64_t whole_lines(std::int64_t bytes) {
  return (bytes + kLineBytes - 1) / kLineBytes * kLineBytes;
}

/// The number of the line that has a byte, rounded down also before the first one.
constexpr std::int64_t line_of(std::int64_t offset_bytes) {
  const std::int64_t line = offset_bytes / kLineBytes;
  return offset_bytes % kLineBytes < 0 ? line - 1 : line;
}

}  // namespace relayout::plan
