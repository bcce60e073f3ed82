#include "src/plan/staging/staged_block.hpp"

#include <variant>

#include <gtest/gtest.h>

#include "src/plan/kernels/kernel_choice.hpp"
#include "tests/plan/kernels/rounded_boxes.hpp"

namespace relayout::plan {
namespace {

using testing::box_of;
using Extents = std::vector<std::int64_t>;

std::optional<StagedBlock> usual_block(const Box& box, std::int64_t element_bytes) {
  return staged_block(box, element_bytes, BlockRoom::usual());
}

TEST(StagedBlock, of_rows_that_follow_one_another_is_one_run) {
  // f32[194,2,512,134][1,3,0,2] to row-major: rows of 536 bytes, lines of 16 elements along the other axis.
  const Box box = box_of({{134, 397312, 4}, {512, 4, 536}, {2, 53239808, 274432}, {194, 2048, 548864}});
  const auto staged = usual_block(box, 4);
  ASSERT_TRUE(staged);
  EXPECT_EQ(staged->extents, (Extents{134, 16, 1, 1}));
  EXPECT_EQ(staged->staging.runs, 1);
  EXPECT_EQ(staged->staging.run_bytes, 134 * 16 * 4);
  ASSERT_EQ(staged->block.axes.size(), 2U);
  EXPECT_EQ(staged->block.axes[1].extent, 16);
  EXPECT_EQ(staged->block.axes[1].destination_stride, 536) << "as at the destination";
}

TEST(StagedBlock, of_a_transpose_is_as_many_runs_as_a_line_has_elements) {
  const auto staged = usual_block(box_of({{5000, 16000, 4}, {4000, 4, 20000}}), 4);
  ASSERT_TRUE(staged);
  EXPECT_EQ(staged->staging.runs, 16);
  EXPECT_EQ(staged->staging.run_stride_bytes, 20000);
  EXPECT_EQ(staged->extents[1], 16);
  EXPECT_EQ(staged->staging.run_bytes, staged->extents[0] * 4);
  EXPECT_LE(staged->staging.run_bytes * 16, 10 * 1024);
  EXPECT_GE(staged->staging.run_bytes * 16, 9 * 1024);
  EXPECT_EQ(staged->staging.scratch_stride_bytes / 64 % 2, 1) << "rows do not share sets";
  EXPECT_GE(staged->staging.scratch_stride_bytes, staged->staging.run_bytes);
  EXPECT_EQ(staged->block.axes[1].destination_stride, staged->staging.scratch_stride_bytes);
}

TEST(StagedBlock, overlaps_the_next_one_along_a_row_that_begins_within_a_line) {
  BlockRoom room = BlockRoom::usual();
  room.overlaps_runs = true;
  const auto staged = staged_block(box_of({{5001, 16000, 4}, {4000, 4, 20004}}), 4, room);
  ASSERT_TRUE(staged);
  EXPECT_EQ(staged->overlap, 16) << "a line";
  EXPECT_EQ(staged->row_axis, 0U);
  const std::int64_t step = staged->extents[0] - 16;
  const std::int64_t blocks = (5001 - 16 + step - 1) / step;
  EXPECT_LT(blocks * step - (5001 - 16), blocks) << "as equal as elements allow";
  EXPECT_LE(staged->staging.run_bytes * 16, 10 * 1024);
  EXPECT_EQ(usual_block(box_of({{5001, 16000, 4}, {4000, 4, 20004}}), 4)->overlap, 0);
  const auto aligned = staged_block(box_of({{5120, 16000, 4}, {4000, 4, 20480}}), 4, room);
  ASSERT_TRUE(aligned);
  EXPECT_EQ(aligned->overlap > 0, aligned->staging.run_bytes % 64 != 0) << "whole lines need no neighbours";
}

TEST(StagedBlock, takes_all_that_lies_in_a_line_to_read) {
  // Four rows next to one another out of (4,1) tiles: 16 bytes a row, and the next column in the same line.
  const auto staged = usual_block(box_of({{4, 1962752, 4}, {451, 16, 16}, {4, 4, 613360}}), 4);
  ASSERT_TRUE(staged);
  EXPECT_EQ(staged->extents[0], 4);
  EXPECT_EQ(staged->extents[2], 4);
  EXPECT_GE(staged->extents[1], 4);
  EXPECT_EQ(staged->staging.runs, 4);
}

TEST(StagedBlock, shares_an_axis_out_evenly) {
  // 25 of 100 rows of 400 bytes, rather than 25, 25 and 25 and then all but nothing.
  const auto staged = usual_block(box_of({{100, 4000, 4}, {101, 400, 400}}), 4);
  ASSERT_TRUE(staged);
  EXPECT_EQ(staged->extents[1], 21) << "five parts of at most 25";
}

TEST(StagedBlock, is_not_made_of_short_runs) {
  EXPECT_FALSE(usual_block(box_of({{40, 4000, 4}, {1000, 4, 320}}), 4)) << "160 bytes";
  EXPECT_FALSE(usual_block(box_of({{1000, 1000, 1}, {1000, 1, 1000}}), 1)) << "64 rows of 160 bytes";
}

TEST(StagedBlock, of_the_large_kind_holds_whole_lines_of_bytes_to_read) {
  const auto staged = staged_block(box_of({{1000, 1000, 1}, {1000, 1, 1000}}), 1, BlockRoom::large());
  ASSERT_TRUE(staged);
  EXPECT_EQ(staged->extents, (Extents{500, 64})) << "halves of rows, of which 640 bytes would have room";
  EXPECT_EQ(staged->staging.runs, 64);
  EXPECT_EQ(staged->staging.run_bytes, 500);
  EXPECT_LE(staged->staging.scratch_bytes(), 56 * 1024);
}

TEST(StagedBlock, of_pairs_of_lines_reads_both_of_each_row) {
  const Box box = box_of({{97, 476416, 8}, {59552, 8, 776}});
  EXPECT_TRUE(reads_pairs_of_lines(box));
  const auto staged = staged_block(box, 8, BlockRoom::pairs_of_lines());
  ASSERT_TRUE(staged);
  EXPECT_EQ(staged->extents, (Extents{97, 16}));
  EXPECT_EQ(staged->staging.runs, 1);
}

TEST(StagedBlock, pairs_of_lines_are_for_rows_that_begin_on_them_or_fill_one) {
  EXPECT_FALSE(reads_pairs_of_lines(box_of({{97, 476416 + 64, 8}, {59560, 8, 776}})))
      << "an odd number of lines";
  EXPECT_FALSE(reads_pairs_of_lines(box_of({{97, 476424, 8}, {59553, 8, 776}}))) << "anywhere";
  EXPECT_TRUE(reads_pairs_of_lines(box_of({{100, 96, 4}, {24, 4, 400}})))
      << "96 bytes, which a line does not hold";
  EXPECT_FALSE(reads_pairs_of_lines(box_of({{100, 160, 4}, {40, 4, 400}})));
  EXPECT_FALSE(reads_pairs_of_lines(box_of({{100, 48, 4}, {12, 4, 400}})));
  Box off = box_of({{97, 476416, 8}, {59552, 8, 776}});
  off.source_base = 8;
  EXPECT_FALSE(reads_pairs_of_lines(off));
}

TEST(StagedBlock, of_equal_parts_reads_short_rows_whole_and_longer_ones_evenly) {
  const auto read_elements = [](const Box& box, std::int64_t element_bytes) {
    const auto staged = staged_block(box, element_bytes, BlockRoom::equal_parts());
    return staged ? staged->extents[1] : 0;
  };
  EXPECT_EQ(read_elements(box_of({{1040, 150, 1}, {150, 1, 1040}}), 1), 150) << "of which 3 lines make 192";
  EXPECT_EQ(read_elements(box_of({{1000, 660, 2}, {330, 2, 2000}}), 2), 112) << "thirds of 110, by 16 bytes";
  EXPECT_EQ(read_elements(box_of({{1000, 256, 4}, {64, 4, 4000}}), 4), 16) << "whole lines";
  EXPECT_EQ(read_elements(box_of({{1000, 1200, 16}, {75, 16, 16000}}), 16), 15) << "fifths";
  EXPECT_EQ(read_elements(box_of({{1000, 2000, 4}, {100, 20, 4000}}), 4), 12) << "of 20 bytes each, ninths";
}

TEST(StagedBlock, lines_overlap_in_rows_that_they_do_not_fill) {
  const auto overlap = [](std::int64_t elements, double least) {
    return do_lines_overlap(box_of({{1000, 4 * elements, 4}, {elements, 4, 4000}}), least);
  };
  EXPECT_TRUE(overlap(24, 0.33)) << "32 bytes of 96";
  EXPECT_FALSE(overlap(24, 0.34));
  EXPECT_TRUE(overlap(100, 0.12)) << "48 bytes of 400";
  EXPECT_FALSE(overlap(100, 0.13));
  EXPECT_FALSE(overlap(16, 0.01)) << "a line";
  EXPECT_FALSE(overlap(12, 0.01)) << "less than one";
  EXPECT_FALSE(overlap(32, 0.01)) << "two of them";
}

TEST(StagedBlock, is_not_made_where_two_axes_lead_from_run_to_run) {
  EXPECT_FALSE(usual_block(box_of({{100, 4096, 4}, {8, 4, 4096}, {8, 32, 65536}}), 4));
}

TEST(StagedBlock, has_groups_of_runs_where_there_is_room_for_two_such_axes) {
  BlockRoom room = BlockRoom::usual();
  room.row_axes = 2;
  const auto staged = staged_block(box_of({{100, 4096, 4}, {8, 4, 4096}, {8, 32, 65536}}), 4, room);
  ASSERT_TRUE(staged);
  EXPECT_EQ(staged->extents, (Extents{100, 8, 2})) << "a line of 16 elements";
  const Staging& staging = staged->staging;
  EXPECT_EQ(staging.runs, 8);
  EXPECT_EQ(staging.run_stride_bytes, 4096);
  EXPECT_EQ(staging.groups, 2);
  EXPECT_EQ(staging.group_stride_bytes, 65536);
  EXPECT_EQ(staging.scratch_stride_bytes, 448);
  EXPECT_EQ(staging.scratch_bytes(), 15 * 448 + 400);
  EXPECT_EQ(staged->block.axes[1].destination_stride, 448);
  EXPECT_EQ(staged->block.axes[2].destination_stride, 8 * 448);
  const Box three = box_of({{100, 8192, 4}, {4, 4, 4096}, {2, 16, 65536}, {2, 32, 262144}});
  EXPECT_FALSE(staged_block(three, 4, room)) << "three axes";
}

TEST(StagedBlock, keeps_whole_axes_that_fit_where_asked_to) {
  // 13 rows of 21 elements of 8 bytes that follow one another on both sides: whole ones go on.
  const Box box = box_of({{13, 168, 8}, {21, 8, 104}, {1000, 2184, 2184}});
  BlockRoom room = BlockRoom::usual();
  EXPECT_EQ(staged_block(box, 8, room)->extents, (Extents{13, 16, 1})) << "two lines of the three";
  room.keeps_whole_axes = true;
  EXPECT_EQ(staged_block(box, 8, room)->extents, (Extents{13, 21, 4}));
}

TEST(StagedBlock, is_not_made_of_ragged_boxes) {
  Box box = box_of({{134, 397312, 4}, {512, 4, 536}});
  ASSERT_TRUE(usual_block(box, 4));
  box.guard_limits.push_back(5);
  EXPECT_FALSE(usual_block(box, 4));
}

/// A nest that fills the block of a box of bytes by copies.
Nest copies_of(const StagedBlock& staged) {
  Nest nest;
  for (std::size_t i = staged.block.axes.size(); i-- > 0;) {
    const Axis& axis = staged.block.axes[i];
    nest.loops.push_back({.trips = axis.extent,
                          .source_step_bytes = axis.source_stride,
                          .destination_step_bytes = axis.destination_stride});
  }
  nest.kernel = CopyKernel{.bytes = 8};
  return nest;
}

TEST(StagedBlock, loops_go_around_it_and_the_last_ones_move_back) {
  Box box = box_of({{134, 397312, 8}, {100, 8, 1072}, {3, 800, 200000}});
  box.source_base = 24;
  box.destination_base = 4096;
  const auto staged = usual_block(box, 8);
  ASSERT_TRUE(staged);
  ASSERT_EQ(staged->extents, (Extents{134, 8, 1}));
  const auto nest = stage(box, *staged, copies_of(*staged), LoopWalk::kBlocked, BlockRoom::usual());
  ASSERT_TRUE(nest);
  EXPECT_EQ(nest->source_base_bytes, 24);
  EXPECT_EQ(nest->destination_base_bytes, 4096);
  ASSERT_EQ(nest->guards.size(), 1U);
  EXPECT_EQ(nest->guards[0].limit, 13);
  EXPECT_EQ(nest->guards[0].source_back_bytes, 4 * 8) << "13 blocks of 8 for 100";
  EXPECT_EQ(nest->guards[0].destination_back_bytes, 4 * 1072);
  ASSERT_TRUE(nest->staging);
  EXPECT_EQ(nest->loops.size() - nest->staging->first_loop, 2U);
  EXPECT_EQ(nest->prefetch_source_bytes, 128) << "the line after the next block's first";
}

TEST(StagedBlock, the_source_is_fetched_along_loops_that_go_on) {
  // Rows of 256 bytes are four blocks, after which the next are 61440 bytes on.
  const Box box = box_of({{12, 5120, 8}, {20, 256, 96}, {32, 8, 1920}, {1143, 61440, 61440}});
  const auto staged = usual_block(box, 8);
  ASSERT_TRUE(staged);
  const auto bytes_ahead = [&](std::int64_t fewest) {
    BlockRoom room = BlockRoom::usual();
    room.fewest_to_fetch_along = fewest;
    const auto nest = stage(box, *staged, copies_of(*staged), LoopWalk::kBlocked, room);
    EXPECT_EQ(nest->loops[nest->staging->first_loop - 1].source_step_bytes, 64);
    return nest->prefetch_source_bytes;
  };
  EXPECT_GE(bytes_ahead(5), 2560);
  EXPECT_EQ(bytes_ahead(4), 128) << "the next block but one, where lines are shared";
}

}  // namespace
}  // namespace relayout::plan
