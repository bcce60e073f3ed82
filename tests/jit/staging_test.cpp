// Nests whose innermost loops write to a scratch that is copied out in runs.

#include <algorithm>

#include <gtest/gtest.h>

#include "jit/compiler.hpp"
#include "tests/jit/check_nest.hpp"
#include "tests/jit/decode.hpp"

namespace relayout::testing {
namespace {

plan::Loop counted(std::int64_t trips, std::int64_t source_step_bytes, std::int64_t destination_step_bytes) {
  return {.trips = trips,
          .source_step_bytes = source_step_bytes,
          .destination_step_bytes = destination_step_bytes};
}

plan::Loop guarded(plan::Loop loop, int guard) {
  loop.guard = guard;
  loop.guard_step = 1;
  return loop;
}

/// A nest whose loops from the second on fill one run.
plan::Nest staged(std::vector<plan::Loop> loops, plan::Kernel kernel, std::int64_t run_bytes) {
  plan::Nest nest;
  nest.loops = std::move(loops);
  nest.kernel = std::move(kernel);
  nest.staging = plan::Staging{.first_loop = 1, .run_bytes = run_bytes, .next_bytes = 1 << 20};
  return nest;
}

/// Several runs, 1000 bytes apart at the destination.
void lay_apart(plan::Nest& nest, std::int64_t runs, std::int64_t scratch_stride_bytes,
               std::int64_t scratch_offset_bytes) {
  nest.staging->runs = runs;
  nest.staging->run_stride_bytes = 1000;
  nest.staging->scratch_stride_bytes = scratch_stride_bytes;
  nest.staging->scratch_offset_bytes = scratch_offset_bytes;
}

plan::Kernel copy_of(std::int64_t bytes) {
  plan::CopyKernel kernel;
  kernel.bytes = bytes;
  return kernel;
}

void expect_right_with_every_policy(plan::Nest nest) {
  for (const auto policy : {plan::StorePolicy::kTemporal, plan::StorePolicy::kStreamingRuns}) {
    nest.store = policy;
    expect_moves_as_the_naive_loop(nest);
  }
}

TEST(Staging, example_puts_rows_together_before_they_are_written) {
  // Nine blocks of a row of 37 pieces of 5 bytes.
  expect_right_with_every_policy(staged({counted(9, 5, 185), counted(37, 45, 5)}, copy_of(5), 185));
}

TEST(Staging, leaves_in_several_runs_which_lie_apart) {
  // Five rows of 150 bytes each, 1000 apart, a block at a time; 192 apart in the scratch.
  plan::Nest nest =
      staged({counted(6, 150, 150), counted(5, 900, 192), counted(10, 15, 15)}, copy_of(15), 150);
  lay_apart(nest, 5, 192, 128);
  expect_right_with_every_policy(nest);
}

TEST(Staging, leaves_in_groups_of_runs) {
  // The same five rows in three groups, 20000 apart; also groups of a single run.
  for (const std::int64_t rows : {5, 1}) {
    plan::Nest nest = staged(
        {counted(6, 150, 150), counted(3, 5400, rows * 192), counted(rows, 900, 192), counted(10, 15, 15)},
        copy_of(15), 150);
    lay_apart(nest, rows, 192, 128);
    nest.staging->groups = 3;
    nest.staging->group_stride_bytes = 20000;
    expect_right_with_every_policy(nest);
  }
}

TEST(Staging, leaves_with_the_background_of_its_scratch) {
  // Rows of 76 bytes in 96, seven a block, in one run; three runs of two rows; a scratch of 6 KiB.
  plan::Nest rows = staged({counted(5, 532, 672), counted(7, 76, 96)}, copy_of(76), 672);
  rows.staging->background = {0, 0, 0, 0};
  expect_right_with_every_policy(rows);
  plan::Nest runs =
      staged({counted(4, 152, 192), counted(3, 608, 320), counted(2, 76, 96)}, copy_of(76), 192);
  lay_apart(runs, 3, 320, 64);
  runs.staging->background = {0};
  expect_right_with_every_policy(runs);
  plan::Nest large = staged({counted(3, 64 * 76, 6144), counted(64, 76, 96)}, copy_of(76), 6144);
  large.staging->background = {0, 0};
  expect_right_with_every_policy(large);
}

TEST(Staging, fetches_the_source_as_its_runs_leave) {
  const auto fetches = [](plan::Nest nest) -> std::int64_t {
    nest.store = plan::StorePolicy::kStreamingRuns;
    const auto code = jit::compile(plan_of(nest, Isa::kAvx2));
    return code ? std::ranges::count(mnemonics(code.value()->bytes()), "prefetcht1") : -1;
  };
  plan::Nest nest = staged({counted(9, 5, 185), counted(37, 45, 5)}, copy_of(5), 185);
  EXPECT_EQ(fetches(nest), 0);
  nest.staging->fetch_bytes = 300;
  EXPECT_EQ(fetches(nest), 2) << "a whole line of 185 bytes, and one that not every run has";
  expect_right_with_every_policy(nest);
  // Several runs and groups of them; what is fetched past the buffers' ends is never read.
  for (const std::int64_t groups : {1, 3}) {
    plan::Nest runs = staged(
        {counted(6, 150, 150), counted(groups, 5400, 5 * 192), counted(5, 900, 192), counted(10, 15, 15)},
        copy_of(15), 150);
    lay_apart(runs, 5, 192, 128);
    runs.staging->groups = groups;
    runs.staging->group_stride_bytes = 20000;
    runs.staging->fetch_bytes = std::int64_t{1} << 40;
    expect_right_with_every_policy(runs);
  }
}

TEST(Staging, fills_the_background_before_there_is_a_mask) {
  plan::Nest rows = staged({counted(5, 512, 672), counted(7, 64, 96)}, copy_of(64), 672);
  rows.staging->background = {0};
  rows.under_masks = true;
  expect_right_with_every_policy(rows);
}

TEST(Staging, blocks_and_the_tiles_inside_move_back_to_overlap) {
  // Rows of 333 bytes by blocks of 140, the last from 193 on; a block by runs of 32, the last from 108 on.
  plan::Nest nest =
      staged({guarded(counted(3, 140, 140), 0), guarded(counted(5, 32, 32), 1)}, copy_of(32), 140);
  nest.guards = {{3, 87, 87}, {5, 20, 20}};
  expect_right_with_every_policy(nest);
}

TEST(Staging, runs_that_overlap_write_whole_lines_and_the_ends_of_their_rows) {
  // Rows of 1000 bytes, three of them 1016 apart, by runs of 300 that share 64, the last from 700 on, in
  // pieces of 20; then rows of exactly 5 steps.
  plan::Nest nest = staged({guarded(counted(4, 236, 236), 0), counted(3, 1016, 320), counted(15, 20, 20)},
                           copy_of(20), 300);
  nest.guards = {{4, 8, 8}};
  lay_apart(nest, 3, 320, 64);
  nest.staging->run_stride_bytes = 1016;
  nest.staging->next_bytes = 0;
  nest.staging->overlap_bytes = 64;
  expect_right_with_every_policy(nest);
  nest.guards.clear();
  nest.loops[0] = counted(5, 200, 200);
  nest.staging->overlap_bytes = 100;
  expect_right_with_every_policy(nest);
}

TEST(Staging, runs_overlap_along_any_loop_around_the_block) {
  plan::Nest nest =
      staged({counted(3, 1100, 1100), counted(4, 240, 240), counted(2, 3300, 5000), counted(61, 5, 5)},
             copy_of(5), 305);
  nest.staging->first_loop = 3;
  nest.staging->next_bytes = 0;
  nest.staging->overlap_bytes = 65;
  nest.staging->row_loop = 1;
  expect_right_with_every_policy(nest);
}

TEST(Staging, runs_do_not_overlap_along_a_loop_within_their_block) {
  plan::Nest nest = staged({counted(4, 236, 236), counted(15, 20, 20)}, copy_of(20), 300);
  nest.staging->overlap_bytes = 64;
  EXPECT_TRUE(jit::compile(plan_of(nest, Isa::kAvx2)).ok());
  nest.staging->row_loop = 1;
  EXPECT_FALSE(jit::compile(plan_of(nest, Isa::kAvx2)).ok());
}

TEST(Staging, of_few_trips_has_loops_that_cost_nothing) {
  expect_right_with_every_policy(staged({counted(1, 0, 0)}, copy_of(300), 300));
  expect_right_with_every_policy(staged({counted(4, 300, 512), counted(1, 0, 0)}, copy_of(300), 300));
}

TEST(Staging, keeps_what_kernels_prepare) {
  // The copy of a run overwrites registers: strides of a gather, tables of a shuffle.
  plan::GatherKernel gather;
  gather.count = 67;
  gather.element_bytes = 4;
  gather.source_stride_bytes = 12;
  gather.destination_stride_bytes = 4;
  expect_right_with_every_policy(staged({counted(7, 4, 268 * 3), counted(3, 900, 268)}, gather, 268 * 3));

  plan::ShuffleKernel reverse{{{0, 16}}, {{0, 16}}, {{{0, {}}}}, 16};
  for (int byte = 15; byte >= 0; --byte) reverse.terms[0][0].index.push_back(static_cast<std::uint8_t>(byte));
  expect_right_with_every_policy(staged({counted(7, 160, 160), counted(10, 16, 16)}, reverse, 160));
}

}  // namespace
}  // namespace relayout::testing
