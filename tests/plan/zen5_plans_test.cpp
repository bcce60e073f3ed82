#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include <gtest/gtest.h>

#include "src/plan/cost_models/make_target.hpp"
#include "src/plan/model/kernel_access.hpp"
#include "src/plan/model/target.hpp"
#include "tests/plan/plans.hpp"

// What was measured on a Zen 5 (cost_models/zen5.cpp), and nothing else changes.

namespace relayout::plan {
namespace {

Nest nest_for(const char* model, const std::string& source, const std::string& destination,
              Isa isa = Isa::kAvx512Vbmi) {
  return first_nest_for(model, source, destination, isa);
}

TEST(Zen5Plans, rows_to_write_in_one_set_are_written_long_from_single_lines) {
  EXPECT_EQ(runs_of_transpose("zen5", "f64[512,392]"), (CallRuns{64, 256}));
  EXPECT_EQ(runs_of_transpose("zen5", "f32[1024,784]"), (CallRuns{64, 512}))
      << "rows to read that share no sets";
  EXPECT_EQ(runs_of_transpose("zen5", "f32[1024,1024]"), (CallRuns{64, 256})) << "rows to read that do";
  EXPECT_EQ(runs_of_transpose("zen", "f64[512,392]"), (CallRuns{128, 256}));
  EXPECT_EQ(runs_of_transpose("zen", "f32[1024,784]"), (CallRuns{128, 256}));
  EXPECT_EQ(runs_of_transpose("zen5", "c128[512,196]"), (CallRuns{128, 256})) << "wider ones as before";
  EXPECT_EQ(runs_of_transpose("zen5", "f64[512,392]", Isa::kAvx2),
            runs_of_transpose("zen", "f64[512,392]", Isa::kAvx2));
}

TEST(Zen5Plans, rows_of_1_and_2_KiB_in_the_second_cache_are_read_by_pairs_of_lines) {
  EXPECT_EQ(runs_of_transpose("zen5", "f32[256,256]"), (CallRuns{128, 128}));
  EXPECT_EQ(runs_of_transpose("zen5", "f64[128,128]"), (CallRuns{128, 128}));
  EXPECT_EQ(runs_of_transpose("zen5", "f64[256,128]"), (CallRuns{128, 256}))
      << "2 KiB apart at the destination, too";
  EXPECT_EQ(runs_of_transpose("zen5", "c128[128,64]"), (CallRuns{128, 256}));
  EXPECT_EQ(runs_of_transpose("zen5", "f32[240,272]"), (CallRuns{64, 64})) << "rows that share no sets";
  EXPECT_EQ(runs_of_transpose("zen5", "f32[250,256]"), (CallRuns{64, 64}))
      << "rows to write that begin anywhere";
  EXPECT_EQ(runs_of_transpose("zen5", "f64[96,512]"), runs_of_transpose("zen", "f64[96,512]"))
      << "rows to read 4 KiB apart";
  EXPECT_EQ(runs_of_transpose("zen", "f64[128,128]"), (CallRuns{64, 64}));
}

TEST(Zen5Plans, narrow_elements_go_by_pairs_of_lines_where_rows_share_sets) {
  EXPECT_EQ(runs_of_transpose("zen5", "bf16[256,256]"), (CallRuns{128, 128}));
  EXPECT_EQ(runs_of_transpose("zen5", "bf16[352,256]"), (CallRuns{128, 128}))
      << "rows to write that share none";
  EXPECT_EQ(runs_of_transpose("zen5", "bf16[256,384]"), (CallRuns{64, 128}))
      << "rows to read that share none";
  EXPECT_EQ(runs_of_transpose("zen5", "bf16[257,256]"), (CallRuns{64, 128}))
      << "rows to write that begin anywhere";
  EXPECT_EQ(runs_of_transpose("zen5", "u8[512,768]"), (CallRuns{64, 128}));
  EXPECT_EQ(runs_of_transpose("zen5", "u8[256,512]"), (CallRuns{128, 64}));
  EXPECT_EQ(runs_of_transpose("zen5", "u8[256,256]"), (CallRuns{64, 64}));
  EXPECT_EQ(runs_of_transpose("zen5", "bf16[1792,1280]"), (CallRuns{64, 64})) << "in the last cache";
  EXPECT_EQ(runs_of_transpose("zen5", "u8[3072,1088]"), (CallRuns{64, 128})) << "in the last cache";
  EXPECT_EQ(runs_of_transpose("zen", "u8[512,768]"), (CallRuns{64, 64}));
}

TEST(Zen5Plans, blocks_past_the_first_cache_give_way_to_the_order_of_the_destination) {
  const auto inner_step = [](const char* model, const char* source, const char* destination) {
    return nest_for(model, source, destination).loops.back().destination_step_bytes;
  };
  const char* source = "c128[2,7,16,18]{1,3,2,0:T(16,1)}";
  const char* destination = "{2,0,3,1:T(16,1)}";
  EXPECT_EQ(inner_step("zen5", source, destination), 256) << "the destination's own next tile";
  EXPECT_EQ(inner_step("zen", source, destination), 16384);
  EXPECT_NE(inner_step("zen5", "c128[128,256]", "[1, 0]"), 256) << "rows to read that share sets";
}

TEST(Zen5Plans, two_byte_elements_of_rows_on_lines_take_half_lines_in_the_last_cache) {
  EXPECT_EQ(runs_of_transpose("zen5", "bf16[1056,992]"), (CallRuns{32, 32}));
  EXPECT_EQ(runs_of_transpose("zen", "bf16[1056,992]"), (CallRuns{64, 32}));
  EXPECT_EQ(runs_of_transpose("zen5", "bf16[1061,995]"), (CallRuns{64, 32})) << "rows that begin anywhere";
}

TEST(Zen5Plans, far_wide_elements_are_read_by_half_lines_and_written_by_pairs_of_lines) {
  for (const Isa isa : {Isa::kAvx2, Isa::kAvx512Vbmi}) {
    EXPECT_EQ(runs_of_transpose("zen5", "f64[2048,4096]", isa), (CallRuns{32, 128}));
    EXPECT_EQ(runs_of_transpose("zen5", "c128[2048,2048]", isa), (CallRuns{32, 128}));
    EXPECT_EQ(runs_of_transpose("zen5", "c128[2001,2003]", isa),
              runs_of_transpose("zen", "c128[2001,2003]", isa));
  }
  const auto tiled = [](const char* model) {
    return kernel_runs(nest_for(model, "f64[5568,1203]{1,0:T(4,1)}", "{0,1}")).source.front().bytes;
  };
  EXPECT_EQ(tiled("zen5"), tiled("zen")) << "elements follow one another on both sides";
  EXPECT_EQ(runs_of_transpose("zen", "f64[2048,4096]"), (CallRuns{64, 256}));
}

TEST(Zen5Plans, halves_of_streamed_lines_are_written_without_a_scratch_at_avx2) {
  const auto scratch_bytes = [](const char* model, const char* source, const char* destination) {
    return std::get<PermuteKernel>(nest_for(model, source, destination, Isa::kAvx2).kernel)
        .network.scratch_bytes;
  };
  EXPECT_EQ(runs_of_transpose("zen5", "f32[4096,4096]", Isa::kAvx2), (CallRuns{64, 64}));
  EXPECT_EQ(scratch_bytes("zen5", "f32[4096,4096]", "[1, 0]"), 0);
  EXPECT_EQ(runs_of_transpose("zen", "f32[4096,4096]", Isa::kAvx2), (CallRuns{64, 128}));
  EXPECT_EQ(scratch_bytes("zen", "f32[4096,4096]", "[1, 0]"), 2048);
  EXPECT_EQ(scratch_bytes("zen5", "f64[2048,4096]", "[1, 0]"), 0) << "halves of two lines";
  EXPECT_GT(scratch_bytes("zen5", "f32[4095,4097]", "[1, 0]"), 0) << "rows off the lines";
}

TEST(Zen5Plans, streamed_tiles_of_narrow_elements_stay_in_registers) {
  for (const Isa isa : {Isa::kAvx2, Isa::kAvx512Vbmi}) {
    EXPECT_EQ(runs_of_transpose("zen5", "bf16[4896,5088]", isa), (CallRuns{16, 64}));
    EXPECT_EQ(runs_of_transpose("zen5", "bf16[5120,5088]", isa),
              runs_of_transpose("zen", "bf16[5120,5088]", isa))
        << "rows to write 10 KiB apart";
    EXPECT_EQ(runs_of_transpose("zen5", "bf16[4896,3072]", isa), (CallRuns{16, 64}))
        << "rows to read 6 KiB apart";
    EXPECT_EQ(runs_of_transpose("zen5", "u8[6080,5120]", isa), (CallRuns{16, 64}))
        << "rows to read 5 KiB apart";
    EXPECT_NE(runs_of_transpose("zen5", "u8[6080,8192]", isa), (CallRuns{16, 64}))
        << "rows to read 8 KiB apart";
    EXPECT_NE(runs_of_transpose("zen5", "bf16[1440,1504]", isa), (CallRuns{16, 64})) << "in the last cache";
    EXPECT_NE(runs_of_transpose("zen", "bf16[4896,5088]", isa), (CallRuns{16, 64}));
    EXPECT_EQ(std::get<PermuteKernel>(nest_for("zen5", "bf16[4896,5088]", "[1, 0]", isa).kernel)
                  .network.scratch_bytes,
              0);
  }
  EXPECT_EQ(runs_of_transpose("zen5", "u8[6080,5184]"), (CallRuns{16, 128}));
  EXPECT_EQ(runs_of_transpose("zen5", "u8[6080,5184]", Isa::kAvx2), (CallRuns{16, 64}));
}

TEST(Zen5Plans, streamed_tiles_of_a_line_each_way_of_narrow_elements_are_moved_in_vectors_of_32_bytes) {
  const auto vector_bytes = [](const char* model, const char* source) {
    return std::get<PermuteKernel>(nest_for(model, source, "[1, 0]").kernel).network.vector_bytes;
  };
  EXPECT_EQ(vector_bytes("zen5", "u8[4096,4096]"), 32);
  EXPECT_EQ(vector_bytes("zen5", "u8[5120,5184]"), 32) << "rows to write 5 KiB apart";
  EXPECT_EQ(vector_bytes("zen5", "bf16[4096,4096]"), 32);
  EXPECT_EQ(vector_bytes("zen5", "bf16[5888,2560]"), 64) << "rows to write 11.5 KiB apart";
  EXPECT_EQ(vector_bytes("zen5", "u8[6080,5184]"), 64) << "registers hold its tiles";
  EXPECT_EQ(vector_bytes("zen5", "u8[2048,2048]"), 64) << "in the last cache";
  EXPECT_EQ(vector_bytes("zen", "u8[4096,4096]"), 64);
}

TEST(Zen5Plans, streamed_runs_of_narrow_elements_are_of_rows_that_begin_anywhere_too) {
  EXPECT_EQ(runs_of_transpose("zen5", "bf16[3942,2967]"), (CallRuns{16, 512}));
  EXPECT_EQ(runs_of_transpose("zen5", "u8[4776,7485]"), (CallRuns{16, 256}));
  EXPECT_EQ(runs_of_transpose("zen5", "bf16[3942,2560]"), runs_of_transpose("zen", "bf16[3942,2560]"))
      << "rows 5 KiB apart";
  EXPECT_EQ(runs_of_transpose("zen5", "bf16[201,52967]"), runs_of_transpose("zen", "bf16[201,52967]"))
      << "rows of 402 bytes";
  EXPECT_EQ(runs_of_transpose("zen5", "f32[3942,2967]"), runs_of_transpose("zen", "f32[3942,2967]"));
}

TEST(Zen5Plans, streamed_tiles_of_words_are_read_by_the_piece_far_past_the_last_cache) {
  EXPECT_EQ(runs_of_transpose("zen5", "f32[3008,2832]"), (CallRuns{16, 64})) << "65 MiB";
  EXPECT_EQ(runs_of_transpose("zen5", "f32[3008,1072]"), (CallRuns{64, 64})) << "24.6 MiB";
  EXPECT_EQ(runs_of_transpose("zen5", "f32[4096,4096]"), (CallRuns{16, 128})) << "rows of powers of two";
  EXPECT_EQ(runs_of_transpose("zen5", "f32[4096,3088]"), (CallRuns{64, 64})) << "rows to write 16 KiB apart";
  EXPECT_EQ(runs_of_transpose("zen5", "f32[3008,2832]", Isa::kAvx2), (CallRuns{64, 64}));
}

TEST(Zen5Plans, data_in_much_padding_are_written_in_its_order) {
  const auto noted = [](const char* model, Isa isa) {
    PlanOptions options;
    options.fill.resize(4);
    const Problem problem = problem_of("f32[4,3,22,69][1, 2, 3, 0]", "{1,2,0,3:T(8,128)}");
    const Plan plan = plan_for(model, problem, isa, options);
    expect_right(problem, plan);
    return notes_of(plan).find("that of the padding around its data") != std::string::npos;
  };
  EXPECT_TRUE(noted("zen5", Isa::kAvx512Vbmi));
  EXPECT_TRUE(noted("zen", Isa::kAvx2));
  EXPECT_FALSE(noted("zen", Isa::kAvx512Vbmi));
}

TEST(Zen5Plans, shares_of_the_longest_loop_go_around_loops_of_few_trips) {
  const auto cut = [](const char* model) {
    return nest_for(model, "u8[12,67,1024]{0,2,1:T(32,128)(4,1)}", "{0,1,2:T(16,1)}").loops.size();
  };
  EXPECT_GT(cut("zen5"), cut("zen"));
}

TEST(Zen5Plans, cached_copies_of_33_to_63_bytes_are_preferred_to_table_shuffles) {
  const auto copies = [](const char* model, const char* source, const char* destination, Isa isa) {
    return std::holds_alternative<CopyKernel>(nest_for(model, source, destination, isa).kernel);
  };
  for (const Isa isa : {Isa::kAvx2, Isa::kAvx512Vbmi}) {
    EXPECT_TRUE(copies("zen5", "f32[144,6,8,12]", "[2, 1, 0, 3]", isa));
    EXPECT_TRUE(copies("zen5", "bf16[383,75,24]", "[1, 0, 2]", isa)) << "in the last cache";
    EXPECT_FALSE(copies("zen5", "bf16[18383,75,24]", "[1, 0, 2]", isa)) << "past it";
    EXPECT_FALSE(copies("zen5", "f64[27,117,3]", "[1, 0, 2]", isa)) << "24 bytes";
    EXPECT_FALSE(copies("zen", "f32[144,6,8,12]", "[2, 1, 0, 3]", isa));
  }
}

TEST(Zen5Plans, far_copies_of_parts_of_lines_walk_in_order) {
  const auto steps = [](const char* model, const char* source) {
    const Loop inner = nest_for(model, source, "[1, 0, 2]").loops.back();
    return std::pair(inner.source_step_bytes, inner.destination_step_bytes);
  };
  EXPECT_EQ(steps("zen5", "bf16[16,47345,33]"), std::pair(47345L * 66, 66L)) << "writes one place, reads 16";
  EXPECT_EQ(steps("zen5", "f64[202,30760,11]"), std::pair(88L, 202L * 88)) << "202 would be read in turn";
  const auto is_blocked = [](const char* model, const char* source) {
    return nest_for(model, source, "[1, 0, 2]").loops.size() > 2;
  };
  EXPECT_FALSE(is_blocked("zen5", "f64[202,30760,11]"));
  EXPECT_TRUE(is_blocked("zen5", "f64[256,30760,11]")) << "88 bytes 22 KiB apart";
  EXPECT_TRUE(is_blocked("zen", "f64[202,30760,11]"));
}

TEST(Zen5Plans, far_copies_of_one_line_or_two_are_read_in_order) {
  const auto read_in_order = [](const char* source, const char* destination, Isa isa = Isa::kAvx512Vbmi) {
    const Nest nest = nest_for("zen5", source, destination, isa);
    return nest.loops.back().source_step_bytes == std::get<CopyKernel>(nest.kernel).bytes;
  };
  EXPECT_TRUE(read_in_order("c128[23,30760,4]", "[1, 0, 2]")) << "lines, to places 1472 bytes apart";
  EXPECT_FALSE(read_in_order("c128[24,30760,4]", "[1, 0, 2]")) << "1536 bytes apart";
  EXPECT_TRUE(read_in_order("c128[24,30760,8]", "[1, 0, 2]")) << "pairs of lines";
  EXPECT_TRUE(read_in_order("f32[5679,5,8,64][0, 3, 2, 1, 3 p(16)]", "{3,1,2,0}")) << "within 10 KiB";
  EXPECT_TRUE(read_in_order("c128[23,30760,4]", "[1, 0, 2]", Isa::kAvx2));
  EXPECT_FALSE(read_in_order("f32[4096,4096]", "[1, 0, 1 p(16)]", Isa::kAvx2)) << "256 KiB apart";
}

TEST(Zen5Plans, many_rows_that_a_last_cache_just_holds_are_streamed) {
  const auto store = [](const char* model, const char* source, const char* destination) {
    return nest_for(model, source, destination).store;
  };
  EXPECT_EQ(store("zen5", "bf16[65536,86]", "[1, 0]"), StorePolicy::kStreaming) << "21 MiB";
  EXPECT_EQ(store("zen5", "bf16[65536,73]", "[1, 0]"), StorePolicy::kStreaming) << "18.25 MiB";
  EXPECT_EQ(store("zen5", "bf16[65536,70]", "[1, 0]"), StorePolicy::kTemporal) << "17.5 MiB";
  EXPECT_EQ(store("zen5", "bf16[2016,3008]", "[1, 0]"), StorePolicy::kStreaming) << "not by half lines";
  EXPECT_EQ(store("zen5", "bf16[2000,3000]", "[1, 0]"), StorePolicy::kStreamingRuns) << "rows off the lines";
  EXPECT_EQ(store("zen5", "bf16[64,65536,3]", "[1, 0, 2]"), StorePolicy::kTemporal) << "one row in turn";
  EXPECT_EQ(store("zen5", "f32[32,82,1024]", "[1, 0, 2]"), StorePolicy::kTemporal) << "a copy";
  EXPECT_EQ(store("zen", "bf16[65536,86]", "[1, 0]"), StorePolicy::kTemporal);
  const Problem problem = problem_of("bf16[65536,86]", "[1, 0]");
  EXPECT_NE(notes_of(plan_for("zen5", problem, Isa::kAvx512Vbmi)).find("a last cache that is shared"),
            std::string::npos);
  PlanOptions never;
  never.streaming = StreamingStores::kNever;
  EXPECT_EQ(plan_for("zen5", problem, Isa::kAvx512Vbmi, never).nests.at(0).store, StorePolicy::kTemporal);
}

TEST(Zen5Plans, much_padding_that_a_last_cache_just_holds_is_streamed_with_the_data) {
  const auto streamed = [](const char* model, const char* source, const char* destination) {
    PlanOptions filled;
    filled.fill = {0, 0, 0, 0};
    const Plan plan = plan_for(model, problem_of(source, destination), Isa::kAvx512Vbmi, filled);
    EXPECT_EQ(plan.nests.size(), 2U) << "data and padding";
    return std::ranges::count(plan.nests, StorePolicy::kStreaming, &Nest::store);
  };
  const char* const rows = "{1,0:T(8,128)}";
  EXPECT_EQ(streamed("zen5", "f32[32768,64]", rows), 2) << "24 MiB, half of the destination padding";
  EXPECT_EQ(streamed("zen5", "f32[24576,64]", rows), 0) << "18 MiB";
  EXPECT_EQ(streamed("zen5", "f32[25600,112]", rows), 0) << "an eighth of the destination";
  EXPECT_EQ(streamed("zen", "f32[32768,64]", rows), 0);
}

TEST(Zen5Plans, tiles_that_write_half_of_a_line_are_staged_in_vectors_of_32_bytes) {
  const auto staged_vector_bytes = [](const char* model, Isa isa) {
    const Nest nest = nest_for(model, "f64[865,1915,7][2, 0, 1]", "[1, 0, 2]", isa);
    return nest.staging ? std::get<PermuteKernel>(nest.kernel).network.vector_bytes : 0;
  };
  EXPECT_EQ(staged_vector_bytes("zen5", Isa::kAvx512Vbmi), 32);
  EXPECT_EQ(staged_vector_bytes("zen", Isa::kAvx512Vbmi), 0);
  EXPECT_EQ(staged_vector_bytes("zen", Isa::kAvx2), 32) << "whole vectors";
  PlanChoice wide;
  wide.vector_bytes = 64;
  PlanOptions asked;
  asked.choice = &wide;
  EXPECT_FALSE(
      first_nest_for("zen5", "f64[865,1915,7][2, 0, 1]", "[1, 0, 2]", Isa::kAvx512Vbmi, asked).staging);
}

TEST(Zen5Plans, far_permutations_of_one_stretch_are_read_in_order) {
  const auto inner_source_step = [](const char* model, const char* source, const char* destination) {
    return nest_for(model, source, destination).loops.back().source_step_bytes;
  };
  const auto next_call = [&](const char* model) {
    return inner_source_step(model, "f32[32,1000,326][1, 2, 0, 1 p(8)]", "[2, 0, 1, 0 p(8)]");
  };
  EXPECT_EQ(next_call("zen5"), 256) << "8 x 8 elements of 4 bytes, contiguous on both sides";
  EXPECT_NE(next_call("zen"), 256);
  EXPECT_NE(inner_source_step("zen5", "f32[4096,4096]", "[1, 0]"), 64) << "rows on both sides";
  EXPECT_NE(inner_source_step("zen5", "f32[32,1000,26][1, 2, 0, 1 p(8)]", "[2, 0, 1, 0 p(8)]"), 256)
      << "in the last cache";
}

TEST(Zen5Plans, few_bytes_between_padding_in_few_sets_are_moved_one_by_one) {
  const auto moves_elements = [](const char* model, const char* source, const char* destination) {
    return std::holds_alternative<GatherKernel>(nest_for(model, source, destination).kernel);
  };
  EXPECT_TRUE(moves_elements("zen5", "u8[35,12,4,64]", "{2,1,3,0:T(8,128)}"));
  EXPECT_FALSE(moves_elements("zen5", "u8[35,12,8,64]", "{2,1,3,0:T(8,128)}")) << "8 bytes";
  EXPECT_FALSE(moves_elements("zen5", "u8[35,12,4,64]", "[2, 1, 3, 0]")) << "no padding";
  EXPECT_FALSE(moves_elements("zen", "u8[35,12,4,64]", "{2,1,3,0:T(8,128)}"));
}

TEST(Zen5Plans, with_wide_vectors_rounded_tiles_need_no_margin) {
  EXPECT_EQ(make_target(Isa::kAvx512Vbmi, plan_machine("zen5")).rounded_margin, 1);
  EXPECT_EQ(make_target(Isa::kAvx2, plan_machine("zen5")).rounded_margin, kRoundedMargin);
}

}  // namespace
}  // namespace relayout::plan
