#include "src/interpret/plan_interpreter.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "src/interpret/scalar.hpp"
#include "tests/support/buffers.hpp"
#include "tests/support/random_problem.hpp"

namespace relayout::interpret {
namespace {

using relayout::testing::scrambled_bytes;

/// A plan of one nest over buffers of these sizes.
plan::Plan plan_of(plan::Nest nest, std::int64_t source_bytes, std::int64_t destination_bytes) {
  plan::Plan plan;
  plan.source_bytes = source_bytes;
  plan.destination_bytes = destination_bytes;
  plan.nests.push_back(std::move(nest));
  return plan;
}

/// Outcome of a run on source bytes 0, 1, 2, ... with 0xFF in the destination before.
struct Outcome {
  std::vector<int> bytes;
  std::vector<std::uint8_t> counts;
};

Outcome run(const plan::Plan& plan) {
  std::vector<std::byte> source(static_cast<std::size_t>(plan.source_bytes));
  for (std::size_t byte = 0; byte < source.size(); ++byte) source[byte] = static_cast<std::byte>(byte);
  std::vector<std::byte> destination(static_cast<std::size_t>(plan.destination_bytes), std::byte{0xFF});
  Outcome outcome;
  const Status status = run_plan(plan, {source.data(), destination.data(), &outcome.counts});
  EXPECT_TRUE(status) << status.error().message;
  for (const std::byte byte : destination) outcome.bytes.push_back(std::to_integer<int>(byte));
  return outcome;
}

std::vector<int> numbers(int count) {
  std::vector<int> list(static_cast<std::size_t>(count));
  std::iota(list.begin(), list.end(), 0);
  return list;
}

plan::Loop counted(std::int64_t trips, std::int64_t source_step, std::int64_t destination_step) {
  plan::Loop loop;
  loop.trips = trips;
  loop.source_step_bytes = source_step;
  loop.destination_step_bytes = destination_step;
  return loop;
}

plan::Loop guarded(plan::Loop loop, int guard, std::int64_t step) {
  loop.guard = guard;
  loop.guard_step = step;
  return loop;
}

plan::Nest copy_nest(std::vector<plan::Loop> loops, std::int64_t bytes) {
  plan::Nest nest;
  nest.loops = std::move(loops);
  nest.kernel = plan::CopyKernel{bytes};
  return nest;
}

TEST(PlanInterpreter, example) {
  const Outcome transposed = run(plan_of(copy_nest({counted(2, 3, 1), counted(3, 1, 2)}, 1), 6, 6));
  EXPECT_EQ(transposed.bytes, (std::vector<int>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(transposed.counts, std::vector<std::uint8_t>(6, 1));
}

TEST(PlanInterpreter, bases_and_negative_steps_reverse) {
  plan::Nest nest = copy_nest({counted(3, -2, 2)}, 2);
  nest.source_base_bytes = 4;
  EXPECT_EQ(run(plan_of(nest, 6, 6)).bytes, (std::vector<int>{4, 5, 2, 3, 0, 1}));
}

TEST(PlanInterpreter, a_guard_cuts_the_last_tile_short) {
  plan::Nest nest = copy_nest({guarded(counted(3, 4, 4), 0, 4), guarded(counted(4, 1, 1), 0, 1)}, 1);
  nest.guards = {{.limit = 10}};
  const Outcome outcome = run(plan_of(nest, 10, 10));
  EXPECT_EQ(outcome.bytes, numbers(10));
  EXPECT_EQ(outcome.counts, std::vector<std::uint8_t>(10, 1));
}

TEST(PlanInterpreter, an_overlapping_tail_writes_the_overlap_twice) {
  plan::Nest nest = copy_nest({guarded(counted(3, 4, 4), 0, 1)}, 4);
  nest.guards = {{.limit = 3, .source_back_bytes = 2, .destination_back_bytes = 2}};
  const Outcome outcome = run(plan_of(nest, 10, 10));
  EXPECT_EQ(outcome.bytes, numbers(10));
  EXPECT_EQ(outcome.counts, (std::vector<std::uint8_t>{1, 1, 1, 1, 1, 1, 2, 2, 1, 1}));
}

TEST(PlanInterpreter, an_overlap_spreads_over_the_blocks_of_its_guard) {
  // Five tiles of two bytes in blocks of two tiles: the last block has one tile, and that one moves back.
  plan::Nest nest = copy_nest({guarded(counted(3, 4, 4), 0, 2), guarded(counted(2, 2, 2), 0, 1)}, 2);
  nest.guards = {{.limit = 5, .source_back_bytes = 1, .destination_back_bytes = 1}};
  const Outcome outcome = run(plan_of(nest, 9, 9));
  EXPECT_EQ(outcome.bytes, numbers(9));
  EXPECT_EQ(outcome.counts, (std::vector<std::uint8_t>{1, 1, 1, 1, 1, 1, 1, 2, 1}));
}

TEST(PlanInterpreter, a_loop_over_a_run_table_takes_offsets_and_lengths_from_its_entries) {
  plan::Loop over_table;
  over_table.table = 0;
  plan::Nest nest = copy_nest({over_table}, 0);
  nest.tables = {{{.length = 2, .source_offset_bytes = 4, .destination_offset_bytes = 0},
                  {.length = 1, .source_offset_bytes = 0, .destination_offset_bytes = 4}}};
  nest.kernel = plan::CopyKernel{0, 0, 2};
  EXPECT_EQ(run(plan_of(nest, 8, 6)).bytes, (std::vector<int>{4, 5, 6, 7, 0, 1}));
}

TEST(PlanInterpreter, an_inner_loop_takes_its_trips_from_the_entry_of_an_outer_one) {
  plan::Loop over_table;
  over_table.table = 0;
  plan::Loop from_entry = counted(99, 1, 2);
  from_entry.trips_from_table = 0;
  plan::Nest nest = copy_nest({over_table, from_entry}, 1);
  nest.tables = {{{.length = 3, .source_offset_bytes = 0, .destination_offset_bytes = 0},
                  {.length = 1, .source_offset_bytes = 3, .destination_offset_bytes = 1}}};
  EXPECT_EQ(run(plan_of(nest, 4, 5)).bytes, (std::vector<int>{0, 3, 1, 255, 2}));
}

TEST(PlanInterpreter, gathers_with_strides_on_both_sides) {
  plan::Nest nest;
  nest.loops = {counted(1, 0, 0)};
  nest.kernel = plan::GatherKernel{
      .count = 3, .element_bytes = 2, .source_stride_bytes = 4, .destination_stride_bytes = 2};
  EXPECT_EQ(run(plan_of(nest, 12, 6)).bytes, (std::vector<int>{0, 1, 4, 5, 8, 9}));
}

TEST(PlanInterpreter, shuffles_pieces_by_tables_and_ors_the_terms) {
  // Two RGB pixels to planes: R0 R1, G0 G1 and B0 B1, with the second source byte row read as a short piece.
  plan::ShuffleKernel kernel;
  kernel.sources = {{0, 3}, {3, 3}};
  for (int plane = 0; plane < 3; ++plane) {
    kernel.destinations.push_back({plane * 2, 2});
    std::vector<std::uint8_t> first(16, 0x80);
    std::vector<std::uint8_t> second(16, 0x80);
    first[0] = second[1] = static_cast<std::uint8_t>(plane);
    kernel.terms.push_back({{0, first}, {1, second}});
  }
  plan::Nest nest;
  nest.loops = {counted(1, 0, 0)};
  nest.kernel = kernel;
  const Outcome outcome = run(plan_of(nest, 6, 6));
  EXPECT_EQ(outcome.bytes, (std::vector<int>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(outcome.counts, std::vector<std::uint8_t>(6, 1));
}

TEST(PlanInterpreter, a_network_moves_every_byte_of_its_tile_where_the_tile_bits_say) {
  // A 16x16 transpose of bytes: bits 0-3 walk a row of the source, bits 4-7 a column.
  std::vector<plan::TileBit> bits;
  for (int bit = 0; bit < 4; ++bit) bits.push_back({1 << bit, 16 << bit});
  for (int bit = 0; bit < 4; ++bit) bits.push_back({16 << bit, 1 << bit});
  plan::NetworkTarget target;
  const auto network = plan::synthesize(target, 1, bits);
  ASSERT_TRUE(network) << network.error().message;
  plan::Nest nest;
  nest.loops = {counted(1, 0, 0)};
  nest.kernel = plan::PermuteKernel{*network};
  const Outcome outcome = run(plan_of(nest, 256, 256));
  for (int row = 0; row < 16; ++row) {
    for (int column = 0; column < 16; ++column) {
      ASSERT_EQ(outcome.bytes[static_cast<std::size_t>(column * 16 + row)], row * 16 + column);
    }
  }
  EXPECT_EQ(outcome.counts, std::vector<std::uint8_t>(256, 1));
}

TEST(PlanInterpreter, parts_together_do_what_the_whole_does) {
  plan::Nest nest = copy_nest({guarded(counted(3, 4, 4), 0, 4), guarded(counted(4, 1, 1), 0, 1)}, 1);
  nest.guards = {{.limit = 10}};
  const plan::Plan plan = plan_of(nest, 10, 10);
  const auto source = scrambled_bytes(10);
  for (const std::int64_t parts : {1, 2, 7}) {
    std::vector<std::byte> destination(10);
    std::vector<std::uint8_t> counts;
    for (std::int64_t part = 0; part < parts; ++part) {
      ASSERT_TRUE(run_plan_part(plan, {source.data(), destination.data(), &counts}, part, parts));
    }
    EXPECT_EQ(destination, source);
    EXPECT_EQ(counts, std::vector<std::uint8_t>(10, 1));
  }
}

TEST(PlanInterpreter, an_access_outside_names_nest_trips_and_bytes) {
  const plan::Plan plan = plan_of(copy_nest({counted(2, 3, 3), counted(3, 1, 1)}, 1), 5, 6);
  std::byte buffer[11] = {};
  const Status status = run_plan(plan, buffer, buffer + 5);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kInternal);
  EXPECT_EQ(status.error().message,
            "nest 0: at trips (1, 2), source bytes [5, 6) are outside the buffer of 5");
}

TEST(PlanInterpreter, a_loop_that_refers_to_a_missing_guard_is_an_error) {
  const plan::Plan plan = plan_of(copy_nest({guarded(counted(1, 1, 1), 0, 1)}, 1), 1, 1);
  std::byte buffer[2] = {};
  const Status status = run_plan(plan, buffer, buffer + 1);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "nest 0: loop 0 contradicts itself");
}

/// One run of one element per destination element: any problem is such a table.
plan::Plan table_plan(const plan::Problem& problem, const std::vector<std::int64_t>& map) {
  plan::Loop over_table;
  over_table.table = 0;
  plan::Nest nest = copy_nest({over_table}, problem.element_bytes);
  nest.tables.emplace_back();
  for (std::size_t element = 0; element < map.size(); ++element) {
    if (map[element] < 0) continue;
    nest.tables[0].push_back({1, map[element] * problem.element_bytes,
                              static_cast<std::int64_t>(element) * problem.element_bytes});
  }
  return plan_of(nest, problem.source_elements * problem.element_bytes,
                 problem.destination_elements * problem.element_bytes);
}

TEST(PlanInterpreter, agrees_with_the_scalar_interpreter_on_random_problems_as_run_tables) {
  const std::uint64_t seed = relayout::testing::test_seed();
  SCOPED_TRACE(relayout::testing::replay_hint(seed));
  relayout::testing::RandomProblems problems(seed);
  for (int count = 0; count < 200; ++count) {
    const plan::Problem problem = problems.next();
    SCOPED_TRACE(relayout::testing::describe(problem));
    const auto map = source_of_destination(problem);
    ASSERT_TRUE(map) << map.error().message;
    const plan::Plan plan = table_plan(problem, *map);
    const auto source = scrambled_bytes(plan.source_bytes);
    std::vector<std::byte> expected(static_cast<std::size_t>(plan.destination_bytes));
    std::vector<std::byte> destination(expected.size());
    std::vector<std::uint8_t> counts;
    ASSERT_TRUE(run_scalar(problem, source.data(), expected.data(), INT64_MAX));
    ASSERT_TRUE(run_plan(plan, {source.data(), destination.data(), &counts}));
    ASSERT_EQ(destination, expected);
    ASSERT_LE(*std::max_element(counts.begin(), counts.end()), 1);
  }
}

/// Two blocks of rows 0 to 2, of 4 bytes each, which lie 8 apart; the source has them column by column.
plan::Nest staged_nest() {
  plan::Nest nest;
  nest.loops = {counted(2, 12, 4), counted(4, 3, 1), counted(3, 1, 5)};
  nest.kernel = plan::CopyKernel{.bytes = 1};
  nest.staging = plan::Staging{
      .first_loop = 1, .run_bytes = 4, .runs = 3, .run_stride_bytes = 8, .scratch_stride_bytes = 5};
  return nest;
}

TEST(PlanInterpreter, staged_blocks_leave_the_scratch_in_runs) {
  const Outcome outcome = run(plan_of(staged_nest(), 24, 24));
  EXPECT_EQ(outcome.bytes, (std::vector<int>{0,  3,  6,  9,  12, 15, 18, 21, 1,  4,  7,  10,
                                             13, 16, 19, 22, 2,  5,  8,  11, 14, 17, 20, 23}));
  EXPECT_EQ(outcome.counts, std::vector<std::uint8_t>(24, 1));
}

TEST(PlanInterpreter, runs_of_staged_blocks_leave_group_by_group) {
  // One block of 2 groups of 2 runs of 3 bytes, 4 and 12 apart, 3 apart in the scratch.
  plan::Nest nest;
  nest.loops = {counted(1, 0, 0), counted(12, 1, 1)};
  nest.kernel = plan::CopyKernel{.bytes = 1};
  nest.staging = plan::Staging{.first_loop = 1,
                               .run_bytes = 3,
                               .runs = 2,
                               .run_stride_bytes = 4,
                               .scratch_stride_bytes = 3,
                               .groups = 2,
                               .group_stride_bytes = 12};
  const Outcome outcome = run(plan_of(nest, 12, 19));
  EXPECT_EQ(outcome.counts,
            (std::vector<std::uint8_t>{1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1}));
  EXPECT_EQ(outcome.bytes[4], 3);
  EXPECT_EQ(outcome.bytes[12], 6);
  EXPECT_EQ(outcome.bytes[18], 11);
}

TEST(PlanInterpreter, what_blocks_do_not_write_leaves_the_scratch_as_its_background) {
  // Two runs of 6 bytes from two blocks, which write the first 4 of them.
  plan::Nest nest;
  nest.loops = {counted(2, 4, 6), counted(4, 1, 1)};
  nest.kernel = plan::CopyKernel{.bytes = 1};
  nest.staging = plan::Staging{.first_loop = 1, .run_bytes = 6, .background = {77, 88}};
  const Outcome outcome = run(plan_of(nest, 8, 12));
  EXPECT_EQ(outcome.bytes, (std::vector<int>{0, 1, 2, 3, 77, 88, 4, 5, 6, 7, 77, 88}));
  EXPECT_EQ(outcome.counts, std::vector<std::uint8_t>(12, 1));
  nest.staging->background = {1, 2, 3};
  std::vector<std::byte> bytes(12);
  EXPECT_FALSE(run_plan(plan_of(nest, 8, 12), bytes.data(), bytes.data())) << "no element has three bytes";
}

TEST(PlanInterpreter, runs_that_overlap_write_each_byte_once) {
  // Rows of 708 bytes, by runs of 300 of which the next one begins 96 bytes before the end.
  plan::Nest nest;
  nest.loops = {counted(2, 708, 708), counted(3, 204, 204), counted(300, 1, 1)};
  nest.kernel = plan::CopyKernel{.bytes = 1};
  nest.staging = plan::Staging{.first_loop = 2, .run_bytes = 300, .overlap_bytes = 96, .row_loop = 1};
  const Outcome outcome = run(plan_of(nest, 1416, 1416));
  EXPECT_EQ(outcome.counts, std::vector<std::uint8_t>(1416, 1));
  for (std::size_t i = 0; i < 1416; ++i) ASSERT_EQ(outcome.bytes[i] % 256, static_cast<int>(i % 256)) << i;
  std::vector<std::byte> bytes(1416);
  nest.staging->overlap_bytes = 32;
  EXPECT_FALSE(run_plan(plan_of(nest, 1416, 1416), bytes.data(), bytes.data())) << "less than a line";
  nest.staging->overlap_bytes = 96;
  nest.staging->row_loop = 2;
  EXPECT_FALSE(run_plan(plan_of(nest, 1416, 1416), bytes.data(), bytes.data())) << "a loop of the block";
}

TEST(PlanInterpreter, a_run_that_leaves_the_scratch_before_it_is_whole_is_a_fault) {
  plan::Nest nest = staged_nest();
  nest.staging->run_bytes = 5;
  std::vector<std::byte> source(24);
  std::vector<std::byte> destination(30);
  const Status status = run_plan(plan_of(nest, 24, 30), source.data(), destination.data());
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("run 0 leaves the scratch before it is whole"), std::string::npos);
  nest.staging->first_loop = 0;
  EXPECT_FALSE(run_plan(plan_of(nest, 24, 30), source.data(), destination.data()))
      << "parts cut a loop around it";
}

TEST(PlanInterpreter, parts_are_shares_of_the_loop_that_is_cut_within_whole_loops_around_it) {
  plan::Nest nest;
  nest.loops = {counted(2, 6, 6), counted(3, 2, 2), counted(2, 1, 1)};
  nest.kernel = plan::CopyKernel{.bytes = 1};
  nest.cut_loop = 1;
  const std::vector<std::byte> source(12, std::byte{1});
  std::vector<std::byte> destination(12);
  std::vector<std::uint8_t> counts;
  ASSERT_TRUE(run_plan_part(plan_of(nest, 12, 12), {source.data(), destination.data(), &counts}, 1, 3));
  EXPECT_EQ(counts, (std::vector<std::uint8_t>{0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0}));
  nest.cut_loop = 3;
  EXPECT_FALSE(run_plan(plan_of(nest, 12, 12), source.data(), destination.data())) << "there is no such loop";
}

}  // namespace
}  // namespace relayout::interpret
