#include "tests/jit/guarded_tile.hpp"

#include <cstring>

#include <gtest/gtest.h>

namespace relayout::testing {

void expect_tile(jit::KernelFunction function, const GuardedMemory& source,
                 const std::vector<std::uint8_t>& expected, GuardedMemory::Flush flush) {
  const GuardedMemory destination(expected.size(), flush);
  std::memset(destination.data(), kUntouched, expected.size());
  std::vector<std::uint8_t> scratch(16384);
  function(source.data(), destination.data(), 0, 1, scratch.data());
  EXPECT_EQ(std::memcmp(expected.data(), destination.data(), expected.size()), 0);
}

}  // namespace relayout::testing
