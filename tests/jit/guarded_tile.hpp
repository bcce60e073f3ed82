#pragma once

#include <cstdint>
#include <vector>

#include "jit/compiler.hpp"
#include "tests/jit/guarded_memory.hpp"

namespace relayout::testing {

/// What destination bytes hold before a tile is moved.
inline constexpr std::uint8_t kUntouched = 0xA5;

/// Runs the code of one tile into a destination between inaccessible pages, of the size of `expected`, and
/// expects these bytes.
void expect_tile(jit::KernelFunction function, const GuardedMemory& source,
                 const std::vector<std::uint8_t>& expected, GuardedMemory::Flush flush);

}  // namespace relayout::testing
