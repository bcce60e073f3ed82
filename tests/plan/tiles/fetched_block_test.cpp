#include "src/plan/tiles/fetched_block.hpp"

#include <string>

#include <gtest/gtest.h>

#include "tests/plan/plans.hpp"

namespace relayout::plan {
namespace {

Nest nest_for(const std::string& source, Isa isa = Isa::kAvx512Vbmi, const PlanOptions& options = {}) {
  return first_nest_for("golden_cove", source, "[1, 0]", isa, options);
}

bool fetches(const std::string& source, const std::string& destination = "[1, 0]",
             Isa isa = Isa::kAvx512Vbmi) {
  return first_nest_for("golden_cove", source, destination, isa).block_fetch.has_value();
}

TEST(FetchedBlock, blocks_follow_each_other_along_the_destination_in_the_last_cache_and_the_source_past_it) {
  const auto next = [](const char* source) {
    const Nest nest = nest_for(source);
    EXPECT_TRUE(nest.block_fetch) << source;
    return nest.loops[nest.block_fetch->first_loop - 1];
  };
  EXPECT_EQ(next("bf16[1000,2000]").destination_step_bytes, 128);
  EXPECT_EQ(next("f32[1200,1700]").destination_step_bytes, 256) << "rows far apart on both sides";
  EXPECT_EQ(next("f32[8192,8192]").source_step_bytes, 128);
  EXPECT_EQ(next("f64[8192,8192]").source_step_bytes, 256);
}

TEST(FetchedBlock, suits_rows_to_read_that_are_not_much_nearer_than_those_to_write) {
  EXPECT_TRUE(fetches("u8[1801,2101]"));
  EXPECT_FALSE(fetches("bf16[3001,1103]")) << "rows to write more than twice as far apart";
  EXPECT_TRUE(fetches("bf16[3001,1120]")) << "out of rows on lines";
  EXPECT_FALSE(fetches("u8[5001,1103]"));
  EXPECT_TRUE(fetches("u8[5001,1088]"));
  EXPECT_TRUE(fetches("f32[700,1500]"));
  EXPECT_FALSE(fetches("f32[600,1500]")) << "rows to write that are near";
  EXPECT_FALSE(fetches("f32[1100,1201]"));
  EXPECT_TRUE(fetches("f32[1100,1500]", "[1, 0]", Isa::kAvx2));
  EXPECT_TRUE(fetches("f64[400,901]"));
  EXPECT_FALSE(fetches("f64[700,901]"));
  EXPECT_FALSE(fetches("c128[300,901]")) << "of 16 bytes";
}

TEST(FetchedBlock, suits_rows_on_lines_by_how_far_apart_wider_elements_are_written) {
  for (const Isa isa : {Isa::kAvx2, Isa::kAvx512}) {
    const auto fetches_with = [isa](const char* source) { return fetches(source, "[1, 0]", isa); };
    EXPECT_TRUE(fetches_with("u8[2048,2048]"));
    EXPECT_TRUE(fetches_with("u8[2048,2112]")) << "an odd number of lines to read";
    EXPECT_TRUE(fetches_with("bf16[1024,1056]"));
    EXPECT_TRUE(fetches_with("bf16[1024,1024]"));
    EXPECT_TRUE(fetches_with("f32[1056,1024]")) << "66 lines to write";
    EXPECT_FALSE(fetches_with("f32[1040,1024]")) << "65";
    EXPECT_TRUE(fetches_with("f32[1024,1024]"));
    EXPECT_FALSE(fetches_with("f32[4096,256]")) << "short rows to read, and to write such as share sets";
    EXPECT_EQ(fetches_with("f32[2048,512]"), isa == Isa::kAvx2);
    EXPECT_TRUE(fetches_with("f64[992,600]")) << "a multiple of 256 bytes to write";
    EXPECT_FALSE(fetches_with("f64[1008,600]"));
  }
}

TEST(FetchedBlock, suits_wide_elements_written_to_rows_that_share_sets) {
  EXPECT_TRUE(fetches("c128[512,320]"));
  EXPECT_FALSE(fetches("c128[640,320]")) << "10 KiB apart";
  EXPECT_FALSE(fetches("c128[512,384]")) << "rows to read that share sets as well";
  EXPECT_TRUE(fetches("f64[768,600]")) << "6 KiB apart";
  EXPECT_FALSE(fetches("f64[656,600]")) << "5248 bytes apart";
}

TEST(FetchedBlock, suits_rows_of_many_blocks) {
  EXPECT_TRUE(fetches("u8[4001,3,512]", "[2, 1, 0]"));
  EXPECT_FALSE(fetches("u8[4001,3,448]", "[2, 1, 0]")) << "448 bytes in a row to read";
  EXPECT_TRUE(fetches("bf16[4001,512]", "[1, 0]"));
  EXPECT_FALSE(fetches("bf16[4001,480]", "[1, 0]")) << "960 bytes of two";
  EXPECT_TRUE(fetches("f64[1280,1024]", "[1, 0]"));
  EXPECT_FALSE(fetches("f64[2560,160]", "[1, 0]")) << "1280 bytes of eight";
  EXPECT_TRUE(fetches("u8[513,9001]", "[1, 0]"));
  EXPECT_FALSE(fetches("u8[501,9001]", "[1, 0]")) << "501 bytes in a row to write";
  EXPECT_TRUE(fetches("bf16[257,9024]", "[1, 0]"));
  EXPECT_FALSE(fetches("bf16[257,9001]", "[1, 0]")) << "514 bytes out of rows anywhere";
  EXPECT_FALSE(fetches("u8[401,3,9024]", "[2, 1, 0]")) << "though they lie three times as far apart";
  EXPECT_TRUE(fetches("f32[2048,32,1024]", "[2, 1, 0]"));
  EXPECT_FALSE(fetches("f32[2048,32,240]", "[2, 1, 0]")) << "past the last cache 960 bytes to read";
  EXPECT_FALSE(fetches("f32[112,512,1024]", "[2, 1, 0]")) << "and 448 to write";
}

TEST(FetchedBlock, takes_short_rows_that_follow_one_another_whole) {
  const auto fetched = [](const char* source, const char* destination) {
    const Nest nest = first_nest_for("golden_cove", source, destination, Isa::kAvx512Vbmi);
    return nest.block_fetch.value_or(BlockFetch{});
  };
  EXPECT_EQ(fetched("f32[8,64,56,56]", "[0, 2, 3, 1]").destination.row_bytes, 256);
  EXPECT_EQ(fetched("f32[2,256,56,56]", "[0, 2, 3, 1]").destination.row_bytes, 1024);
  EXPECT_EQ(fetched("f32[2,272,56,56]", "[0, 2, 3, 1]").destination.rows_per_call, 0) << "1088 bytes";
  EXPECT_EQ(fetched("u8[1,2048,55,55]", "[0, 2, 3, 1]").destination.row_bytes, 2048) << "of bytes";
  EXPECT_EQ(fetched("u8[1024,4096]", "[1, 0]").destination.row_bytes, 128) << "rows share sets on both sides";
  EXPECT_EQ(fetched("u8[1024,4032]", "[1, 0]").destination.row_bytes, 1024);
  const Nest off_lines = first_nest_for("golden_cove", "f32[8,50,56,56]", "[0, 2, 3, 1]", Isa::kAvx512Vbmi);
  ASSERT_TRUE(off_lines.block_fetch) << "rows of 200 bytes";
  EXPECT_EQ(off_lines.loops.back().trips, 4) << "the last of which overlaps";
  EXPECT_EQ(fetched("f32[8,90,56,56]", "[0, 2, 3, 1]").destination.rows_per_call, 0)
      << "360 bytes, off lines";
  EXPECT_EQ(fetched("f32[8,56,56,64]", "[0, 3, 1, 2]").source.row_bytes, 256);
  EXPECT_EQ(fetched("f32[2,56,56,128]", "[0, 3, 1, 2]").source.row_bytes, 512);
  EXPECT_EQ(fetched("f32[2,56,56,144]", "[0, 3, 1, 2]").source.rows_per_call, 0) << "576 bytes";
  EXPECT_EQ(fetched("u8[12288,512]", "[1, 0]").source.row_bytes, 128) << "written to rows that share sets";
  EXPECT_EQ(fetched("f32[8,56,56,50]", "[0, 3, 1, 2]").source.rows_per_call, 0) << "off the lines";
}

TEST(FetchedBlock, past_the_last_cache_rows_anywhere_are_written_out_of_rows_on_lines) {
  const auto writes_too = [](const char* source, const PlanOptions& options = {}) {
    const Nest nest = nest_for(source, Isa::kAvx512Vbmi, options);
    EXPECT_TRUE(!nest.block_fetch || nest.store == StorePolicy::kTemporal) << source;
    return nest.block_fetch && nest.block_fetch->destination.rows_per_call > 0;
  };
  EXPECT_FALSE(writes_too("f32[3001,5120]")) << "staged";
  EXPECT_TRUE(writes_too("bf16[3001,6400]"));
  EXPECT_FALSE(writes_too("bf16[3001,6432]")) << "an odd number of lines to read";
  EXPECT_TRUE(writes_too("u8[9001,9024]")) << "of bytes, these too";
  EXPECT_FALSE(writes_too("u8[9001,9040]")) << "rows to read that begin anywhere";
  PlanOptions unstaged;
  unstaged.streaming = StreamingStores::kNever;
  EXPECT_TRUE(writes_too("f32[3001,5120]", unstaged));
  EXPECT_TRUE(writes_too("f32[345,65536]", unstaged));
  EXPECT_TRUE(writes_too("f64[345,32768]", unstaged));
  EXPECT_FALSE(writes_too("f64[9001,336]", unstaged)) << "rows of 2688 bytes";
  EXPECT_FALSE(writes_too("f64[9001,336]")) << "nor where it may be staged";
  PlanOptions asked;
  asked.streaming = StreamingStores::kAlways;
  EXPECT_FALSE(nest_for("f32[3001,5120]", Isa::kAvx512Vbmi, asked).block_fetch) << "not what was asked for";
}

TEST(FetchedBlock, past_the_last_cache_says_what_runs_tiles_have) {
  const auto runs = [](const char* source, Isa isa = Isa::kAvx512Vbmi) {
    const Plan plan = plan_for("golden_cove", problem_of(source, "[1, 0]"), isa);
    const auto& fetch = plan.nests.front().block_fetch;
    EXPECT_TRUE(fetch && fetch->destination.rows_per_call == 0) << source;
    return notes_of(plan);
  };
  const auto has = [](const std::string& notes, const char* text) {
    return notes.find(text) != std::string::npos;
  };
  EXPECT_TRUE(has(runs("u8[9088,9280]"), "runs of 32 bytes read and 128 written"));
  EXPECT_TRUE(has(runs("u8[9216,9280]"), "runs of 64 bytes read and 128 written")) << "9 KiB to write";
  EXPECT_TRUE(has(runs("u8[3136,27264]"), "runs of 128 bytes read and 64 written")) << "49 lines to write";
  EXPECT_TRUE(has(runs("u8[3200,27264]"), "runs of 32 bytes read and 128 written")) << "50";
  EXPECT_TRUE(has(runs("u8[9024,9280]"), "runs of 32 bytes read and 128 written")) << "141";
  EXPECT_TRUE(has(runs("u8[9024,10240]"), "runs of 128 bytes read and 64 written"))
      << "out of such as share sets";
  EXPECT_TRUE(has(runs("bf16[6208,6240]"), "runs of 64 bytes read and 128 written"));
  EXPECT_TRUE(has(runs("bf16[6208,6240]", Isa::kAvx2), "runs of 32 bytes read and 128 written"));
  EXPECT_TRUE(has(runs("bf16[6144,6240]", Isa::kAvx2), "runs of 64 bytes read and 128 written"));
}

TEST(FetchedBlock, asks_for_the_right_to_write_bytes_to_rows_that_share_sets) {
  const auto to_write = [](const char* source) { return nest_for(source).block_fetch->to_write; };
  EXPECT_TRUE(to_write("u8[2048,2048]"));
  EXPECT_FALSE(to_write("u8[2112,2048]")) << "33 lines to write";
  EXPECT_FALSE(to_write("bf16[1024,1056]"));
  EXPECT_FALSE(to_write("u8[8192,8192]")) << "which is streamed";
}

TEST(FetchedBlock, is_for_tiles_of_two_axes_past_the_second_cache_of_a_golden_cove) {
  EXPECT_FALSE(nest_for("bf16[300,700]").block_fetch) << "in the second cache";
  EXPECT_FALSE(first_nest_for("zen5", "bf16[1000,2000]", "[1, 0]").block_fetch);
  EXPECT_FALSE(first_nest_for("intel", "bf16[1000,2000]", "[1, 0]").block_fetch);
  EXPECT_FALSE(first_nest_for("golden_cove", "bf16[500,2000,4]", "[2, 1, 0]").block_fetch)
      << "4 elements in a row";
  EXPECT_FALSE(first_nest_for("golden_cove", "f32[1000,2000]", "[0, 1]").block_fetch) << "a copy";
}

}  // namespace
}  // namespace relayout::plan
