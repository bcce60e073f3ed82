#include "src/plan/boxes/spread_units.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <variant>

#include <gtest/gtest.h>

#include "tests/plan/kernels/rounded_boxes.hpp"
#include "tests/plan/network/network_checks.hpp"
#include "tests/plan/plans.hpp"

namespace relayout::plan {
namespace {

using testing::box_of;
using testing::random_units;
using testing::spread_network;

TEST(SpreadUnits, moves_every_byte_of_random_tiles_once_and_nothing_else) {
  std::mt19937_64 random(testing::test_seed());
  std::map<Isa, int> found;
  for (int i = 0; i < 600; ++i) {
    const auto [box, element_bytes, tile] = random_units(random);
    if (!tile) continue;
    std::map<std::int64_t, std::int64_t> expected;
    for (const auto& move : testing::moves_of(box, *tile, element_bytes))
      expected[move.destination] = move.source;
    for (const NetworkTarget& target : testing::targets_of_all_widths()) {
      const auto network = spread_network(box, *tile, target);
      if (!network) continue;
      const bool is_customary = target.vector_bytes == testing::target_of(target.isa).vector_bytes;
      if (is_customary && target.split_vectors == SplitVectors::kNever) ++found[target.isa];
      EXPECT_EQ(testing::moves_of(*network), expected)
          << to_string(*network) << "seed " << testing::test_seed();
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(found[Isa::kAvx2], 100);
  EXPECT_GE(found[Isa::kAvx512], found[Isa::kAvx2]);
  EXPECT_GE(found[Isa::kAvx512Vbmi], found[Isa::kAvx512]);
}

TEST(SpreadUnits, takes_one_instruction_a_vector_by_bytes_or_within_lanes_else_two) {
  const auto stages = [](Isa isa, std::int64_t units) {
    const std::int64_t run_bytes = 4 * units;
    const Box box = box_of({{3, 1, 1}, {100, 3, 3003}, {100, 1200, 3}});
    const auto tile = rounded_tile(box, 1, {{run_bytes, run_bytes}, kMostRoundedBytes, 7});
    EXPECT_TRUE(tile);
    auto plain = synthesize(testing::target_of(isa), 4, rounded_tile_bits(*tile));
    EXPECT_TRUE(plain);
    const std::size_t before = plain->stages.size();
    EXPECT_TRUE(spread_units(*plain, 3, testing::target_of(isa)));
    return plain->stages.size() - before;
  };
  EXPECT_EQ(stages(Isa::kAvx512Vbmi, 16), 2U);
  EXPECT_EQ(stages(Isa::kAvx512, 16), 4U);
  EXPECT_EQ(stages(Isa::kAvx2, 8), 4U);
  EXPECT_EQ(stages(Isa::kAvx2, 4), 2U);
  EXPECT_EQ(instructions_to_spread(16, Isa::kAvx2), 1);
  EXPECT_EQ(instructions_to_spread(32, Isa::kAvx2), 2);
  EXPECT_EQ(instructions_to_spread(64, Isa::kAvx512Vbmi), 1);
}

TEST(SpreadUnits, pass_lanes_only_in_whole_granules) {
  EXPECT_EQ(longest_closed_piece({3, 4}, 32, Isa::kAvx2), 32) << "12 bytes a lane";
  EXPECT_EQ(longest_closed_piece({6, 8}, 32, Isa::kAvx2), 32);
  EXPECT_EQ(longest_closed_piece({5, 8}, 32, Isa::kAvx2), 16) << "10 bytes, no dwords";
  EXPECT_EQ(longest_closed_piece({5, 8}, 64, Isa::kAvx512), 64) << "words";
  EXPECT_EQ(longest_closed_piece({13, 16}, 64, Isa::kAvx512), 16);
  EXPECT_EQ(longest_closed_piece({13, 16}, 64, Isa::kAvx512Vbmi), 64);
  EXPECT_TRUE(can_spread_units({5, 8}, 32, Isa::kAvx2)) << "the second lane's are in dwords 2 to 4";
  EXPECT_FALSE(can_spread_units({15, 16}, 32, Isa::kAvx2)) << "in dwords 3 to 7";
  EXPECT_TRUE(can_spread_units({15, 16}, 16, Isa::kAvx2));
}

TEST(SpreadUnits, need_registers_for_their_tables) {
  const Box box = box_of({{3, 1, 1}, {100, 3, 3003}, {100, 1200, 3}});
  const auto tile = rounded_tile(box, 1, {{32, 32}, kMostRoundedBytes, 7});
  ASSERT_TRUE(tile);
  auto network = synthesize(testing::target_of(Isa::kAvx2), 4, rounded_tile_bits(*tile));
  ASSERT_TRUE(network);
  network->phases.front().half_by_half = true;
  EXPECT_FALSE(spread_units(*network, 3, testing::target_of(Isa::kAvx2)));
}

std::string kernel_for(const char* model, Isa isa, const char* source, const char* destination) {
  const std::string notes = notes_of(plan_for(model, problem_of(source, destination), isa));
  const std::size_t begin = notes.find("chosen: ");
  return notes.substr(begin, notes.find('\n', begin) - begin);
}

TEST(SpreadUnits, move_pixels_of_three_bytes_in_rows_of_them) {
  for (const char* const model : {"zen", "zen3", "zen4", "zen5", "intel", "golden_cove"}) {
    for (const Isa isa : testing::kVectorIsas) {
      EXPECT_NE(kernel_for(model, isa, "u8[512,512,3]", "[1, 0, 2]").find("units of 3 bytes spread to 4"),
                std::string::npos)
          << model << kernel_for(model, isa, "u8[512,512,3]", "[1, 0, 2]");
    }
  }
}

TEST(SpreadUnits, of_5_and_7_bytes_are_written_lane_by_lane_at_avx2) {
  for (const char* const source : {"u8[512,512,5]", "u8[512,512,7]"}) {
    const Nest nest = first_nest_for("golden_cove", source, "[1, 0, 2]", Isa::kAvx2);
    const auto* permute = std::get_if<PermuteKernel>(&nest.kernel);
    ASSERT_NE(permute, nullptr) << source;
    EXPECT_EQ(permute->network.destination.piece_bytes(), 16) << source;
    EXPECT_EQ(permute->network.source.piece_bytes(), 32) << source;
  }
}

TEST(SpreadUnits, of_more_than_eight_bytes_are_spread_where_that_was_measured_to_pay) {
  const auto spreads = [](const char* model, Isa isa) {
    return kernel_for(model, isa, "bf16[64,64,7]", "[1, 0, 2]").find("spread to 16") != std::string::npos;
  };
  EXPECT_TRUE(spreads("golden_cove", Isa::kAvx512Vbmi));
  EXPECT_FALSE(spreads("golden_cove", Isa::kAvx512));
  EXPECT_FALSE(spreads("zen", Isa::kAvx512Vbmi));
}

}  // namespace
}  // namespace relayout::plan
