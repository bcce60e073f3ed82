#include "src/runtime/decisions.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "src/plan/cost_models/make_target.hpp"
#include "tests/plan/plans.hpp"

namespace relayout::runtime {
namespace {

/// What was decided of the first nest for a family of processors.
Decision decision_of(const std::string& what, const std::string& source, const std::string& destination,
                     const char* model = "intel", Isa isa = Isa::kAvx512) {
  const plan::Problem problem = plan::problem_of(source, destination);
  const plan::Target target = plan::make_target(isa, plan::plan_machine(model));
  const plan::Plan made = plan::plan_for(model, problem, isa);
  const auto decisions = decisions_of(made, made.nests.at(0), target, {});
  const auto decision = std::ranges::find(decisions, what, &Decision::what);
  return decision == decisions.end() ? Decision{what, "nothing", ""} : *decision;
}

std::string decided(const std::string& what, const std::string& source, const std::string& destination) {
  return decision_of(what, source, destination).choice;
}

TEST(Decisions, tell_in_which_order_loops_walk) {
  EXPECT_EQ(decided("loops", "f32[1000,1000]", "[1, 0]"), "in blocks of a few lines a side");
  EXPECT_EQ(decided("loops", "f32[80,160][1, 0]", "[0, 1]"), "in the destination's order");
  EXPECT_EQ(decided("loops", "f32[8,64,56,56]", "[0, 2, 3, 1]"), "in the source's order");
}

TEST(Decisions, tell_why_vectors_are_narrower_than_the_widest) {
  const auto vectors = [](const char* source, const char* model) {
    return decision_of("vectors", source, "[1, 0]", model, Isa::kAvx512Vbmi);
  };
  const Decision ports = vectors("f32[128,128]", "golden_cove");
  EXPECT_EQ(ports.choice, "32 bytes");
  EXPECT_TRUE(ports.reason.starts_with("two ports shuffle these")) << ports.reason;
  const Decision rounded = vectors("f32[4096,9]", "golden_cove");
  EXPECT_EQ(rounded.choice, "32 bytes");
  EXPECT_TRUE(rounded.reason.ends_with("more would hold nothing")) << rounded.reason;
  EXPECT_TRUE(vectors("f32[128,128]", "zen4").reason.starts_with("this processor runs wider ones at half"));
  EXPECT_EQ(vectors("f32[2,4]", "golden_cove").reason, "the tile fills no more");
  const Decision streamed = vectors("u8[4096,4096]", "zen5");
  EXPECT_EQ(streamed.choice, "32 bytes");
  EXPECT_TRUE(streamed.reason.starts_with("narrow elements are streamed faster")) << streamed.reason;
  const Decision staged =
      decision_of("vectors", "f64[865,1915,7][2, 0, 1]", "[1, 0, 2]", "zen5", Isa::kAvx512Vbmi);
  EXPECT_EQ(staged.choice, "32 bytes");
  EXPECT_TRUE(staged.reason.starts_with("tiles write half of a line")) << staged.reason;
  const Decision split =
      decision_of("vectors", "f32[256,45500]{0,1:T(8,128)(2,1)}", "[0, 1]", "zen4", Isa::kAvx512Vbmi);
  EXPECT_EQ(split.choice, "32 bytes");
  EXPECT_TRUE(split.reason.ends_with("the first cache holds a block")) << split.reason;
  const Decision streamed_in_halves = vectors("f32[4096,4096]", "zen4");
  EXPECT_EQ(streamed_in_halves.choice, "32 bytes");
  EXPECT_TRUE(streamed_in_halves.reason.ends_with("longer ways to whole lines")) << streamed_in_halves.reason;
}

TEST(Decisions, tell_of_copies_in_halves_of_vectors) {
  const auto copied = [](const char* source, const char* model) {
    return decision_of("vectors", source, "[0, 2, 1, 3]", model, Isa::kAvx512);
  };
  const Decision far = copied("f32[8,64,256,128]", "golden_cove");
  EXPECT_EQ(far.choice, "32 bytes");
  EXPECT_TRUE(far.reason.starts_with("past the second cache")) << far.reason;
  EXPECT_EQ(copied("f32[8,64,256,128]", "zen5").choice, "64 bytes");
  EXPECT_EQ(copied("f32[8,4,8,128]", "golden_cove").choice, "64 bytes");
}

TEST(Decisions, tell_that_fills_take_the_widest_vectors) {
  const plan::Target target = plan::make_target(Isa::kAvx512, plan::plan_machine("zen4"));
  plan::Nest fill;
  fill.kernel = plan::FillKernel{4096, {0}};
  fill.loops.push_back({.trips = 8, .destination_step_bytes = 4096});
  fill.widest_copy_bytes = 32;
  plan::Plan plan;
  plan.nests.push_back(fill);
  const auto decisions = decisions_of(plan, plan.nests.front(), target, {});
  const auto vectors = std::ranges::find(decisions, "vectors", &Decision::what);
  ASSERT_NE(vectors, decisions.end());
  EXPECT_EQ(vectors->choice, "64 bytes");
  EXPECT_EQ(vectors->reason, "the widest of the level");
}

TEST(Decisions, tell_why_a_nest_past_the_last_cache_is_written_through_it) {
  const auto stores = [](const char* source, const char* destination, const char* model) {
    return decision_of("stores", source, destination, model, Isa::kAvx512Vbmi);
  };
  const Decision followed = stores("bf16[609050,12][1, 0]", "[0, 1]", "zen4");
  EXPECT_EQ(followed.choice, "temporal");
  EXPECT_TRUE(followed.reason.starts_with("the processor fetches the few places")) << followed.reason;
  EXPECT_EQ(stores("bf16[809050,12][1, 0]", "[0, 1]", "zen4").choice, "streaming within runs");
}

TEST(Decisions, tell_that_a_rounded_tile_moves_a_block_faster) {
  const Decision kernel =
      decision_of("kernel", "u8[5,640,237,16][3, 2, 1, 0]", "[3, 0, 2, 1, 3 p(8)]", "zen4", Isa::kAvx512Vbmi);
  EXPECT_TRUE(kernel.reason.starts_with("it moves a block in fewer predicted cycles")) << kernel.reason;
}

TEST(Decisions, tell_which_side_is_fetched_ahead) {
  EXPECT_EQ(decided("prefetch", "f32[32,32]", "[1, 0]"), "none");
  EXPECT_EQ(decided("prefetch", "f64[75,294]", "[1, 0]"), "64 bytes ahead at the destination");
  EXPECT_EQ(decision_of("prefetch", "u8[4096,4096]", "[1, 0]", "zen3", Isa::kAvx2).choice,
            "256 bytes ahead at the source, between the stores");
  EXPECT_EQ(
      decision_of("prefetch", "f64[39,8192,47][2, 1, 0]", "[2, 1, 0, 1 p(4)]", "zen3", Isa::kAvx2).choice,
      "9984 bytes ahead at the source, and from 14976 on while its runs leave");
  const auto reason = [](const char* shape, const char* destination) {
    const Decision decision = decision_of("prefetch", shape, destination, "zen3", Isa::kAvx2);
    EXPECT_EQ(decision.choice, "none") << shape;
    return decision.reason;
  };
  EXPECT_TRUE(reason("bf16[798,2048]", "{0,1}").starts_with("a call's own lines fill sets"));
  EXPECT_TRUE(reason("f32[4,24,64,128]", "[1, 0, 2, 3]").starts_with("the source is read in few enough runs"))
      << "copies of 32 KiB";
  const std::string source = decided("prefetch", "f32[1000,3008]", "[1, 0]");
  EXPECT_TRUE(source.ends_with("bytes ahead at the source")) << source;
  const Decision copied =
      decision_of("prefetch", "f32[4096,4096]", "[0, 1]", "golden_cove", Isa::kAvx512Vbmi);
  EXPECT_EQ(copied.choice, "2048 bytes ahead at the source");
  EXPECT_NE(copied.reason.find("the run goes on there"), std::string::npos) << copied.reason;
  const auto of_blocks = [](const char* shape) {
    return decision_of("prefetch", shape, "[1, 0]", "golden_cove", Isa::kAvx512Vbmi).choice;
  };
  EXPECT_EQ(of_blocks("bf16[1000,2000]"), "the next block, row by row, on both sides");
  EXPECT_EQ(of_blocks("f32[8192,8192]"), "the next block, row by row, at the source");
}

TEST(Decisions, tell_of_blocks_that_copies_put_together) {
  const auto of_block = [](const char* what) {
    return decision_of(what, "f32[40,506,32,15]{3,1,0,2}", "[1, 0, 2, 3]", "zen3", Isa::kAvx2);
  };
  EXPECT_TRUE(of_block("kernel").choice.starts_with("copy of 60-byte runs")) << of_block("kernel").choice;
  EXPECT_TRUE(of_block("kernel").reason.starts_with("of those that move a block fast enough"))
      << of_block("kernel").reason;
  EXPECT_TRUE(of_block("stores").reason.ends_with("and are put together before"))
      << of_block("stores").reason;
  EXPECT_EQ(of_block("loops").reason.find("whole runs"), std::string::npos) << of_block("loops").reason;
  EXPECT_TRUE(of_block("prefetch").reason.starts_with("a block that follows begins there"))
      << of_block("prefetch").reason;
}

TEST(Decisions, tell_what_is_masked) {
  const auto masks = [](const char* source, const char* model) {
    return decision_of("masks", source, "[1, 0]", model, Isa::kAvx512Vbmi);
  };
  EXPECT_EQ(masks("f32[256,256]", "zen5").choice, "loads and stores");
  EXPECT_EQ(masks("f32[4096,4096]", "zen5").choice, "none");
  EXPECT_EQ(masks("f32[4096,4096]", "zen5").reason, "what the processor fetches ahead is of use");
  EXPECT_TRUE(masks("f32[4095,4097]", "zen5").reason.starts_with("rows are read a line at a time"));
  EXPECT_EQ(masks("f32[256,256]", "zen4").reason, "this processor does not need them");
}

TEST(Decisions, tell_why_many_rows_that_a_last_cache_holds_are_streamed) {
  const Decision stores = decision_of("stores", "bf16[65536,86]", "[1, 0]", "zen5", Isa::kAvx512Vbmi);
  EXPECT_EQ(stores.choice, "streaming");
  EXPECT_NE(stores.reason.find("which is shared, and every"), std::string::npos) << stores.reason;
}

TEST(Decisions, tell_that_crowded_rows_are_streamed_and_what_several_blocks_read_is_fetched) {
  const auto decision = [](const char* what, const char* source, const char* destination) {
    return decision_of(what, source, destination, "golden_cove", Isa::kAvx512Vbmi);
  };
  const Decision stores = decision("stores", "f32[160,16384][1, 0]", "[0, 1]");
  EXPECT_EQ(stores.choice, "streaming");
  EXPECT_NE(stores.reason.find("crowd sets of the second cache"), std::string::npos) << stores.reason;
  EXPECT_EQ(decision("prefetch", "bf16[215563,128]", "[1, 0]").choice,
            "what the next blocks read, line by line");
}

TEST(Decisions, tell_why_a_far_destination_is_not_streamed) {
  const Decision followed = decision_of("stores", "f32[4096,4096]", "[0, 1]");
  EXPECT_EQ(followed.choice, "temporal");
  EXPECT_TRUE(followed.reason.starts_with("the processor fetches the few places")) << followed.reason;
  EXPECT_EQ(decided("stores", "f32[4096,4096]", "[1, 0]"), "streaming");
  const Decision one_channel =
      decision_of("stores", "f64[32,8,395,64][3, 2, 0, 1]", "[1, 3, 2, 0, 3 p(8)]", "zen3", Isa::kAvx2);
  EXPECT_NE(one_channel.reason.find("one channel of the memory"), std::string::npos) << one_channel.reason;
  const Decision overlapping = decision_of("stores", "f32[207732,43]", "[0, 1, 0 p(4)]", "zen", Isa::kAvx2);
  EXPECT_EQ(overlapping.choice, "temporal");
  EXPECT_NE(overlapping.reason.find("overlap the run before"), std::string::npos) << overlapping.reason;
}

}  // namespace
}  // namespace relayout::runtime
