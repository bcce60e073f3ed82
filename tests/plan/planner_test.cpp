#include "src/plan/planner.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <variant>

#include <gtest/gtest.h>

#include "src/plan/cost_models/make_target.hpp"
#include "src/plan/kernels/streamed_runs.hpp"
#include "src/plan/model/pair_sizes.hpp"
#include "tests/plan/plans.hpp"

namespace relayout::plan {
namespace {

using expr::IndexExpr;

std::string kernels(const std::string& source, const std::string& destination) {
  return kernel_names(plan_of(problem_of(source, destination)));
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

TEST(Planner, few_elements_on_lines_of_their_own_are_gathered_by_a_call) {
  const auto gather = [](const char* source, const char* destination) {
    const Plan plan = plan_of(problem_of(source, destination), Isa::kAvx2);
    for (const Nest& nest : plan.nests)
      if (const auto* kernel = std::get_if<GatherKernel>(&nest.kernel)) return *kernel;
    ADD_FAILURE() << "nothing is gathered of " << source;
    return GatherKernel{};
  };
  const GatherKernel tails = gather("u8[50,815,131]{0,2,1:T(8,128)(2,1)}", "{2,1,0}");
  EXPECT_EQ(tails.source_stride_bytes, 17408);
  EXPECT_EQ(tails.destination_stride_bytes, 131);
  EXPECT_EQ(tails.count, 16) << "the other 49 elements of these lines are read before the lines are evicted";
  const GatherKernel near = gather("c128[3,31,50]{2,0,1:T(8,128)(2,1)}", "{0,2,1}");
  EXPECT_LT(near.source_stride_bytes, 64);
  EXPECT_EQ(near.count, 50);
}

/// Whether each nest moves a rounded tile.
bool all_rounded(const Plan& plan) {
  return std::ranges::all_of(plan.nests, [](const Nest& nest) {
    const auto* permute = std::get_if<PermuteKernel>(&nest.kernel);
    return permute != nullptr && !permute->network.destination.pieces.empty();
  });
}

TEST(Planner, packed_tiles_of_odd_rows_are_moved_as_whole_runs) {
  for (const auto& [array, tiled, rows] : {std::array{"bf16[1000,23]", "{0,1:T(8,128)(2,1)}", "{1,0}"},
                                           std::array{"bf16[300,41]", "{0,1:T(8,128)(2,1)}", "{1,0}"},
                                           std::array{"u8[1521,52]", "{0,1:T(32,128)(4,1)}", "{1,0}"},
                                           std::array{"u8[3,35,300]", "{2,1,0:T(8,128)(4,1)}", "{1,2,0}"}}) {
    SCOPED_TRACE(array);
    for (const Isa isa : {Isa::kAvx2, Isa::kAvx512}) {
      const Problem problem = problem_of(std::string(array) + tiled, rows);
      const Plan plan = plan_of(problem, isa);
      EXPECT_TRUE(all_rounded(plan)) << to_string(plan);
      EXPECT_LE(plan.nests.size(), 2U) << "whole tiles and the last one along the lanes";
      expect_right(problem, plan);
      const Problem back = problem_of(std::string(array) + rows, tiled);
      expect_right(back, plan_of(back, isa));
    }
  }
}

TEST(Planner, past_the_last_cache_rows_that_no_tile_can_stream_are_rounded) {
  const auto is_rounded = [](const char* source, const char* destination) {
    return all_rounded(plan_of(problem_of(source, destination), Isa::kAvx512Vbmi));
  };
  EXPECT_TRUE(is_rounded("f32[5,16,256,276,3]", "{0,2,3,4,1}")) << "rows of 5, which 16 bytes do not stream";
  EXPECT_TRUE(is_rounded("bf16[5,64,202147]", "[2, 1, 0]"));
  EXPECT_FALSE(is_rounded("f32[64,64,512,18]", "[3, 2, 1, 0]")) << "whole lines to write";
}

TEST(Planner, nothing_is_read_past_a_source_that_ends_with_its_last_element) {
  Problem problem = problem_of("bf16[128,23]{0,1:T(8,128)(2,1)}", "{1,0}");
  EXPECT_EQ(plan_of(problem, Isa::kAvx2).nests.size(), 1U);
  // Column 22 is the first of the third pair of the third tile.
  problem.source_elements = 2 * 1024 + 3 * 256 + 127 * 2 + 1;
  const Plan plan = plan_of(problem, Isa::kAvx2);
  EXPECT_GT(plan.nests.size(), 1U);
  expect_right(problem, plan);
}

TEST(Planner, every_choice_and_every_rejection_has_a_reason) {
  const std::string notes = notes_of(plan_of(problem_of("f32[64,64]", "[1, 0]")));
  EXPECT_NE(notes.find("chosen: permutation network"), std::string::npos) << notes;
  EXPECT_NE(notes.find("rejected: copy"), std::string::npos) << notes;
  EXPECT_NE(notes.find("rejected: scalar moves"), std::string::npos) << notes;
}

TEST(Planner, a_source_that_is_mostly_padding_is_not_streamed_past) {
  const auto residence = [](const char* source, const char* destination) {
    const Problem problem = problem_of(source, destination);
    return pair_sizes(problem, *refine(problem), {}, make_target(Isa::kAvx2, plan_machine())).residence;
  };
  // Rows of 16 bytes, 512 from one another, of 64 MiB: 8 MiB of lines, and a destination of 2 MiB.
  EXPECT_EQ(residence("f32[131072,4]{1,0:T(8,128)}", "{0,1}"), Residence::kLastCache);
  EXPECT_EQ(residence("f32[131072,128]{1,0:T(8,128)}", "{0,1}"), Residence::kMemory);
  EXPECT_EQ(residence("f32[131072,32]{1,0:T(8,128)}", "{0,1}"), Residence::kMemory) << "16 MiB of lines";
}

TEST(Planner, rows_that_are_put_together_in_a_scratch_are_streamed) {
  const Problem problem = problem_of("f32[194,2,512,134][1, 3, 0, 2]", "{3,2,1,0}");
  const Nest nest = plan_of(problem, Isa::kAvx2).nests.at(0);
  ASSERT_TRUE(nest.staging) << to_string(plan_of(problem, Isa::kAvx2));
  EXPECT_EQ(nest.store, StorePolicy::kStreamingRuns);
  EXPECT_TRUE(plan_of(problem).nests.at(0).staging);
  const PlanOptions never{KernelFamily::kAutomatic, StreamingStores::kNever};
  EXPECT_FALSE(plan_of(problem, Isa::kAvx2, never).nests.at(0).staging);
  EXPECT_FALSE(
      plan_of(problem_of("f32[19,2,512,134][1, 3, 0, 2]", "{3,2,1,0}"), Isa::kAvx2).nests.at(0).staging)
      << "the last cache holds both buffers";
  EXPECT_FALSE(plan_of(problem_of("f32[4096,4096]", "[1, 0]"), Isa::kAvx2).nests.at(0).staging)
      << "rows that fill lines are streamed as they come";
}

TEST(Planner, table_shuffles_are_staged_as_networks_but_not_as_copies) {
  const auto staged = [](const std::string& source, const std::string& destination) {
    return plan_of(problem_of(source, destination), Isa::kAvx2).nests.at(0).staging.has_value();
  };
  EXPECT_TRUE(staged("f64[37,264,6,29,7][4, 1, 0, 3, 2]", "[1, 4, 2, 0, 3]"));
  EXPECT_FALSE(staged("f64[599,166,19,6]{3,0,2,1}", "{3,2,1,0}"));
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
  EXPECT_GE(block_run_bytes(plan_of(problem_of("f32[3008,4016]", "[1, 0]")).nests.at(0)), 1000);
  EXPECT_EQ(block_run_bytes(plan_of(problem_of("f32[4096,4096]", "[1, 0]")).nests.at(0)), 256);
}

TEST(Planner, a_plan_of_an_empty_array_does_nothing) {
  const Problem problem = problem_of("f32[0,4]", "[1, 0]");
  const auto plan = make_plan(problem, {}, make_target(Isa::kAvx2, plan_machine()), {});
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
