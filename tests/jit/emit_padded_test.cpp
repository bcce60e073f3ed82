// Networks of padded boxes: padding becomes zeros, and no byte outside the tile is read or written.

#include <algorithm>

#include <gtest/gtest.h>

#include "jit/compiler.hpp"
#include "tests/jit/check_nest.hpp"
#include "tests/jit/decode.hpp"
#include "tests/jit/guarded_tile.hpp"
#include "tests/plan/network/network_checks.hpp"
#include "tests/plan/padding/padded_boxes.hpp"

namespace relayout::jit {
namespace {

using plan::testing::ByteOrigins;
using plan::testing::expected_origins;
using plan::testing::PaddedTile;
using plan::testing::target_of;
using plan::testing::target_that_loads_halves;
using plan::testing::test_seed;
using relayout::testing::expect_tile;
using relayout::testing::find_foreign_instruction;
using relayout::testing::GuardedMemory;
using relayout::testing::kUntouched;
using relayout::testing::nest_of;
using relayout::testing::plan_of;
using Flush = GuardedMemory::Flush;

/// Byte `which` of every source byte's address tells bytes apart; none is zero.
void expect_moved(KernelFunction function, const ByteOrigins& origins, Flush flush, int which) {
  std::int64_t last = 0;
  for (const auto& [to, from] : origins) last = std::max(last, from.value_or(0));
  const GuardedMemory source(static_cast<std::size_t>(last + 1), flush);
  const auto bytes = static_cast<std::size_t>(origins.rbegin()->first + 1);
  for (std::int64_t i = 0; i <= last; ++i)
    source.data()[i] = static_cast<std::uint8_t>(1 + (which == 0 ? i % 255 : i / 255 % 255));
  std::vector<std::uint8_t> expected(bytes, kUntouched);
  for (const auto& [to, from] : origins)
    expected[static_cast<std::size_t>(to)] = from ? source.data()[*from] : 0;
  expect_tile(function, source, expected, flush);
}

/// \param level that the network was made for: it may have instructions that lower ones lack, even with
/// vectors of 32 bytes
void check(const plan::PaddedBox& padded, const PaddedTile& whole, Isa level, int element_bytes) {
  const ByteOrigins origins = expected_origins(padded, whole.tile, element_bytes);
  for (const Isa isa : {Isa::kAvx2, Isa::kAvx512, Isa::kAvx512Vbmi}) {
    if (isa < level) continue;
    const auto code = compile(plan_of(nest_of(plan::PermuteKernel{whole.network}), isa), {.validate = true});
    ASSERT_TRUE(code) << code.error().message;
    EXPECT_EQ(find_foreign_instruction((*code)->bytes().first((*code)->instruction_bytes()), isa),
              std::nullopt);
    if (isa > machine_isa()) continue;
    for (const Flush flush : {Flush::kFront, Flush::kBack})
      for (const int which : {0, 1}) expect_moved((*code)->nests()[0].temporal, origins, flush, which);
  }
}

bool loads_halves(const plan::NetworkTarget& target, const plan::Network& network) {
  return target.split_vectors != plan::SplitVectors::kNever && network.phases.size() == 1 &&
         network.source.piece_bytes() == network.vector_bytes / 2;
}

TEST(EmitPadded, writes_zeros_behind_runs_of_every_length) {
  std::mt19937_64 random(test_seed());
  int halved = 0;
  for (const int element_bytes : {1, 2, 4, 8, 16}) {
    for (std::int64_t places = 2; places * element_bytes <= 128; places *= 2) {
      for (std::int64_t data = places / 8 + 1; data < places; ++data) {
        const bool rows = random() % 2 == 0;
        const plan::Box box = rows ? plan::testing::random_box_of_rows(random, element_bytes, data, places)
                                   : plan::testing::random_box_of_runs(random, element_bytes, data, places);
        const plan::PaddingPiece piece = plan::testing::padding_behind(box, element_bytes, places);
        const auto padded = plan::padded_box(box, std::span(&piece, 1), element_bytes);
        if (!padded) continue;
        SCOPED_TRACE(::testing::Message() << data << " of " << places << " elements of " << element_bytes
                                          << ", seed " << test_seed());
        for (const plan::NetworkTarget& target :
             {target_of(Isa::kAvx2), target_that_loads_halves(), target_of(Isa::kAvx512)}) {
          if (const auto whole = plan::testing::whole_tile(*padded, element_bytes, target)) {
            halved += static_cast<int>(loads_halves(target, whole->network));
            check(*padded, *whole, target.isa, element_bytes);
          }
          if (element_bytes == 16 || rows) continue;
          if (const auto whole = plan::testing::whole_rounded_tile(*padded, element_bytes, target))
            check(*padded, *whole, target.isa, element_bytes);
        }
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GT(halved, 0);
}

}  // namespace
}  // namespace relayout::jit
