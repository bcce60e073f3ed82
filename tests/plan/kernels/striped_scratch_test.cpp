#include "src/plan/kernels/striped_scratch.hpp"

#include <gtest/gtest.h>

#include "src/plan/model/scratch.hpp"
#include "tests/plan/network/network_checks.hpp"

namespace relayout::plan {
namespace {

/// Of a tile of 64 x 64 bytes whose rows to write are `apart` bytes from one another.
Network striped(std::int64_t apart, int level1_data_ways = 8) {
  Network network =
      *synthesize(testing::target_of(Isa::kAvx2), 1, testing::tile_of(1, {{6, 1, apart}, {6, 128, 1}}));
  stripe_scratch(network, Target{.level1_data_ways = level1_data_ways});
  return network;
}

TEST(StripedScratch, has_stripes_of_half_of_what_all_rows_are_multiples_of) {
  EXPECT_EQ(striped(4096).scratch_stripes.bytes, 2048);
  EXPECT_EQ(striped(3 * 8192).scratch_stripes.bytes, 2048) << "sets repeat after a page";
  EXPECT_EQ(striped(6144).scratch_stripes.bytes, 1024);
  EXPECT_EQ(striped(5120).scratch_stripes.bytes, 512);
}

TEST(StripedScratch, is_in_one_piece_where_rows_spread_over_the_sets) {
  for (const std::int64_t apart : {4096 + 64, 4096 + 512, 4096 + 256}) {
    EXPECT_EQ(striped(apart).scratch_stripes.bytes, 0) << apart;
    EXPECT_EQ(striped(apart).scratch_bytes, 4096) << apart;
  }
  EXPECT_EQ(striped(5120, 16).scratch_stripes.bytes, 0) << "16 of 64 lines fall into each set of 16 ways";
  EXPECT_EQ(striped(6144, 16).scratch_stripes.bytes, 1024);
}

TEST(StripedScratch, fits_into_what_a_call_has) {
  for (const std::int64_t apart : {4096, 2048, 1024}) {
    const Network network = striped(apart);
    EXPECT_LE(network.scratch_bytes, static_cast<std::int64_t>(kUsualScratchBytes));
    EXPECT_GE(network.scratch_bytes, 4096 + network.scratch_stripes.bytes) << "wherever it begins";
  }
  Network large =
      *synthesize(testing::target_of(Isa::kAvx2), 1, testing::tile_of(1, {{6, 1, 4096}, {7, 128, 1}}));
  stripe_scratch(large, Target{});
  EXPECT_EQ(large.scratch_stripes.bytes, 0) << "8 KiB would need 18";
}

TEST(StripedScratch, is_not_made_where_there_is_none) {
  Network network =
      *synthesize(testing::target_of(Isa::kAvx2), 8, testing::tile_of(8, {{2, 1, 512}, {2, 512, 1}}));
  ASSERT_EQ(network.scratch_bytes, 0);
  stripe_scratch(network, Target{});
  EXPECT_EQ(network.scratch_bytes, 0);
}

}  // namespace
}  // namespace relayout::plan
