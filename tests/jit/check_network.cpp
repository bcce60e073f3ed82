#include "tests/jit/check_network.hpp"

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "jit/compiler.hpp"
#include "tests/jit/check_nest.hpp"
#include "tests/jit/decode.hpp"
#include "tests/jit/guarded_tile.hpp"

namespace relayout::testing {
namespace {

using plan::testing::ByteOrigins;
using Flush = GuardedMemory::Flush;

/// Byte `which` of every source byte's address tells bytes apart; none is zero.
void expect_moved(jit::KernelFunction function, const ByteOrigins& origins, std::int64_t source_bytes,
                  Flush flush, int which) {
  const GuardedMemory source(static_cast<std::size_t>(source_bytes), flush);
  for (std::int64_t i = 0; i < source_bytes; ++i)
    source.data()[i] = static_cast<std::uint8_t>(1 + (which == 0 ? i % 255 : i / 255 % 255));
  std::vector<std::uint8_t> expected(static_cast<std::size_t>(origins.rbegin()->first + 1), kUntouched);
  for (const auto& [to, from] : origins)
    expected[static_cast<std::size_t>(to)] = from ? source.data()[*from] : 0;
  expect_tile(function, source, expected, flush);
}

}  // namespace

void check_network(const plan::Network& network, Isa level, const ByteOrigins& origins,
                   std::int64_t source_bytes, bool under_masks) {
  for (const Isa isa : plan::testing::kVectorIsas) {
    if (isa < level) continue;
    plan::Plan plan = plan_of(nest_of(plan::PermuteKernel{network}), isa);
    plan.nests.front().under_masks = under_masks;
    const auto code = jit::compile(plan, {.validate = true});
    ASSERT_TRUE(code) << code.error().message;
    EXPECT_EQ(find_foreign_instruction((*code)->bytes().first((*code)->instruction_bytes()), isa),
              std::nullopt);
    if (isa > machine_isa()) continue;
    for (const Flush flush : {Flush::kFront, Flush::kBack})
      for (const int which : {0, 1})
        expect_moved((*code)->nests()[0].temporal, origins, source_bytes, flush, which);
  }
}

}  // namespace relayout::testing
