#include "src/plan/planner.hpp"

#include <algorithm>
#include <string>
#include <variant>

#include <gtest/gtest.h>

#include "relayout/layout.hpp"
#include "src/interpret/plan_interpreter.hpp"
#include "src/interpret/scalar.hpp"
#include "src/plan/streamed_runs.hpp"
#include "src/runtime/pair.hpp"
#include "tests/support/buffers.hpp"

namespace relayout::plan {
namespace {

using expr::IndexExpr;

MachineInfo machine() {
  MachineInfo info;
  info.cost_model = "zen";
  info.level1_data_bytes = 32 << 10;
  info.level2_bytes = 1 << 20;
  info.level3_bytes = 32 << 20;
  info.streaming_threshold_bytes = 24 << 20;
  return info;
}

Problem problem_of(const std::string& source, const std::string& destination) {
  const Layout from = *Layout::parse(source);
  return *runtime::raw_problem(from, *Layout::parse_destination(destination, from));
}

Plan plan_of(const Problem& problem, Isa isa = Isa::kAvx512, PlanOptions options = {}) {
  auto plan = make_plan(problem, *refine(problem), make_target(isa, machine()), options);
  EXPECT_TRUE(plan) << plan.error().message;
  return *plan;
}

std::string kernels(const std::string& source, const std::string& destination) {
  return kernel_names(plan_of(problem_of(source, destination)));
}

std::string notes_of(const Plan& plan) {
  std::string text;
  for (const Note& note : plan.notes) text += note.choice + ": " + note.reason + "\n";
  return text;
}

/// The plan's interpreter against the raw expressions.
void expect_right(const Problem& problem, const Plan& plan) {
  const auto map = *interpret::source_of_destination(problem);
  const auto source = testing::scrambled_bytes(problem.source_elements * problem.element_bytes);
  std::vector<std::byte> destination(
      static_cast<std::size_t>(problem.destination_elements * problem.element_bytes));
  const Status status = interpret::run_plan(plan, source.data(), destination.data());
  ASSERT_TRUE(status) << status.error().message;
  for (std::size_t i = 0; i < map.size(); ++i) {
    if (map[i] < 0) continue;
    const auto bytes = static_cast<std::size_t>(problem.element_bytes);
    const auto from = source.begin() + map[i] * problem.element_bytes;
    ASSERT_TRUE(std::equal(from, from + problem.element_bytes,
                           destination.begin() + static_cast<std::ptrdiff_t>(i * bytes)))
        << "element " << i << "\n"
        << to_string(plan);
  }
}

TEST(Planner, long_shared_runs_are_copied) {
  EXPECT_EQ(kernels("f32[64,64]", "[0, 1]"), "copy");
  EXPECT_EQ(kernels("f32[8,12,64,64]", "[0, 2, 1, 3]"), "copy");
  EXPECT_EQ(kernels("f32[64,256]", "[1, 0, 1 p(16)]"), "copy");
}

TEST(Planner, transposes_and_interleaves_are_permuted) {
  EXPECT_EQ(kernels("f32[64,64]", "[1, 0]"), "permute");
  EXPECT_EQ(kernels("u8[1000,1001]", "[1, 0]"), "permute");
  EXPECT_EQ(kernels("u8[64,64]", "[0, 1, 0 p(4)]"), "permute");
  EXPECT_EQ(kernels("f32[256]", "[0 p(16), 0 oe(16)]"), "permute");
}

TEST(Planner, three_interleaved_channels_are_shuffled_by_tables) {
  const Plan plan = plan_of(problem_of("u8[1,64,64,3]", "[0, 3, 1, 2]"));
  ASSERT_EQ(plan.nests.size(), 1U);
  EXPECT_TRUE(std::holds_alternative<ShuffleKernel>(plan.nests[0].kernel));
}

TEST(Planner, every_choice_and_every_rejection_has_a_reason) {
  const std::string notes = notes_of(plan_of(problem_of("f32[64,64]", "[1, 0]")));
  EXPECT_NE(notes.find("chosen: permutation network"), std::string::npos) << notes;
  EXPECT_NE(notes.find("rejected: copy"), std::string::npos) << notes;
  EXPECT_NE(notes.find("rejected: scalar moves"), std::string::npos) << notes;
}

TEST(Planner, halves_of_lines_are_not_streamed) {
  const Plan plan =
      plan_of(problem_of("c128[1000,2,26,24,2][0, 1, 2, 3, 4]", "{2,4,1,0,3:T(4,1)}"), Isa::kAvx2);
  EXPECT_EQ(plan.nests.at(0).store, StorePolicy::kTemporal) << "2 of 4 elements of a tile are padding";
}

TEST(Planner, data_and_padding_that_share_lines_take_turns_past_the_caches) {
  const auto padded = [](const std::string& source) {
    PlanOptions options;
    options.fill.resize(2);
    return plan_of(problem_of(source, "{1,0:T(8,128)}"), Isa::kAvx2, options);
  };
  EXPECT_EQ(padded("bf16[1000,98]").rounds, 1);
  const Plan far = padded("bf16[287369,98]");
  EXPECT_EQ(far.rounds, 141) << "70 MiB to write, half of a MiB a round";
  EXPECT_NE(notes_of(far).find("take turns"), std::string::npos);
  EXPECT_EQ(padded("bf16[287369,128]").rounds, 1) << "whole lines";
}

TEST(Planner, streaming_needs_a_large_footprint_and_whole_lines) {
  EXPECT_EQ(plan_of(problem_of("f32[4096,4096]", "[1, 0]")).nests[0].store, StorePolicy::kStreaming);
  EXPECT_EQ(plan_of(problem_of("f32[256,256]", "[1, 0]")).nests[0].store, StorePolicy::kTemporal);
  EXPECT_EQ(plan_of(problem_of("f32[4095,4097]", "[1, 0]")).nests[0].store, StorePolicy::kTemporal);
  const PlanOptions never{KernelFamily::kAutomatic, StreamingStores::kNever};
  EXPECT_EQ(plan_of(problem_of("f32[4096,4096]", "[1, 0]"), Isa::kAvx512, never).nests[0].store,
            StorePolicy::kTemporal);
  const PlanOptions always{KernelFamily::kAutomatic, StreamingStores::kAlways};
  EXPECT_EQ(plan_of(problem_of("f32[64,64]", "[1, 0]"), Isa::kAvx512, always).nests[0].store,
            StorePolicy::kStreaming);
}

TEST(Planner, overlapping_tails_do_not_cost_whole_lines_past_the_last_cache) {
  // 18 columns: tiles of 8 overlap less than tiles of 16. Rows of 16 elements are written as whole lines.
  const Problem problem = problem_of("f32[400,16,300,18]", "{1,2,3,0}");
  for (const Isa isa : {Isa::kAvx2, Isa::kAvx512})
    EXPECT_EQ(plan_of(problem, isa).nests[0].store, StorePolicy::kStreaming) << to_string(isa);
}

TEST(Planner, narrow_vectors_stream_within_runs_that_do_not_begin_on_lines) {
  const Problem odd = problem_of("f32[4095,4097]", "[1, 0]");
  const Plan plan = plan_of(odd, Isa::kAvx2);
  EXPECT_EQ(plan.nests[0].store, StorePolicy::kStreamingRuns);
  EXPECT_EQ(plan.nests[0].prefetch_destination_bytes, plan.nests[0].loops.back().destination_step_bytes);
  const Network& network = std::get<PermuteKernel>(plan.nests[0].kernel).network;
  EXPECT_EQ(network.scratch_bytes, 8192) << "all of a tile of 16 x 128";
  EXPECT_EQ(network.phases.size(), 1U);
  const PlanOptions never{KernelFamily::kAutomatic, StreamingStores::kNever};
  EXPECT_EQ(plan_of(odd, Isa::kAvx2, never).nests[0].store, StorePolicy::kTemporal);
  EXPECT_NE(plan_of(problem_of("f32[7,4000001]", "[1, 0]"), Isa::kAvx2).nests[0].store,
            StorePolicy::kStreamingRuns)
      << "runs of 28 bytes";
}

TEST(Planner, narrow_vectors_stream_the_whole_lines_of_copies) {
  const Nest anywhere = plan_of(problem_of("f32[1000,118,101]", "[1, 0, 2]"), Isa::kAvx2).nests.at(0);
  EXPECT_EQ(anywhere.store, StorePolicy::kStreamingRuns);
  EXPECT_EQ(anywhere.loops.back().source_step_bytes, 404) << "in the source's order";
  EXPECT_EQ(anywhere.prefetch_destination_bytes, 4 * anywhere.loops.back().destination_step_bytes);
  const Nest on_lines = plan_of(problem_of("bf16[287369,98]", "{1,0:T(8,128)}"), Isa::kAvx2).nests.at(0);
  EXPECT_EQ(on_lines.store, StorePolicy::kStreamingRuns);
  EXPECT_EQ(on_lines.prefetch_destination_bytes, 0) << "its first line is streamed";
  EXPECT_EQ(plan_of(problem_of("bf16[287369,90]", "{1,0:T(8,128)}"), Isa::kAvx2).nests.at(0).store,
            StorePolicy::kTemporal)
      << "two lines of 180 bytes";
  EXPECT_EQ(plan_of(problem_of("f32[1000,118,101]", "[1, 0, 2]")).nests.at(0).store, StorePolicy::kTemporal)
      << "not measured with wide vectors";
}

TEST(Planner, narrow_vectors_stream_rows_that_are_put_together_in_a_scratch) {
  const Problem problem = problem_of("f32[194,2,512,134][1, 3, 0, 2]", "{3,2,1,0}");
  const Nest nest = plan_of(problem, Isa::kAvx2).nests.at(0);
  ASSERT_TRUE(nest.staging) << to_string(plan_of(problem, Isa::kAvx2));
  EXPECT_EQ(nest.store, StorePolicy::kStreamingRuns);
  EXPECT_FALSE(plan_of(problem).nests.at(0).staging) << "not measured with wide vectors";
  const PlanOptions never{KernelFamily::kAutomatic, StreamingStores::kNever};
  EXPECT_FALSE(plan_of(problem, Isa::kAvx2, never).nests.at(0).staging);
  EXPECT_FALSE(
      plan_of(problem_of("f32[19,2,512,134][1, 3, 0, 2]", "{3,2,1,0}"), Isa::kAvx2).nests.at(0).staging)
      << "the last cache holds both buffers";
  EXPECT_FALSE(plan_of(problem_of("f32[4096,4096]", "[1, 0]"), Isa::kAvx2).nests.at(0).staging)
      << "rows that fill lines are streamed as they come";
}

TEST(Planner, boxes_that_write_into_one_anothers_lines_are_not_staged) {
  const auto staged = [](const std::string& source, const std::string& destination) {
    return plan_of(problem_of(source, destination), Isa::kAvx2).nests.at(0).staging.has_value();
  };
  EXPECT_TRUE(staged("f64[74,63,39,32]{3,2,1,0:T(16,1)}", "[3, 1, 2, 0]"))
      << "39 is 32 and 7, whole rows apart";
  EXPECT_FALSE(staged("bf16[53690,376][0, 1]", "{1,0:T(8,128)(2,1)}")) << "rows end in the tail's lines";
}

TEST(Planner, staged_plans_do_what_the_expressions_say) {
  const PlanOptions always{KernelFamily::kAutomatic, StreamingStores::kAlways};
  int staged = 0;
  for (const auto& [source, destination] : std::vector<std::pair<std::string, std::string>>{
           {"f32[7,9,64,67][1, 3, 0, 2]", "{3,2,1,0}"},
           {"f64[61,103][0, 1]", "{0,1}"},
           {"u8[3,129,31,256]{3,1,0,2}", "[1, 3, 0, 2, 3 p(4)]"},
           {"f32[2,4,3,64,51]{4,3,2,1,0:T(4,1)}", "[3, 0, 2, 4, 1]"},
           {"c128[10,10,4,6,17]{0,3,1,2,4}", "[1, 4, 2, 0, 3]"}}) {
    const Problem problem = problem_of(source, destination);
    const Plan plan = plan_of(problem, Isa::kAvx2, always);
    staged += plan.nests.at(0).staging ? 1 : 0;
    expect_right(problem, plan);
  }
  EXPECT_EQ(staged, 5);
}

TEST(Planner, two_trips_are_too_few_to_fetch_along_past_the_last_cache) {
  const Problem problem = problem_of("f32[20,2048,2,76][2, 0, 1, 3]", "{1,0,3,2:T(8,128)}");
  const Nest nest = plan_of(problem, Isa::kAvx2).nests.at(0);
  ASSERT_NE(nest.prefetch_source_bytes, 0);
  const auto along = std::ranges::find(nest.loops, nest.prefetch_source_bytes, &Loop::source_step_bytes);
  ASSERT_NE(along, nest.loops.end());
  EXPECT_GT(along->trips, 2);
}

TEST(Planner, data_scattered_in_padding_are_written_in_its_order) {
  PlanOptions options;
  options.fill = {1, 0, 0, 0};  // zeros would be moved with the data
  const auto padded = [&](Isa isa) {
    return plan_of(problem_of("f32[4,3,22,69][1, 2, 3, 0]", "{1,2,0,3:T(8,128)}"), isa, options);
  };
  const Plan plan = padded(Isa::kAvx2);
  std::int64_t last = INT64_MAX;
  for (const Loop& loop : plan.nests.at(0).loops) {
    EXPECT_LT(loop.destination_step_bytes, last);
    last = loop.destination_step_bytes;
  }
  EXPECT_GT(plan.rounds, 1) << "takes turns with the padding";
  EXPECT_EQ(padded(Isa::kAvx512).rounds, 1) << "not measured with wide vectors";
}

TEST(Planner, zeros_that_share_lines_with_data_are_moved_with_them) {
  PlanOptions options;
  options.fill.resize(2);
  const Problem problem = problem_of("bf16[64,91,7,8][3, 2, 1, 0]", "{3,2,1,0:T(16,1)}");
  const Plan plan = plan_of(problem, Isa::kAvx2, options);
  ASSERT_EQ(plan.nests.size(), 1U) << to_string(plan);
  const auto* permute = std::get_if<PermuteKernel>(&plan.nests[0].kernel);
  ASSERT_NE(permute, nullptr);
  EXPECT_TRUE(permute->network.fills_padding);
  expect_right(problem, plan);
  const Plan large =
      plan_of(problem_of("bf16[1024,91,7,8][3, 2, 1, 0]", "{3,2,1,0:T(16,1)}"), Isa::kAvx2, options);
  EXPECT_EQ(large.nests.at(0).store, StorePolicy::kStreaming) << "whole lines, data and padding";
  const Plan near = plan_of(problem_of("bf16[6,32,1150]{2,1,0}", "{1,0,2:T(16,1)}"), Isa::kAvx2, options);
  EXPECT_GE(written_run_bytes(std::get<PermuteKernel>(near.nests.at(0).kernel).network), 64)
      << "whole lines in the caches, too";
  options.fill = {1, 0};
  EXPECT_EQ(plan_of(problem, Isa::kAvx2, options).nests.size(), 2U) << "other values are filled in";
  options.fill.clear();
  EXPECT_FALSE(
      std::get<PermuteKernel>(plan_of(problem, Isa::kAvx2, options).nests.at(0).kernel).network.fills_padding)
      << "left untouched";
}

TEST(Planner, padding_beside_data_is_streamed_where_it_fills_lines) {
  PlanOptions options;
  options.fill.resize(4);
  const auto padding = [&](const std::string& source, Isa isa) {
    return plan_of(problem_of(source, "{1,0:T(8,128)}"), isa, options).nests.at(1);
  };
  const Nest half = padding("f32[100000,50]", Isa::kAvx2);
  EXPECT_EQ(half.destination_base_bytes, 200);
  EXPECT_EQ(half.store, StorePolicy::kStreaming) << "312 bytes";
  EXPECT_EQ(padding("f32[100000,100]", Isa::kAvx2).store, StorePolicy::kTemporal) << "112 bytes";
  EXPECT_EQ(padding("f32[100000,50]", Isa::kAvx512).store, StorePolicy::kTemporal) << "not measured";
}

/// The plan that a Zen 5 gets.
Plan zen5_plan_of(const std::string& source, const std::string& destination) {
  MachineInfo zen5 = machine();
  zen5.cost_model = "zen5";
  const Problem problem = problem_of(source, destination);
  return *make_plan(problem, *refine(problem), make_target(Isa::kAvx512, zen5), PlanOptions());
}

TEST(Planner, a_zen_5_prefetches_what_its_own_prefetch_cannot_follow) {
  const Nest in_cache = zen5_plan_of("f32[1000,1008]", "[1, 0]").nests.at(0);
  EXPECT_EQ(in_cache.prefetch_source_bytes, 0) << "16 rows are followed";
  EXPECT_EQ(in_cache.prefetch_destination_bytes, 0);
  const Nest many_rows = zen5_plan_of("u8[1000,4096]", "[1, 0]").nests.at(0);
  EXPECT_NE(many_rows.prefetch_source_bytes, 0) << "64 rows are not";
  EXPECT_EQ(many_rows.prefetch_destination_bytes, many_rows.loops.back().destination_step_bytes);
  const Nest parts = zen5_plan_of("u8[2880,2880]", "[1, 0]").nests.at(0);
  EXPECT_EQ(parts.prefetch_source_bytes, 0)
      << "64 rows of a quarter of a line, which the call before has fetched";
  const Nest streamed = zen5_plan_of("u8[8192,8192]", "[1, 0]").nests.at(0);
  EXPECT_EQ(streamed.store, StorePolicy::kStreaming);
  EXPECT_NE(streamed.prefetch_source_bytes, 0);
  EXPECT_EQ(streamed.prefetch_destination_bytes, 0) << "what is streamed is not to be in a cache";
  const Nest far = zen5_plan_of("f32[4095,4097]", "[1, 0]").nests.at(0);
  EXPECT_EQ(far.store, StorePolicy::kTemporal);
  EXPECT_NE(far.prefetch_destination_bytes, 0) << "rows off the lines cannot be streamed";
  const Nest small = zen5_plan_of("u8[256,256]", "[1, 0]").nests.at(0);
  EXPECT_EQ(small.prefetch_source_bytes, 0);
  EXPECT_EQ(small.prefetch_destination_bytes, 0);
}

TEST(Planner, rows_that_share_cache_sets_are_written_in_longer_runs) {
  const std::string notes = notes_of(plan_of(problem_of("f32[1024,1000]", "[1, 0]")));
  EXPECT_NE(notes.find("chosen: permutation network over a tile of 64 of 1024 x 32 of 1000"),
            std::string::npos)
      << notes;
  EXPECT_NE(notes.find("share few sets of the first cache"), std::string::npos) << notes;
  const std::string usual = notes_of(plan_of(problem_of("f32[1000,1000]", "[1, 0]")));
  EXPECT_NE(usual.find("chosen: permutation network over a tile of 16 of 1000 x 16 of 1000"),
            std::string::npos)
      << usual;
}

/// Bytes of a row to write that a block of calls covers, each of them a line.
std::int64_t block_run_bytes(const Nest& nest) {
  for (std::size_t i = nest.loops.size(); i-- > 0;) {
    if (nest.loops[i].destination_step_bytes == 64) return 64 * nest.loops[i].trips;
  }
  return 0;
}

TEST(Planner, past_the_last_cache_blocks_are_larger_unless_their_rows_share_sets) {
  EXPECT_GE(block_run_bytes(plan_of(problem_of("f32[3001,4007]", "[1, 0]")).nests.at(0)), 1024);
  EXPECT_EQ(block_run_bytes(plan_of(problem_of("f32[4096,4096]", "[1, 0]")).nests.at(0)), 256);
}

// 32 KiB of first-level cache, 1 MiB of second-level cache.
TEST(Planner, nests_that_lie_between_one_another_take_turns_where_a_cache_would_lose_their_lines) {
  const auto swizzled = [](const std::string& source, int row_blocks, int column_blocks) {
    const std::string rows = std::to_string(row_blocks);
    const std::string columns = std::to_string(column_blocks);
    return plan_of(problem_of(source, "Sw<3,2,3> o 0 o ((8," + rows + "),(32," + columns +
                                          ")):((32,256),(1," + std::to_string(256 * row_blocks) + "))"));
  };
  const Plan small = swizzled("f32[64,64][1, 0]", 8, 2);
  EXPECT_EQ(small.nests.size(), 8U);
  EXPECT_EQ(small.rounds, 1);  // 32 KiB
  const Plan parts_of_lines = swizzled("f32[128,128][1, 0]", 16, 4);
  EXPECT_EQ(parts_of_lines.rounds, 5);  // 128 KiB
  EXPECT_NE(notes_of(parts_of_lines).find("stay in the first cache"), std::string::npos);
  EXPECT_EQ(swizzled("f32[128,128]", 16, 4).rounds, 1);  // whole lines
  const Plan large = swizzled("f32[1024,1024]", 128, 32);
  EXPECT_EQ(large.rounds, 33);  // 8 MiB
  EXPECT_NE(notes_of(large).find("stay in the second cache"), std::string::npos);
}

TEST(Planner, a_plan_of_an_empty_array_does_nothing) {
  const Problem problem = problem_of("f32[0,4]", "[1, 0]");
  const auto plan = make_plan(problem, {}, make_target(Isa::kAvx2, machine()), {});
  ASSERT_TRUE(plan);
  EXPECT_TRUE(plan->nests.empty());
  EXPECT_EQ(kernel_names(*plan), "none");
}

TEST(Planner, the_same_conversion_however_written_gives_the_same_nests) {
  const auto nests = [](const std::string& source, const std::string& destination) {
    const Plan plan = plan_of(problem_of(source, destination));
    std::string text = to_string(plan);
    return text.substr(0, text.find("box 0"));
  };
  const std::string plain = nests("f32[96,64]", "[1, 0]");
  EXPECT_EQ(nests("f32[96,1,64]", "[2, 0, 1]"), plain);
  EXPECT_EQ(nests("f32[12,8,64]", "[2, 0, 1]"), plain);
  EXPECT_EQ(nests("f32[96,4,16][0, 1, 2]", "[1, 2, 0]"), plain);
  EXPECT_EQ(nests("f32[1,96,64]", "[0, 2, 1]"), plain);
}

/// Rank 12, every extent 5, tiled by 2 on one side and by 3 on the other: 3^12 boxes if they were expanded.
TEST(Planner, plans_grow_with_the_sum_over_dimensions) {
  Problem problem;
  problem.element_bytes = 1;
  std::int64_t stride = 1;
  for (int i = 0; i < 12; ++i) {
    const IndexExpr x = IndexExpr::variable(i, "d" + std::to_string(i), {0, 4});
    problem.extents.push_back(5);
    problem.source = problem.source + floor_div(x, 2) * stride + floor_mod(x, 2) * (stride * 3);
    problem.destination = problem.destination + floor_div(x, 3) * stride + floor_mod(x, 3) * (stride * 2);
    stride *= 6;
  }
  problem.source_elements = problem.destination_elements = stride;
  const Plan plan = plan_of(problem);
  EXPECT_LE(plan.nests.size(), 32U);
  for (const Nest& nest : plan.nests) EXPECT_LE(nest.loops.size(), 40U);
  EXPECT_NE(notes_of(plan).find("as a run list"), std::string::npos);
}

TEST(Planner, a_ragged_guard_is_kept_when_the_crossing_pair_is_blocked) {
  // d1 of 28 in tiles of 9 (source) and of 8 and 2 (destination): a guard of the factor next to blocked
  // loops.
  Problem problem;
  problem.element_bytes = 16;
  problem.extents = {8, 28, 2};
  const IndexExpr d0 = IndexExpr::variable(0, "d0", {0, 7});
  const IndexExpr d1 = IndexExpr::variable(1, "d1", {0, 27});
  const IndexExpr d2 = IndexExpr::variable(2, "d2", {0, 1});
  const IndexExpr tile = floor_div(d1, 9);
  problem.source = (IndexExpr::constant(1) - d2) * 405 + floor_div(tile, 5) * 405 + floor_mod(d1, 9) * 45 +
                   floor_mod(tile, 5) * 9 + d0;
  problem.destination = d0 * 384 + floor_div(d1, 8) * 96 + floor_div(floor_mod(d1, 8), 2) * 24 +
                        floor_mod(floor_mod(d1, 8), 2) * 12 + d2;
  problem.source_elements = 2430;
  problem.destination_elements = 3072;
  for (const Isa isa : {Isa::kAvx2, Isa::kAvx512, Isa::kAvx512Vbmi})
    expect_right(problem, plan_of(problem, isa));
}

}  // namespace
}  // namespace relayout::plan
