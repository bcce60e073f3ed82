#pragma once

#include <cstdint>

namespace relayout::plan {

/// Bytes of a cache line, the same on every x86-64 processor; a Target's line_bytes may be set by hand.
constexpr std::int64_t kLineBytes = 64;

}  // namespace relayout::plan
