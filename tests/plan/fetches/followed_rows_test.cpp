#include "src/plan/fetches/followed_rows.hpp"

#include <string>

#include <gtest/gtest.h>

#include "tests/plan/plans.hpp"

namespace relayout::plan {
namespace {

Nest nest_for(const std::string& source, const std::string& destination = "[1, 0]") {
  return first_nest_for("zen3", source, destination, Isa::kAvx2);
}

bool follows(const std::string& source, const std::string& destination = "[1, 0]") {
  return nest_for(source, destination).follows_rows_to_read;
}

TEST(FollowedRows, a_block_reads_the_rows_of_one_call_and_the_next_block_goes_on_along_those_to_write) {
  const Nest nest = nest_for("bf16[2016,9600]");
  ASSERT_EQ(nest.loops.size(), 3U);
  EXPECT_EQ(nest.loops[0].source_step_bytes, 2048);
  EXPECT_EQ(nest.loops[1].destination_step_bytes, 64) << "one line of each row to write";
  EXPECT_EQ(nest.loops[2].source_step_bytes, 64);
  EXPECT_EQ(nest.loops[2].trips, 32) << "2 KiB of each row to read";
  EXPECT_EQ(nest.prefetch_source_bytes, nest.loops[1].source_step_bytes) << "the next block";
}

TEST(FollowedRows, past_the_last_cache_have_two_bytes_and_rows_to_write_on_lines_of_many_sets) {
  EXPECT_TRUE(follows("bf16[2016,9600]"));
  EXPECT_FALSE(follows("bf16[4096,8192]")) << "few sets";
  EXPECT_FALSE(follows("bf16[2016,9602]")) << "rows to read that begin anywhere";
  EXPECT_FALSE(follows("f32[1056,17312]"));
  EXPECT_FALSE(follows("u8[2688,27456]"));
  EXPECT_TRUE(follows("bf16[3,672,27008]", "[0, 2, 1]"));
  EXPECT_FALSE(follows("bf16[3,416,27008]", "[0, 2, 1]")) << "rows to write that a block has whole";
}

TEST(FollowedRows, past_the_last_cache_that_begin_anywhere_are_staged_instead) {
  for (const char* source : {"u8[3989,27840]", "bf16[6001,6048]", "f32[2759,12288]", "f64[747,8192]"}) {
    EXPECT_TRUE(nest_for(source).staging) << source;
  }
}

TEST(FollowedRows, begin_anywhere_in_a_last_cache_of_which_a_processor_has_a_part_to_itself) {
  EXPECT_TRUE(follows("u8[7787,773]"));
  EXPECT_FALSE(follows("u8[803,8192]")) << "short rows to write";
  EXPECT_FALSE(follows("u8[2048,3418]")) << "rows to write that share sets";
  EXPECT_TRUE(follows("bf16[3927,917]"));
  EXPECT_FALSE(follows("bf16[11823,300]")) << "short rows to read";
  EXPECT_FALSE(follows("bf16[1569,2048]")) << "rows to read that share sets";
  EXPECT_TRUE(follows("f32[1731,1032]"));
  EXPECT_FALSE(follows("f64[1521,600]"));
  EXPECT_FALSE(follows("f32[1001,1000]")) << "8 MiB, its own part";
}

TEST(FollowedRows, are_those_of_processors_for_which_that_was_measured) {
  EXPECT_FALSE(first_nest_for("zen4", "bf16[2016,9600]", "[1, 0]", Isa::kAvx2).follows_rows_to_read);
}

TEST(FollowedRows, are_moved_as_the_raw_expressions_have_it) {
  for (const char* source : {"bf16[3,672,3328]", "bf16[3,727,1200]", "f32[3,601,1000]"}) {
    const Problem problem = problem_of(source, "[0, 2, 1]");
    const Plan plan = plan_for("zen3", problem, Isa::kAvx2);
    ASSERT_TRUE(plan.nests.front().follows_rows_to_read) << source;
    expect_right(problem, plan);
  }
}

}  // namespace
}  // namespace relayout::plan
