// Networks of padded boxes: padding becomes zeros, and no byte outside the tile is read or written.

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/jit/check_network.hpp"
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
using relayout::testing::check_network;

void check(const plan::PaddedBox& padded, const PaddedTile& whole, Isa level, int element_bytes) {
  const ByteOrigins origins = expected_origins(padded, whole.tile, element_bytes);
  std::int64_t last = 0;
  for (const auto& [to, from] : origins) last = std::max(last, from.value_or(0));
  check_network(whole.network, level, origins, last + 1);
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
