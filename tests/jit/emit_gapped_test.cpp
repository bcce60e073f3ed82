// Networks of gapped boxes: what lies between groups is read with them, and no byte outside the tile's groups
// is written.

#include <gtest/gtest.h>

#include "tests/jit/check_network.hpp"
#include "tests/plan/network/network_checks.hpp"
#include "tests/plan/padding/gapped_boxes.hpp"

namespace relayout::jit {
namespace {

using plan::testing::last_rows;
using plan::testing::source_bytes_of;
using plan::testing::target_of;
using plan::testing::target_that_loads_halves;
using plan::testing::whole_groups;
using plan::testing::written_from;
using relayout::testing::check_network;

/// What a tile's rows at the source span, its last group's gap included.
std::int64_t tile_bytes(const plan::GappedBox& gapped, const plan::MicroTile& tile,
                        std::int64_t element_bytes) {
  std::int64_t bytes = element_bytes;
  for (std::size_t i = 0; i < tile.extents.size(); ++i)
    bytes += (tile.extents[i] - 1) * gapped.box.axes[i].source_stride;
  return bytes;
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
          check_network(whole->network, target.isa, written_from(*gapped, whole->tile, element_bytes),
                        tile_bytes(*gapped, whole->tile, element_bytes));
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
