#include "src/plan/tiles/tile_rows.hpp"

#include <gtest/gtest.h>

namespace relayout::plan {
namespace {

TEST(TileRows, are_runs_of_lanes_and_registers_that_follow_one_another) {
  Side side;
  side.lane_stride_bytes = {1, 2, 4, 8, 4096};
  side.register_stride_bytes = {12288, 16, 32};
  const TileRows rows = tile_rows(side);
  EXPECT_EQ(rows.run_bytes, 64) << "1 to 32 bytes";
  EXPECT_EQ(rows.count, 4);
  EXPECT_EQ(rows.apart_bytes, 4096);
}

TEST(TileRows, may_go_backwards) {
  Side side;
  side.lane_stride_bytes = {1, 2, 4, 8, 16};
  side.register_stride_bytes = {-96, 64};
  EXPECT_EQ(tile_rows(side).run_bytes, 32);
  EXPECT_EQ(tile_rows(side).count, 4);
  EXPECT_EQ(tile_rows(side).apart_bytes, 32);
}

TEST(TileRows, of_a_tile_in_one_run_are_one) {
  Side side;
  side.lane_stride_bytes = {1, 2, 4, 8, 16};
  side.register_stride_bytes = {32, 0};  // the other half of each byte
  EXPECT_EQ(tile_rows(side).run_bytes, 64);
  EXPECT_EQ(tile_rows(side).count, 1);
  EXPECT_EQ(tile_rows(side).apart_bytes, 0);
}

}  // namespace
}  // namespace relayout::plan
