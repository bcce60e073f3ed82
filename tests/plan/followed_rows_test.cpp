#include "src/plan/followed_rows.hpp"

#include <string>

#include <gtest/gtest.h>

#include "tests/plan/plans.hpp"

namespace relayout::plan {
namespace {

Nest nest_for(const std::string& source, const std::string& destination = "[1, 0]",
              const PlanOptions& options = {}) {
  return first_nest_for("zen3", source, destination, Isa::kAvx2, options);
}

bool follows(const std::string& source, const std::string& destination = "[1, 0]") {
  return nest_for(source, destination).follows_rows_to_read;
}

TEST(FollowedRows, a_block_reads_the_rows_of_one_call_and_the_next_block_goes_on_along_those_to_write) {
  const Nest nest = nest_for("f32[2059,16384]");
  ASSERT_EQ(nest.loops.size(), 3U);
  EXPECT_EQ(nest.loops[0].source_step_bytes, 1024);
  EXPECT_EQ(nest.loops[1].destination_step_bytes, 64) << "one line of each row to write";
  EXPECT_EQ(nest.loops[2].source_step_bytes, 64);
  EXPECT_EQ(nest.loops[2].trips, 16) << "1 KiB of each row to read";
  EXPECT_EQ(nest.prefetch_source_bytes, nest.loops[1].source_step_bytes) << "the next block";
}

TEST(FollowedRows, suits_rows_to_read_on_lines_of_narrow_elements_and_of_shared_sets_of_wide_ones) {
  EXPECT_TRUE(follows("u8[3989,27840]"));
  EXPECT_FALSE(follows("u8[3989,27841]")) << "rows to read that begin anywhere";
  EXPECT_TRUE(follows("bf16[6001,6048]"));
  EXPECT_FALSE(follows("bf16[6001,6050]"));
  EXPECT_TRUE(follows("f32[2759,12288]")) << "12 times 4 KiB apart";
  EXPECT_FALSE(follows("f32[2759,12304]"));
  EXPECT_TRUE(follows("f64[747,8192]"));
  EXPECT_FALSE(follows("f64[4909,2560]")) << "5 times 4 KiB apart";
  EXPECT_FALSE(follows("c128[747,8192]")) << "of 16 bytes";
}

TEST(FollowedRows, suits_no_rows_to_write_that_a_block_has_whole) {
  EXPECT_TRUE(follows("u8[3,917,40128]", "[0, 2, 1]"));
  EXPECT_FALSE(follows("u8[3,421,40128]", "[0, 2, 1]"));
  EXPECT_TRUE(follows("bf16[3,677,27008]", "[0, 2, 1]"));
  EXPECT_FALSE(follows("bf16[3,421,27008]", "[0, 2, 1]"));
  EXPECT_TRUE(follows("f32[3,281,12288]", "[0, 2, 1]"));
  EXPECT_FALSE(follows("f32[16,69,16384]", "[0, 2, 1]"));
}

TEST(FollowedRows, suits_rows_to_write_on_lines_of_two_bytes_unless_their_sets_are_few) {
  EXPECT_TRUE(follows("bf16[2016,9600]"));
  EXPECT_EQ(nest_for("bf16[2016,9600]").loops.back().trips, 32) << "2 KiB of 64 bytes";
  EXPECT_FALSE(follows("bf16[4096,8192]"));
  EXPECT_FALSE(follows("f32[1056,17312]"));
  EXPECT_FALSE(follows("u8[2688,27456]"));
}

TEST(FollowedRows, begin_anywhere_in_a_last_cache_of_which_a_processor_has_a_part_to_itself) {
  EXPECT_TRUE(follows("u8[7787,773]"));
  EXPECT_FALSE(follows("u8[803,8192]")) << "short rows to write";
  EXPECT_FALSE(follows("u8[2048,5918]")) << "rows to write that share sets";
  EXPECT_TRUE(follows("bf16[4627,1217]"));
  EXPECT_FALSE(follows("bf16[16823,300]")) << "short rows to read";
  EXPECT_FALSE(follows("bf16[1569,2048]")) << "rows to read that share sets";
  EXPECT_TRUE(follows("f32[2351,1232]"));
  EXPECT_FALSE(follows("f64[2521,600]"));
  EXPECT_FALSE(follows("f32[1001,1000]")) << "8 MiB, its own part";
}

TEST(FollowedRows, are_those_of_processors_for_which_that_was_measured) {
  EXPECT_FALSE(first_nest_for("zen4", "f32[2059,16384]", "[1, 0]", Isa::kAvx2).follows_rows_to_read);
}

TEST(FollowedRows, of_narrow_elements_are_not_staged_unless_streaming_is_asked_for) {
  EXPECT_FALSE(nest_for("bf16[8155,4160]").staging);
  EXPECT_TRUE(first_nest_for("zen4", "bf16[8155,4160]", "[1, 0]", Isa::kAvx2).staging);
  EXPECT_TRUE(nest_for("bf16[8155,4160]", "[1, 0]", {.streaming = StreamingStores::kAlways}).staging);
}

TEST(FollowedRows, are_moved_as_the_raw_expressions_have_it) {
  for (const char* source : {"bf16[3,677,3328]", "f32[3,269,4096]", "f64[3,333,4096]"}) {
    const Problem problem = problem_of(source, "[0, 2, 1]");
    const Plan plan = plan_for("zen3", problem, Isa::kAvx2);
    ASSERT_TRUE(plan.nests.front().follows_rows_to_read) << source;
    expect_right(problem, plan);
  }
}

}  // namespace
}  // namespace relayout::plan
