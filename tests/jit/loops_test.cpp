#include <gtest/gtest.h>

#include "jit/compiler.hpp"
#include "src/plan/cost_models/make_target.hpp"
#include "src/plan/model/target.hpp"
#include "src/plan/refinement/loop_nest.hpp"
#include "tests/jit/check_nest.hpp"
#include "tests/plan/plans.hpp"

namespace relayout::testing {
namespace {

plan::CopyKernel run_of(std::int64_t bytes) {
  plan::CopyKernel kernel;
  kernel.bytes = bytes;
  return kernel;
}

/// A nest of these loops around a copy of `bytes` bytes.
plan::Nest nest_with(std::vector<plan::Loop> loops, std::int64_t bytes) {
  plan::Nest nest;
  nest.loops = std::move(loops);
  nest.kernel = run_of(bytes);
  return nest;
}

plan::Loop counted(std::int64_t trips, std::int64_t source_step_bytes, std::int64_t destination_step_bytes) {
  return {.trips = trips,
          .source_step_bytes = source_step_bytes,
          .destination_step_bytes = destination_step_bytes};
}

plan::Loop guarded(plan::Loop loop, int guard, std::int64_t guard_step) {
  loop.guard = guard;
  loop.guard_step = guard_step;
  return loop;
}

TEST(Loops, example_transposes_rows_of_four_bytes) {
  expect_moves_as_the_naive_loop(nest_with({counted(5, 4, 28), counted(7, 20, 4)}, 4));
}

TEST(Loops, nest_to_any_depth) {
  std::vector<plan::Loop> loops;
  std::int64_t step = 3;
  for (int depth = 0; depth < 7; ++depth) {
    loops.insert(loops.begin(), counted(2, step, 3 * 128 - 2 * step));
    step *= 2;
    SCOPED_TRACE(depth);
    expect_moves_as_the_naive_loop(nest_with(loops, 3));
  }
}

TEST(Loops, step_backwards) {
  expect_moves_as_the_naive_loop(nest_with({counted(5, -40, 40), counted(10, 4, -4)}, 4));
}

TEST(Loops, do_nothing_if_one_of_them_has_no_trips) {
  for (std::size_t empty = 0; empty < 3; ++empty) {
    plan::Nest nest = nest_with({counted(2, 60, 60), counted(3, 20, 20), counted(4, 5, 5)}, 5);
    nest.loops[empty].trips = 0;
    expect_moves_as_the_naive_loop(nest);
  }
}

TEST(Loops, of_one_trip_cost_nothing_but_may_be_cut_into_parts) {
  expect_moves_as_the_naive_loop(nest_with({counted(1, 7, 7), counted(1, 9, 9), counted(4, 5, 5)}, 5));
}

TEST(Loops, clip_a_guarded_iterator) {
  for (std::int64_t limit = 1; limit <= 24; ++limit) {
    plan::Nest nest = nest_with({guarded(counted(6, 16, 20), 0, 4), guarded(counted(4, 4, 4), 0, 1)}, 4);
    nest.guards.push_back({limit});
    SCOPED_TRACE(limit);
    expect_moves_as_the_naive_loop(nest);
  }
}

TEST(Loops, clip_a_guarded_iterator_with_loops_between_and_around) {
  for (std::int64_t limit : {1, 2, 9, 10, 11, 29, 30, 31, 100}) {
    plan::Nest nest =
        nest_with({counted(2, 1000, 1000), guarded(counted(3, 300, 300), 0, 10), counted(3, 100, 100),
                   guarded(counted(2, 50, 50), 0, 5), counted(2, 25, 25), guarded(counted(5, 5, 5), 0, 1)},
                  5);
    nest.guards.push_back({limit});
    SCOPED_TRACE(limit);
    expect_moves_as_the_naive_loop(nest);
  }
}

TEST(Loops, keep_several_guards_apart) {
  for (std::int64_t rows : {1, 5, 8, 11}) {
    for (std::int64_t columns : {1, 3, 6, 7}) {
      plan::Nest nest =
          nest_with({guarded(counted(3, 400, 4 * 9 * 12), 0, 4), guarded(counted(3, 30, 48 * 3), 1, 3),
                     guarded(counted(4, 100, 36), 0, 1), guarded(counted(3, 10, 12), 1, 1)},
                    10);
      nest.guards = {{rows}, {columns}};
      SCOPED_TRACE(::testing::Message() << rows << " rows, " << columns << " columns");
      expect_moves_as_the_naive_loop(nest);
    }
  }
}

TEST(Loops, move_the_last_body_of_a_guard_back_to_overlap) {
  // 45 bytes by runs of 8: the sixth run starts at 37 instead of 40.
  plan::Nest nest = nest_with({counted(3, 45, 51), guarded(counted(6, 8, 8), 0, 1)}, 8);
  nest.guards.push_back({6, 3, 3});
  expect_moves_as_the_naive_loop(nest);
  nest.loops = {guarded(counted(6, 8, 8), 0, 1), counted(3, 45, 51)};
  expect_moves_as_the_naive_loop(nest);
  nest.loops = {guarded(counted(3, 16, 16), 0, 2), counted(3, 45, 51), guarded(counted(2, 8, 8), 0, 1)};
  expect_moves_as_the_naive_loop(nest);
  nest.guards[0].limit = 5;
  expect_moves_as_the_naive_loop(nest);
}

TEST(Loops, move_back_on_both_axes_at_once) {
  plan::Nest nest = nest_with({guarded(counted(4, 160, 8), 0, 1), guarded(counted(3, 8, 160), 1, 1)}, 8);
  nest.guards = {{4, 2, 2}, {3, 5, 5}};
  expect_moves_as_the_naive_loop(nest);
}

TEST(Loops, move_back_for_a_guard_of_a_single_step_without_a_loop) {
  plan::Nest nest = nest_with({counted(3, 8, 8)}, 8);
  nest.guards.push_back({1, 5, 6});
  expect_moves_as_the_naive_loop(nest);
}

TEST(Loops, walk_a_run_table) {
  for (std::size_t position : {0u, 1u, 2u}) {
    std::vector<plan::Loop> loops = {counted(2, 100, 400), counted(3, 30, 100)};
    loops.insert(loops.begin() + static_cast<std::ptrdiff_t>(position), {.table = 0});
    plan::Nest nest = nest_with(loops, 6);
    nest.tables.push_back({{1, 40, 6}, {1, 0, 0}, {1, 13, 30}, {1, 7, 50}, {1, 22, 70}});
    SCOPED_TRACE(position);
    expect_moves_as_the_naive_loop(nest);
  }
}

TEST(Loops, take_trips_from_the_current_run) {
  plan::Loop inner = counted(1, 12, 4);
  inner.trips_from_table = 0;
  plan::Nest nest = nest_with({{.table = 0}, counted(2, 500, 200), inner}, 4);
  nest.tables.push_back({{3, 0, 0}, {0, 1, 1}, {1, 36, 12}, {7, 48, 16}});
  expect_moves_as_the_naive_loop(nest);
}

TEST(Loops, take_guarded_trips_from_the_current_run) {
  plan::Loop inner = guarded(counted(1, 12, 4), 0, 1);
  inner.trips_from_table = 0;
  plan::Nest nest = nest_with({{.table = 0}, inner}, 4);
  nest.tables.push_back({{3, 0, 0}, {0, 1, 1}, {1, 36, 12}, {7, 48, 16}});
  nest.guards.push_back({5});
  expect_moves_as_the_naive_loop(nest);
}

TEST(Loops, walk_two_tables) {
  plan::Nest nest = nest_with({{.table = 0}, {.table = 1}}, 1);
  nest.tables = {{{2, 0, 0}, {1, 20, 10}}, {{4, 30, 100}, {9, 0, 0}}};
  plan::CopyKernel kernel;
  kernel.bytes_from_table = 1;
  nest.kernel = kernel;
  expect_moves_as_the_naive_loop(nest);
  kernel.bytes_from_table = 0;
  nest.kernel = kernel;
  expect_moves_as_the_naive_loop(nest);
}

TEST(Loops, over_an_empty_table_do_nothing) {
  plan::Nest nest = nest_with({counted(2, 10, 10), {.table = 0}}, 4);
  nest.tables.emplace_back();
  expect_moves_as_the_naive_loop(nest);
}

TEST(Loops, step_past_32_bits) {
  // The steps cancel out: source = a * big - b * big with a == b, thanks to the guards' limits of one.
  constexpr std::int64_t kBig = std::int64_t{1} << 40;
  plan::Nest nest =
      nest_with({counted(1, kBig, kBig), counted(3, 4, 8), guarded(counted(5, kBig, -kBig), 0, 1)}, 4);
  nest.guards.push_back({1, kBig - 1, kBig - 2});
  nest.source_base_bytes = -kBig;
  expect_moves_as_the_naive_loop(nest);
}

TEST(Loops, that_contradict_themselves_are_refused) {
  const plan::Nest contradictions[] = {
      nest_with({}, 4),
      nest_with({{.table = 3}}, 4),
      nest_with({{.guard = 0, .guard_step = 1}}, 4),
      nest_with({{.trips_from_table = 0}}, 4),
  };
  for (const plan::Nest& nest : contradictions) {
    const auto code = jit::compile(plan_of(nest, Isa::kAvx2));
    ASSERT_FALSE(code.ok());
    EXPECT_EQ(code.error().code, ErrorCode::kInternal);
  }
  plan::Nest nest = nest_with({counted(2, 4, 4)}, 4);
  nest.kernel = plan::CopyKernel{.bytes_from_table = 0};
  EXPECT_FALSE(jit::compile(plan_of(nest, Isa::kAvx2)).ok());
}

TEST(Loops, staged_blocks_fetch_regions_that_a_loop_in_no_part_and_no_group_of_runs_leads_to) {
  const plan::Problem problem = plan::problem_of("f32[1009,128]", "[1, 0]");
  plan::Target target = plan::make_target(Isa::kAvx2, plan::plan_machine("golden_cove"));
  target.streaming_threshold_bytes = 32 << 10;
  const plan::Plan plan = *plan::make_plan(problem, *plan::refine(problem), target, {});
  ASSERT_TRUE(plan.nests.at(0).staging && plan.nests[0].block_fetch);
  const auto compiles = [&](const auto& change) {
    plan::Plan changed = plan;
    change(changed.nests[0]);
    return jit::compile(changed).ok();
  };
  EXPECT_TRUE(compiles([](plan::Nest&) {}));
  EXPECT_FALSE(compiles([](plan::Nest& nest) { nest.block_fetch->destination.rows_per_call = 1; }));
  EXPECT_FALSE(compiles([](plan::Nest& nest) { nest.block_fetch->first_loop = nest.staging->first_loop; }));
  EXPECT_FALSE(compiles([](plan::Nest& nest) { nest.block_fetch->first_loop = nest.cut_loop; }));
  EXPECT_FALSE(compiles([](plan::Nest& nest) { nest.staging->groups = 2; }));
  EXPECT_FALSE(compiles([](plan::Nest& nest) { nest.staging->fetch_bytes = 64; }));
}

TEST(Loops, only_permutations_fetch_blocks) {
  plan::Nest nest = nest_with({counted(2, 4, 4)}, 4);
  nest.block_fetch = plan::BlockFetch{};
  EXPECT_FALSE(jit::compile(plan_of(nest, Isa::kAvx2)).ok());
}

}  // namespace
}  // namespace relayout::testing
