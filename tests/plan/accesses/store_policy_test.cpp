#include "src/plan/accesses/store_policy.hpp"

#include <variant>

#include <gtest/gtest.h>

#include "tests/plan/plans.hpp"

namespace relayout::plan {
namespace {

TEST(StorePolicies, halves_of_lines_are_not_streamed) {
  const Plan plan =
      plan_of(problem_of("c128[1000,2,26,24,2][0, 1, 2, 3, 4]", "{2,4,1,0,3:T(4,1)}"), Isa::kAvx2);
  EXPECT_EQ(plan.nests.at(0).store, StorePolicy::kTemporal) << "2 of 4 elements of a tile are padding";
}

TEST(StorePolicies, streaming_needs_a_large_footprint_and_whole_lines) {
  EXPECT_EQ(plan_of(problem_of("f32[4096,4096]", "[1, 0]")).nests[0].store, StorePolicy::kStreaming);
  EXPECT_EQ(plan_of(problem_of("f32[256,256]", "[1, 0]")).nests[0].store, StorePolicy::kTemporal);
  EXPECT_EQ(plan_of(problem_of("f32[7,4000001]", "[1, 0]")).nests[0].store, StorePolicy::kTemporal)
      << "runs of 28 bytes";
  const PlanOptions never{KernelFamily::kAutomatic, StreamingStores::kNever};
  EXPECT_EQ(plan_of(problem_of("f32[4096,4096]", "[1, 0]"), Isa::kAvx512, never).nests[0].store,
            StorePolicy::kTemporal);
  const PlanOptions always{KernelFamily::kAutomatic, StreamingStores::kAlways};
  EXPECT_EQ(plan_of(problem_of("f32[64,64]", "[1, 0]"), Isa::kAvx512, always).nests[0].store,
            StorePolicy::kStreaming);
}

TEST(StorePolicies, an_intel_does_not_stream_to_few_places_that_its_own_prefetch_follows) {
  const auto store = [](const std::string& source, const std::string& destination) {
    return first_nest_for("intel", source, destination);
  };
  EXPECT_EQ(store("s8[4096,4096]", "{1,0:T(8,128)(4,1)}").store, StorePolicy::kTemporal);
  EXPECT_EQ(store("f32[1,3,1080,1920]{1,3,2,0}", "{3,2,1,0}").store, StorePolicy::kTemporal) << "three";
  EXPECT_EQ(store("f32[4096,4096]", "[1, 0]").store, StorePolicy::kStreaming) << "16 rows";
  const Nest copy = store("f32[32,48,512,64]", "[0, 2, 1, 3]");
  EXPECT_EQ(copy.store, StorePolicy::kStreaming);
  EXPECT_EQ(copy.widest_copy_bytes, 32);
  EXPECT_EQ(store("c128[2048,37,32]", "[0, 2, 1]").store, StorePolicy::kTemporal) << "18 KiB at a time";
  const Nest off_lines = store("f32[7,4000001]", "[1, 0]");
  EXPECT_EQ(off_lines.store, StorePolicy::kTemporal);
  EXPECT_FALSE(off_lines.staging);
  EXPECT_EQ(plan_of(problem_of("s8[4096,4096]", "{1,0:T(8,128)(4,1)}")).nests.at(0).store,
            StorePolicy::kStreaming)
      << "another processor";
}

TEST(StorePolicies, an_intel_does_not_stream_padding_in_long_runs) {
  const auto fill_store = [](const char* model, const char* source, const char* destination) {
    PlanOptions options;
    options.fill.resize(4);
    const Plan plan = plan_for(model, problem_of(source, destination), Isa::kAvx512, options);
    EXPECT_TRUE(std::holds_alternative<FillKernel>(plan.nests.at(1).kernel));
    return plan.nests.at(1).store;
  };
  EXPECT_EQ(fill_store("intel", "f32[100000,64]", "{1,0:T(8,128)}"), StorePolicy::kTemporal) << "256 bytes";
  EXPECT_EQ(fill_store("intel", "f32[300000,16]", "{1,0:T(8,32)}"), StorePolicy::kStreaming) << "64 bytes";
  EXPECT_EQ(fill_store("zen5", "f32[100000,64]", "{1,0:T(8,128)}"), StorePolicy::kStreaming);
}

TEST(StorePolicies, overlapping_tails_do_not_cost_whole_lines_past_the_last_cache) {
  // 18 columns: tiles of 8 overlap less than tiles of 16. Rows of 16 elements are written as whole lines.
  const Problem problem = problem_of("f32[400,16,300,18]", "{1,2,3,0}");
  for (const Isa isa : {Isa::kAvx2, Isa::kAvx512})
    EXPECT_EQ(plan_of(problem, isa).nests[0].store, StorePolicy::kStreaming) << to_string(isa);
}

TEST(StorePolicies, narrow_vectors_stream_within_runs_that_do_not_begin_on_lines) {
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

TEST(StorePolicies, short_runs_that_overlap_the_run_before_are_not_streamed) {
  const auto rows_of = [](std::int64_t columns, const PlanOptions& options = {}) {
    const std::string source = "f32[207732," + std::to_string(columns) + "]";
    return plan_of(problem_of(source, "[0, 1, 0 p(4)]"), Isa::kAvx2, options).nests.at(0);
  };
  const Nest overlapping = rows_of(43);
  EXPECT_EQ(overlapping.loops.back().trips, 3) << "688 bytes in runs of 256";
  EXPECT_EQ(overlapping.store, StorePolicy::kTemporal);
  EXPECT_FALSE(overlapping.staging);
  EXPECT_EQ(rows_of(403).store, StorePolicy::kStreamingRuns) << "rows of 6448 bytes";
  const PlanOptions always{KernelFamily::kAutomatic, StreamingStores::kAlways};
  EXPECT_EQ(rows_of(43, always).store, StorePolicy::kStreamingRuns);
}

TEST(StorePolicies, the_whole_lines_of_copies_are_streamed) {
  const Nest anywhere = plan_of(problem_of("f32[1000,118,101]", "[1, 0, 2]"), Isa::kAvx2).nests.at(0);
  EXPECT_EQ(anywhere.store, StorePolicy::kStreamingRuns);
  EXPECT_EQ(anywhere.loops.back().source_step_bytes, 404) << "in the source's order";
  EXPECT_EQ(anywhere.prefetch_destination_bytes, 4 * anywhere.loops.back().destination_step_bytes);
  const Nest chunks = plan_of(problem_of("bf16[204,325239]", "[0, 1]")).nests.at(0);
  EXPECT_EQ(chunks.store, StorePolicy::kStreamingRuns);
  EXPECT_EQ(chunks.prefetch_destination_bytes, 0) << "of 32 KiB, the last moved back";
  const Nest on_lines = plan_of(problem_of("bf16[287369,98]", "{1,0:T(8,128)}"), Isa::kAvx2).nests.at(0);
  EXPECT_EQ(on_lines.store, StorePolicy::kStreamingRuns);
  EXPECT_EQ(on_lines.prefetch_destination_bytes, 0) << "its first line is streamed";
  EXPECT_EQ(plan_of(problem_of("bf16[287369,90]", "{1,0:T(8,128)}"), Isa::kAvx2).nests.at(0).store,
            StorePolicy::kTemporal)
      << "two lines of 180 bytes";
  EXPECT_EQ(plan_of(problem_of("f32[1000,118,101]", "[1, 0, 2]")).nests.at(0).store,
            StorePolicy::kStreamingRuns);
}

TEST(StorePolicies, padding_beside_data_is_streamed_where_it_fills_lines) {
  PlanOptions options;
  options.fill.resize(4);
  const auto padding = [&](const std::string& source, Isa isa) {
    return plan_of(problem_of(source, "{1,0:T(8,128)}"), isa, options).nests.at(1);
  };
  const Nest most = padding("f32[100000,40]", Isa::kAvx2);
  EXPECT_EQ(most.destination_base_bytes, 160);
  EXPECT_EQ(most.store, StorePolicy::kStreaming) << "352 bytes";
  EXPECT_EQ(padding("f32[100000,100]", Isa::kAvx2).store, StorePolicy::kTemporal) << "112 bytes";
  EXPECT_EQ(padding("f32[100000,40]", Isa::kAvx512).store, StorePolicy::kStreaming);
}

}  // namespace
}  // namespace relayout::plan
