// Networks of gapped boxes: what lies between groups is read with them, and no byte outside the tile's groups
// is written.

#include <algorithm>

#include <gtest/gtest.h>

#include "jit/compiler.hpp"
#include "tests/jit/check_nest.hpp"
#include "tests/jit/decode.hpp"
#include "tests/jit/guarded_tile.hpp"
#include "tests/plan/network/network_checks.hpp"
#include "tests/plan/padding/gapped_boxes.hpp"

namespace relayout::jit {
namespace {

using plan::testing::GappedTile;
using plan::testing::last_rows;
using plan::testing::source_bytes_of;
using plan::testing::target_of;
using plan::testing::target_that_loads_halves;
using plan::testing::whole_groups;
using plan::testing::written_from;
using relayout::testing::expect_tile;
using relayout::testing::find_foreign_instruction;
using relayout::testing::GuardedMemory;
using relayout::testing::kUntouched;
using relayout::testing::nest_of;
using relayout::testing::plan_of;
using Flush = GuardedMemory::Flush;

/// \param which byte of each source byte's address tells it from others
void expect_written(KernelFunction function, const std::map<std::int64_t, std::int64_t>& origins,
                    std::int64_t source_bytes, Flush flush, int which) {
  const GuardedMemory source(static_cast<std::size_t>(source_bytes), flush);
  for (std::int64_t i = 0; i < source_bytes; ++i)
    source.data()[i] = static_cast<std::uint8_t>(1 + (which == 0 ? i % 255 : i / 255 % 255));
  std::vector<std::uint8_t> expected(static_cast<std::size_t>(origins.rbegin()->first + 1), kUntouched);
  for (const auto& [to, from] : origins) expected[static_cast<std::size_t>(to)] = source.data()[from];
  expect_tile(function, source, expected, flush);
}

/// What a tile's rows at the source span, its last group's gap included.
std::int64_t tile_bytes(const plan::GappedBox& gapped, const plan::MicroTile& tile,
                        std::int64_t element_bytes) {
  std::int64_t bytes = element_bytes;
  for (std::size_t i = 0; i < tile.extents.size(); ++i)
    bytes += (tile.extents[i] - 1) * gapped.box.axes[i].source_stride;
  return bytes;
}

void check(const plan::GappedBox& gapped, const GappedTile& whole, Isa level, int element_bytes) {
  const auto origins = written_from(gapped, whole.tile, element_bytes);
  for (const Isa isa : {Isa::kAvx2, Isa::kAvx512, Isa::kAvx512Vbmi}) {
    if (isa < level) continue;
    const auto code = compile(plan_of(nest_of(plan::PermuteKernel{whole.network}), isa), {.validate = true});
    ASSERT_TRUE(code) << code.error().message;
    EXPECT_EQ(find_foreign_instruction((*code)->bytes().first((*code)->instruction_bytes()), isa),
              std::nullopt);
    if (isa > machine_isa()) continue;
    for (const Flush flush : {Flush::kFront, Flush::kBack})
      for (const int which : {0, 1})
        expect_written((*code)->nests()[0].temporal, origins, tile_bytes(gapped, whole.tile, element_bytes),
                       flush, which);
  }
}

TEST(EmitGapped, writes_the_rows_that_there_are_of_every_group) {
  int made = 0;
  for (const int element_bytes : {1, 2}) {
    for (std::int64_t places = 2; places * element_bytes <= 8; places *= 2) {
      for (std::int64_t rows = 1; rows < places; ++rows) {
        const plan::Box box = last_rows(rows, places, 40, 64, element_bytes);
        const auto gapped = plan::gapped_box(box, element_bytes, source_bytes_of(box, places, element_bytes));
        ASSERT_TRUE(gapped);
        SCOPED_TRACE(::testing::Message()
                     << rows << " of " << places << " places of " << element_bytes << " bytes");
        for (const plan::NetworkTarget& target : {target_of(Isa::kAvx2), target_that_loads_halves(),
                                                  target_of(Isa::kAvx512), target_of(Isa::kAvx512Vbmi)}) {
          const auto whole = whole_groups(*gapped, element_bytes, target);
          ASSERT_TRUE(whole);
          check(*gapped, *whole, target.isa, element_bytes);
          ++made;
        }
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_EQ(made, 4 * (1 + 3 + 7 + 1 + 3));
}

}  // namespace
}  // namespace relayout::jit
